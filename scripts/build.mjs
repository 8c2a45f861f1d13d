/** Builds dist/ from nothing, so that no file is shipped whose source is gone: compiles, and copies what is not code. */
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const profiles = join("conformance", "interface", "profiles");

rmSync(join(root, "dist"), { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status === 0) cpSync(join(root, profiles), join(root, "dist", profiles), { recursive: true });
process.exitCode = status ?? 1;
