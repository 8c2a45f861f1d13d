import manifest from "../../package.json" with { type: "json" };

/** The version in the package's own package.json. */
export function suiteVersion(): string {
  return manifest.version;
}
