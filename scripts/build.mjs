/** Builds dist/ from nothing, so that no file is shipped whose source is gone: compiles, and copies what is not code. */
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const profiles = join("conformance", "interface", "profiles");

rmSync(join(root, "dist"), { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

/** Returns tsc's exit code. */
function compile(...options) {
  const args = [compiler, "-p", "tsconfig.build.json", ...options];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
}

// Comments are for those who read the declarations, or the sources in the repository.
const status = compile("--emitDeclarationOnly") || compile("--declaration", "false", "--removeComments");
if (status === 0) cpSync(join(root, profiles), join(root, "dist", profiles), { recursive: true });
process.exitCode = status;
