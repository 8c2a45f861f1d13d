/** Builds dist/ from nothing, so that no file is shipped whose source is gone: compiles, and copies what is not code. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const profiles = join("conformance", "interface", "profiles");

rmSync(join(root, "dist"), { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

/** Returns tsc's exit code. */
function compile(...options) {
  const args = [compiler, "-p", "tsconfig.build.json", ...options];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
}

/** The declarations that a program may come to: from the package's exports, import by import. */
function declarations() {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const found = new Set(
    Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)])),
  );
  for (const file of found) {
    for (const [, from] of readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      found.add(resolve(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")));
    }
  }
  return found;
}

/** Nobody can import the others. */
function dropOtherDeclarations() {
  const needed = declarations();
  for (const entry of readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (file.endsWith(".d.ts") && !needed.has(file)) rmSync(file);
  }
}

// Comments are for those who read the declarations, or the sources in the repository.
const status = compile("--emitDeclarationOnly") || compile("--declaration", "false", "--removeComments");
if (status === 0) {
  cpSync(join(root, profiles), join(root, "dist", profiles), { recursive: true });
  dropOtherDeclarations();
}
process.exitCode = status;
