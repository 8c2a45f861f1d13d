/** A plugin named on the command line: no target file, and every mistake in a sentence. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { call, main } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { checkTarget } from "../targets/target-file.ts";
import { command as config } from "./config.ts";
import { command as init } from "./init.ts";
import { command as run } from "./run.ts";
import { givenTarget } from "./target.ts";

/** The plugin of this package under another id, as a module of the test's own. */
const own = join(main, "..", "..", "..", "plugin", "index.js");
const module = `import plugin from ${JSON.stringify(own)};\nexport default { ...plugin, id: "mine" };\n`;
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

/** A file with this text. */
async function put(folder: string, name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

test("judges a module on both clocks, and shows what it printed for the failing case, and how to serve it and send the request again", async ({
  folder,
}) => {
  const file = await put(folder, "plugin.mjs", printing);
  const cases = ["--case", "AUTH-WRONG", "--case", "BODY-15-SECONDS"];
  const { text } = await call(run, "--plugin", file, "--request-timeout", "9000", ...cases);
  expect(text).toMatch(/\n2 cases in .*: 1 pass, 1 fail\nJudged on both clocks: 1 case with the driven one, /);
  expect(text).toMatch(
    /\n {2}printed {3}no match: wrong\n {12}wanted \$\{WEBHOOKS_SECRET_LANE_\d+\}\n {2}clause {4}AUTH-/,
  );
  const [, first = "", serve = "", replay = ""] = /\n {2}serve +(.*?); (.*)\n {2}replay +(.*)\n/.exec(text) ?? [];
  expect(first).toBe("[ -d by-hand ] || webhooks-conformance config --out by-hand");
  await call(config, "--out", join(folder, "by-hand"));
  const [out, port] = [join(folder, "out"), "8080 --plugin"];
  expect(serve).toMatch(new RegExp(` --port ${port} \\S+plugin\\.mjs &$`));
  const here = serve
    .replace("webhooks-conformance", `${process.execPath} ${main}`)
    .replaceAll("by-hand", join(folder, "by-hand"));
  const script = `${here.replace(port, "0 --plugin").replace(/ &$/, ` > ${out} &`)}
    until grep -q listening ${out}; do sleep 0.1; done
    BASE_URL=$(grep -o 'http://.*' ${out}); ${replay}; kill %1`;
  const { stdout: answered } = await promisify(execFile)("bash", ["-c", script], { timeout: 60_000 });
  expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"ok":true/m);
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
  expect(written).toMatchObject({ name: `${basename(folder)}/plugin.mjs`, profile: "reference" });
  expect(written.start.command.slice(-4)).toEqual(["--clock", "{clock}", "--plugin", "./plugin.mjs"]);
  expect(checkTarget(written, folder, "it").secretSources).toHaveProperty("exec");
  // Named as it stands in the working folder, with the target file in another.
  const other = join(folder, "other.json");
  await call(init, "--plugin", "package.json", "--out", other);
  const { start } = JSON.parse(await readFile(other, "utf8")) as { start: { command: string[] } };
  expect(resolve(folder, start.command.at(-1) ?? "")).toBe(resolve("package.json"));
});
