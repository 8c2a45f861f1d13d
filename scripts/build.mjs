/**
 * Builds dist/ from nothing, so that no file is shipped whose source is gone: declarations by tsc, code by esbuild. A
 * start of the command loads a few files in place of hundreds, which would take longer than a small run. With `--code`
 * no declarations, which `npm test` does not read.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const { bin, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const sourceOf = (built) => built.replace(/^(\.\/)?dist\//, "").replace(/\.js$/, ".ts");

rmSync(join(root, "dist"), { recursive: true, force: true });

/** Returns tsc's exit code. `npm run check` checks the types; the declarations are the same without. */
async function declare() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--noCheck"];
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }), "close");
  return code ?? 1;
}

/** The declarations that a program may come to: from the package's exports, import by import. */
function declarations() {
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

/** What is named in package.json keeps its place; what several of them need is in `dist/shared`. */
const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: [...Object.values(bin), ...Object.values(exports).flatMap((entry) => entry.default ?? [])].map(
      sourceOf,
    ),
    outdir: "dist",
    outbase: ".",
    chunkNames: "shared/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    // For the coverage of a process; not in the package.
    sourcemap: true,
    legalComments: "none",
    logLevel: "warning",
  });

const hasTypes = !process.argv.includes("--code");
[process.exitCode] = await Promise.all([hasTypes ? declare() : 0, bundle()]);
if (hasTypes && process.exitCode === 0) dropOtherDeclarations();
