import { readFileSync } from "node:fs";

/** The version in the package's own package.json, which is one folder further up from the built files. */
export function suiteVersion(): string {
  for (const path of ["../../package.json", "../../../package.json"]) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), "utf8");
      const { name, version } = JSON.parse(text) as Record<string, string>;
      if (name === "webhooks-conformance" && version !== undefined) return version;
    } catch {
      // Try the next folder.
    }
  }
  return "unknown";
}
