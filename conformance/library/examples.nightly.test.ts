import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test as consuming } from "../test-support/consumer.test-support.ts";
import { gatewayStart } from "../test-support/gateway.test-support.ts";

const page = readFileSync(new URL("../../docs/LIBRARY.md", import.meta.url), "utf8");

/** The page's code blocks that name a file, by that name. */
const files = new Map(
  [...page.matchAll(/^```(?:js|ts) (\S+)\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => [name, text]),
);

/** The oldest supported Node does not strip types; a loader that does takes longer than all the programs. */
const tsc = join(import.meta.dirname, "..", "..", "node_modules", "typescript", "bin", "tsc");
const withoutTypes = ["--noCheck", "--module", "nodenext", "--target", "es2023"];

/** What each program prints. They run in one process, one after the other, since each start takes longer than a run. */
const programs: Readonly<Record<string, RegExp>> = {
  "judge.mjs": /^1\/3 [A-Z-]+: pass\n2\/3 [A-Z-]+: pass\n3\/3 [A-Z-]+: pass\nconformant .*\(a part of the suite\)\n$/,
  "handler.ts":
    /^METHOD-GET: fail\nAUTH-BEARER: pass\nAUTH-WRONG: pass\nPROPERTY-REVISIONS: fail\n {2}create_flow [^]*: 200 ok:true\nnot conformant\n$/,
  "plugin.mjs": /^2 conformant\n$/,
};

/** The page's tests, as it names the other runner. */
const example = "conformance.test.mjs";

/** The same tests in two of them, each with a second file whose target breaks a clause. */
const runners = [
  {
    runner: "vitest",
    file: "conformance.test.mjs",
    run: ["node_modules/vitest/vitest.mjs", "run", "--reporter=verbose", "--no-isolate", "--no-file-parallelism"],
    passed: /✓ conformance.test.mjs > conformance of target.json > AUTH-BEARER: /,
    counts: /1 failed \| 5 passed \| 1 skipped/,
  },
  {
    runner: "node:test",
    file: "conformance.node.mjs",
    run: ["--test-reporter=spec", "--import", "./conformance.node.mjs", "red.test.mjs"],
    passed: /✔ AUTH-BEARER: /,
    counts: /pass 5\n[^]*fail 1\n[^]*skipped 1\n/,
  },
];

const red = `
  import { registerConformance } from "webhooks-conformance";
  const handler = ({ config }) => async (request, response) => {
    const id = request.url.split("/").at(-1);
    const right = request.headers.authorization === "Bearer " + config.routes[id]?.secret;
    const body = { ok: right, routeId: id, code: "no", error: "no", result: right ? { flow: { flowId: id, revision: 0 } } : {} };
    await request.toArray();
    response.writeHead(right ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const cases = ["AUTH-BEARER", "METHOD-GET", "SECRET-FILE"];
  await registerConformance({ target: { name: "mine", handler }, test, cases });
`;

const test = consuming.extend<{ project: string }>({
  /** A consumer's folder with a target file. */
  project: async ({ consumer }, use) => {
    await writeFile(join(consumer, "package.json"), '{ "type": "module" }');
    const target = { name: "my gateway", profile: "reference", start: gatewayStart([]) };
    await writeFile(join(consumer, "target.json"), JSON.stringify(target));
    await use(consumer);
  },
});

test("every code block with a file's name is an example below", () => {
  const examples = [...Object.keys(programs), example];
  expect([...files.keys()].toSorted()).toEqual(examples.toSorted());
});

test.concurrent("the programs print what the page says", async ({ project: folder }) => {
  const names = Object.keys(programs);
  for (const name of names) await writeFile(join(folder, name), files.get(name) ?? "");
  const typed = names.filter((name) => name.endsWith(".ts"));
  expect(await node(folder, tsc, ...withoutTypes, ...typed)).toEqual({ code: 0, output: "" });
  const lines = names.map((name) => `console.log("== ${name}");\nawait import("./${name.replace(/ts$/, "js")}");`);
  await writeFile(join(folder, "all.mjs"), lines.join("\n"));
  const { code, output } = await node(folder, "all.mjs");
  expect(code, output).toBe(0);
  const printed = new Map(
    output.split(/^== /m).map((text) => [text.split("\n")[0], text.slice(text.indexOf("\n") + 1)]),
  );
  for (const [name, shown] of Object.entries(programs)) expect(printed.get(name), name).toMatch(shown);
});

test.concurrent.for(runners)(
  "$runner runs the page's example, and tells a failure without a line of the kit's own code",
  async ({ runner, file, run, passed, counts }, { project: folder }) => {
    await writeFile(join(folder, file), files.get(example)?.replace('"vitest"', `"${runner}"`) ?? "");
    await writeFile(join(folder, "red.test.mjs"), `import { test } from "${runner}";\n${red}`);
    const { code, output } = await node(folder, ...run);
    expect(code, output).toBe(1);
    expect(output).toMatch(passed);
    expect(output).toMatch(counts);
    expect(output).toContain("not-applicable: needs secret-file");
    expect(output).toMatch(/FAIL +METHOD-GET \(must\)/);
    expect(output).not.toMatch(/^\s+at .*(?:library|dist\/(?:shared|conformance))\b/m);
  },
);
