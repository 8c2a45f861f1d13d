/**
 * Packs the package and checks the tarball: exports and types (its contents and size are a test's). Then installs it in
 * an empty folder and runs it, also under Jest. Needs the registry for the dependencies. Arguments: paths of more Node programs to run it with.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "webhooks-conformance-package-"));
const user = join(folder, "user");

/** Runs a command and returns its output; throws when it fails. */
function run(cwd: string, program: string, args: readonly string[], path = process.env["PATH"]): string {
  const env = { ...process.env, PATH: path, NO_COLOR: "1" };
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const say = (what: string) => process.stdout.write(`package: ${what}\n`);
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

/** The gateway of the installed package, as a target. */
const target = {
  name: "the package's own gateway",
  profile: "reference",
  start: {
    command: ["npx", "webhooks-conformance", "serve", "--config", "{config}", "--port", "{port}"],
  },
};

function pack(): string {
  return join(folder, lastLine(run(root, "npm", ["pack", "--pack-destination", folder])));
}

function lint(tarball: string): void {
  say(`publint: ${lastLine(run(root, "npx", ["publint", "run", tarball, "--strict"]))}`);
  // ESM only, and no resolution without `exports`: Node 20.19 loads it with require too.
  run(root, "npx", ["attw", tarball, "--profile", "esm-only"]);
  say("attw: clean (esm-only)");
}

function install(tarball: string): void {
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), '{ "private": true }\n');
  writeFileSync(join(user, "target.json"), JSON.stringify(target));
  run(user, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball]);
}

function use(node: string): void {
  const path = `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`;
  const version = run(user, "node", ["--version"], path).trim();
  const listed = run(user, "npx", ["webhooks-conformance", "list"], path).trimEnd().split("\n").length;
  const ids = ["AUTH-BEARER", "AUTH-WRONG", "METHOD-GET"].flatMap((id) => ["--case", id]);
  const judged = run(user, "npx", ["webhooks-conformance", "run", "--target", "target.json", "--quick", ...ids], path);
  say(`${version}: ${listed} cases listed; ${lastLine(judged)}`);
}

/** The test that the page shows for Jest, which loads modules in a way of its own. */
function useUnderJest(): void {
  const page = readFileSync(join(root, "docs", "MOCKS.md"), "utf8");
  writeFileSync(join(user, "caller.test.js"), page.split("```js caller.test.js\n")[1]?.split("```", 1)[0] ?? "");
  run(user, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "jest@30", "undici@7"]);
  run(user, "node", ["--experimental-vm-modules", join("node_modules", "jest", "bin", "jest.js")]);
  say("jest: the page's test passes");
}

try {
  const tarball = pack();
  lint(tarball);
  install(tarball);
  for (const node of [process.execPath, ...process.argv.slice(2)]) use(node);
  useUnderJest();
} catch (error) {
  const { message, stdout = "" } = error as Error & { stdout?: string };
  process.stderr.write(`package: ${message}\n${stdout}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
