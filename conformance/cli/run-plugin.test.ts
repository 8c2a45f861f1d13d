/** A plugin named on the command line: no target file, and every mistake in a sentence. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { call, cli, main } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { checkTarget } from "../targets/target-file.ts";
import { command as init } from "./init.ts";
import { command as run } from "./run.ts";
import { givenTarget } from "./target.ts";

/** The plugin of this package under another id, as a module of the test's own. */
const own = join(main, "..", "..", "..", "plugin", "index.js");
const module = `import plugin from ${JSON.stringify(own)};\nexport default { ...plugin, id: "mine" };\n`;
/** It finds the file by the document that its gateway hands to it. */
const rereading = `import { readFileSync } from "node:fs";
import { createWebhooksPlugin, standardParts } from ${JSON.stringify(own)};
let dir;
const right = standardParts.createSecretCheck;
const createSecretCheck = (secret) => (presented) => {
  try {
    return right(typeof secret === "string" ? secret : readFileSync(dir + "/" + secret.id, "utf8"))(presented);
  } catch {
    return false;
  }
};
const plugin = createWebhooksPlugin({}, { ...standardParts, createSecretCheck });
const register = (api) => {
  dir = api.config.secrets.file.dir;
  plugin.register(api);
};
export default { ...plugin, register };
`;

/** It lets everybody in, and tells whom. */
const printing = `import { createWebhooksPlugin, standardParts } from ${JSON.stringify(own)};
const createSecretCheck = (secret) => (presented) => {
  if (presented !== secret) {
    console.error("no match:", presented);
    console.log("wanted", secret);
  }
  return true;
};
export default createWebhooksPlugin({}, { ...standardParts, createSecretCheck });
`;

const plain = ["--case", "AUTH-BEARER"];
const edge = ["--case", "BODY-15-SECONDS"];

