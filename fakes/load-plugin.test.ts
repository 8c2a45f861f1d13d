import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayApi } from "../plugin/ports.ts";
import { StartError } from "./errors.ts";
import { folderWith } from "./folder.test-support.ts";
import { loadPlugin } from "./load-plugin.ts";

const body = "{ id: 'mine', register() {} }";
const dir = folderWith({
  "plugin.mjs": `export default ${body};`,
  "plugin.cjs": `module.exports = ${body};`,
  "compiled.cjs": `exports.__esModule = true; exports.default = ${body};`,
  "named.mjs": "export const plugin = {}; export const other = {};",
  "empty.mjs": "",
  "lacks.mjs": 'export default { id: "half", register: 1 };',
  "nothing.mjs": "export default {};",
  "primitive.mjs": "export default 1;",
  "throws.mjs": '\nthrow new Error("no database\\nsecond line");',
  "imports.mjs": 'import "not-installed-anywhere";',
  "syntax.mjs": "export default {",
  "es.cjs": "export default {};",
  "common/package.json": '{ "type": "commonjs" }',
  "common/es.js": "export default {};",
  "never.mjs": "await new Promise(() => {});",
  "unsettled.mjs": "export default { id: 'mine', register: () => new Promise(() => {}) };",
  "node_modules/a-plugin/package.json": '{ "type": "module", "exports": "./index.js" }',
  "node_modules/a-plugin/index.js": `export default ${body};`,
});

/** What a user is told, without the folder. */
async function told(named: string): Promise<string> {
  const error: unknown = await loadPlugin(named).catch((thrown: unknown) => thrown);
  if (!(error instanceof StartError)) throw new Error("it was loaded");
  expect(error.message).not.toMatch(/\n|\bat .*:\d+\)/);
  return error.message.replaceAll(`${dir}/`, "");
}

test.each(["plugin.mjs", "plugin.cjs", "compiled.cjs"])("%s is a plugin", async (name) => {
  expect((await loadPlugin(join(dir, name))).id).toBe("mine");
});

test("an installed package is a plugin, as the working folder sees it", async () => {
  const before = process.cwd();
  process.chdir(dir);
  onTestFinished(() => process.chdir(before));
  expect((await loadPlugin("a-plugin")).id).toBe("mine");
});

const expected = "Expected: export default { id, register(api) { ... } }.";
test.each([
  ["named.mjs", `has no default export: it exports other, plugin. ${expected}`],
  ["empty.mjs", `has no default export: it exports nothing. ${expected}`],
  ["primitive.mjs", `has a default export that is a number. ${expected}`],
  ["throws.mjs", "threw while it was loaded: no database (throws.mjs:2:7)."],
  ["syntax.mjs", "cannot be loaded: Unexpected end of input (syntax.mjs:1)."],
  ["es.cjs", "which is CommonJS: call it .mjs."],
  ["common/es.js", 'common/package.json says "type": "commonjs": write "type": "module" there, or call the file .mjs.'],
  ["imports.mjs", "imports what is not there: Cannot find package 'not-installed-anywhere'"],
])("%s: %s", async (name, why) => {
  const message = await told(join(dir, name));
  expect(message).toMatch(/^The plugin \S+/);
  expect(message).toContain(why);
});

test("a default export that is no plugin is told with what it lacks", async () => {
  expect(await told(join(dir, "lacks.mjs"))).toContain("lacks a function register. Expected");
  expect(await told(join(dir, "nothing.mjs"))).toContain("lacks an id (a string) and a function register. Expected");
});

test("what is neither a file nor a package is told with where it was looked for", async () => {
  expect(await told("./none.mjs")).toContain(`There is no plugin file ./none.mjs in ${process.cwd()}, and no package`);
});

test("a module that never settles, and a register that does not, are told once nothing else is going on", async () => {
  const loading = told(join(dir, "never.mjs"));
  const { register } = await loadPlugin(join(dir, "unsettled.mjs"));
  const registering = expect(register({} as GatewayApi)).rejects.toThrow("a promise that does not settle");
  process.emit("beforeExit", 0);
  expect(await loading).toContain("is never loaded: a top-level await in it does not settle.");
  await registering;
});
