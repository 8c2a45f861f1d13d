/** Builds dist/ from nothing, so that no file is shipped whose source is gone: compiles, and copies what is not code. */
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

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
if (status === 0) {
  cpSync(join(root, profiles), join(root, "dist", profiles), { recursive: true });
  dropUnreachable();
}
process.exitCode = status;

/** Removes the declarations that no entry of `exports` leads to: no user of the package can import them. */
function dropUnreachable() {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const kept = new Set();
  const visit = (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    const imports = readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)\.(?:js|ts)"/g);
    for (const [, path] of imports) visit(join(dirname(file), `${path}.d.ts`));
  };
  for (const { types } of Object.values(exports)) if (types !== undefined) visit(join(root, types));
  const all = readdirSync(join(root, "dist"), { recursive: true }).map((file) => join(root, "dist", file));
  for (const file of all) if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
}