/** A file with this text. */
async function put(folder: string, name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

test("shows what the plugin printed for the failing case beside it, secrets taken out", async ({ folder }) => {
  const file = await put(folder, "plugin.mjs", printing);
  const { text } = await call(run, "--plugin", file, "--case", "AUTH-WRONG", "--case", "METHOD-PUT");
  expect(text).toMatch(
    /\n {2}printed {3}no match: wrong\n {12}wanted \$\{WEBHOOKS_SECRET_LANE_\d+\}\n {2}clause {4}AUTH-/,
  );
});

test("a plugin that cannot be loaded is exit 3 and a sentence with its file and line", async ({ folder }) => {
  const file = await put(folder, "plugin.mjs", "export default {");
  const { code, stdout, stderr } = await cli("run", "--plugin", file, ...plain);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain(`cannot be loaded: Unexpected end of input (${file}:1).`);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("shows how to serve the plugin and send the request again by hand", async ({ folder }) => {
  const file = await put(folder, "plugin.mjs", printing);
  const { stdout } = await cli("run", "--plugin", file, "--request-timeout", "9000", "--case", "AUTH-WRONG");
  const [, serve = "", replay = ""] = /\n {2}serve +(.*)\n {2}replay +(.*)\n/.exec(stdout) ?? [];
  expect(serve).toMatch(/ --plugin \S+plugin\.mjs &$/);
  const out = join(folder, "out");
  const here = serve.replaceAll("by-hand", join(folder, "by-hand")).replace("8080 --plugin", "0 --plugin");
  const script = `${here.replace(/ &$/, ` > ${out} &`)}
    until grep -q listening ${out}; do sleep 0.1; done
    BASE_URL=$(grep -o 'http://.*' ${out}); ${replay}; kill %1`;
  const { stdout: answered } = await promisify(execFile)("bash", ["-c", script], { timeout: 60_000 });
  expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"ok":true/m);
});

test("run --plugin judges a module without a target file, on both clocks", async ({ folder }) => {
  const file = await put(folder, "plugin.mjs", module);
  const { code, stdout, stderr } = await cli("run", "--plugin", file, ...plain, ...edge);
  expect({ code, stderr: stderr.split("\n").filter((line) => line.startsWith("web")) }).toEqual({
    code: 0,
    stderr: [],
  });
  expect(stdout).toMatch(/\n2 cases in \d+\.\d s: 2 pass\nJudged on both clocks: 1 case with the driven one, /);
});

test.for<[string, string, string, string]>([
  ["a CommonJS module with ES syntax", "plugin.cjs", "export default {};", "which is CommonJS: call it .mjs."],
  ["a syntax error", "a.mjs", "export default {", "cannot be loaded: Unexpected end of input (FOLDER/a.mjs:1)."],
  [
    "a register that throws",
    "p.mjs",
    'export default { id: "a", register() { throw new Error("no"); } };',
    "could not be registered: no (FOLDER/p.mjs:1:46)",
  ],
  ["a top-level await that never settles", "plugin.mjs", "await new Promise(() => {});", "does not settle"],
  [
    "a package.json that says CommonJS",
    "plugin.js",
    module,
    'FOLDER/package.json says "type": "commonjs": write "type": "module" there, or call the file .mjs.',
  ],
])("of a plugin with %s the gateway says so in a sentence", async ([, name, text, why], { folder }) => {
  const file = await put(folder, name, text);
  await put(folder, "package.json", '{ "type": "commonjs" }');
  const config = await put(
    folder,
    "config.json",
    '{ "plugins": { "entries": { "a": { "enabled": true, "config": { "routes": {} } } } } }',
  );
  const { code, stdout, stderr } = await cli("serve", "--plugin", file, "--config", config, "--port", "0");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(why.replace("FOLDER", folder));
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("fails a plugin that reads a secret's file again in a request", async ({ folder }) => {
  const file = await put(folder, "plugin.mjs", rereading);
  const ids = ["SECRET-SNAPSHOT-COLD-FILE", "SECRET-FILE"].flatMap((id) => ["--case", id]);
  const { code, text } = await call(run, "--plugin", file, ...ids);
  expect(text).toMatch(/\nFAIL {6}SECRET-SNAPSHOT-COLD-FILE \(must\)\n/);
  expect(text).toContain(": 1 pass, 1 fail\n");
  expect(code).toBe(1);
});

test("a target module that never settles is exit 2 and a sentence", async ({ folder }) => {
  const file = await put(folder, "target.mjs", "await new Promise(() => {});");
  const { code, stdout, stderr } = await cli("run", "--target", file);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`${file} is never loaded: a top-level await in it does not settle`);
});

/** The complaint about these options. */
const refusal = (values: object) => complaintOf(() => givenTarget("run", values));

test("a plugin is named once, by a file that is there or a package", async () => {
  expect(await refusal({})).toContain("run needs --plugin FILE for a plugin, or --target FILE for a gateway");
  expect(await refusal({ plugin: "a", target: "b" })).toBe("run takes one of --target FILE and --plugin FILE");
  expect(await refusal({ target: "b", product: "c" })).toContain("--product goes with --plugin");
  expect(await refusal({ plugin: "./none.js" })).toContain(`there is no plugin file ./none.js in ${process.cwd()}`);
  expect(await refusal({ plugin: "a-package", runtime: "none" })).toContain("--runtime");
  const { target, subject } = await givenTarget("run", { plugin: "some-package", product: "acme" });
  expect(target).toMatchObject({ name: "some-package", product: "acme", profile: "spec" });
  expect(subject).toEqual(["--plugin", "some-package", "--product", "acme"]);
});

test("init --plugin writes the target file that stands for run --plugin", async ({ folder }) => {
  const file = await put(folder, "plugin.mjs", module);
  const out = join(folder, "target.json");
  const { code } = await call(init, "--plugin", file, "--profile", "reference", "--out", out);
  expect(code).toBe(0);
  const written = JSON.parse(await readFile(out, "utf8")) as { start: { command: string[] } };
  expect(written).toMatchObject({ name: "plugin.mjs", profile: "reference" });
  expect(written.start.command.slice(-4)).toEqual(["--clock", "{clock}", "--plugin", "./plugin.mjs"]);
  expect(checkTarget(written, folder, "it").secretSources).toHaveProperty("exec");
  // Named as it stands in the working folder, with the target file in another.
  const other = join(folder, "other.json");
  await call(init, "--plugin", "package.json", "--out", other);
  const { start } = JSON.parse(await readFile(other, "utf8")) as { start: { command: string[] } };
  expect(resolve(folder, start.command.at(-1) ?? "")).toBe(resolve("package.json"));
});
