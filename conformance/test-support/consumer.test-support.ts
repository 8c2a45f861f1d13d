/** A project of a user of the package: the built package, vitest, msw and undici installed, and programs run in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test as foldered } from "./folder.test-support.ts";
import { LONGEST_CHILD } from "./longest-child.test-support.ts";

const root = join(import.meta.dirname, "..", "..");

export interface Ran {
  readonly code: number | null;
  /** Standard output and standard error, interleaved as they arrived. */
  readonly output: string;
}

export const test = foldered.extend<{ readonly consumer: string }>({
  /** A folder for one test in which `import "webhooks-conformance"` finds the built package. */
  consumer: async ({ folder }, use) => {
    if (!existsSync(join(root, "dist/conformance/library/index.js"))) throw new Error("not built yet: npm run build");
    await mkdir(join(folder, "node_modules"));
    await symlink(root, join(folder, "node_modules", "webhooks-conformance"));
    for (const name of ["vitest", "msw", "undici", "@types"])
      await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
    await use(folder);
  },
});

/** Runs Node with these arguments in a folder, to its end. */
export async function node(folder: string, ...args: string[]): Promise<Ran> {
  const { NODE_TEST_CONTEXT: _outer, VITEST: _runner, ...env } = process.env;
  const child = spawn(process.execPath, args, { ...LONGEST_CHILD, cwd: folder, env: { ...env, NO_COLOR: "1" } });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
