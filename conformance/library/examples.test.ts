import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { node, withConsumer, type Ran } from "../test-support/consumer.test-support.ts";

const page = readFileSync(new URL("../../docs/LIBRARY.md", import.meta.url), "utf8");

/** The page's code blocks that name a file, by that name. */
const files = new Map(
  [...page.matchAll(/^```(?:js|ts|json) (\S+)\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => [name, text]),
);

/** The oldest supported Node does not strip types. */
const tsx = import.meta.resolve("tsx");

/** How a user runs each example, and what it shows. */
const examples: Readonly<Record<string, { run(folder: string): Promise<Ran>; shows(ran: Ran): void }>> = {
  "judge.mjs": {
    run: (folder) => node(folder, "judge.mjs"),
    shows: ({ code, output }) => {
      expect(output).toMatch(/^1\/3 [A-Z-]+: pass\n2\/3 [A-Z-]+: pass\n3\/3 [A-Z-]+: pass\nconformant /);
      expect(output).toMatch(/\(a part of the suite\)\n$/);
      expect(code).toBe(0);
    },
  },
  "handler.ts": {
    run: (folder) => node(folder, "--import", tsx, "handler.ts"),
    shows: ({ output }) =>
      expect(output).toBe("METHOD-GET: fail\nAUTH-BEARER: pass\nAUTH-WRONG: pass\nnot conformant\n"),
  },
  "search.ts": {
    run: (folder) => node(folder, "--import", tsx, "search.ts"),
    shows: ({ output }) => {
      expect(output).toContain(
        "PROPERTY-LIMITS: expected a refusal: eight are in flight, got a request let in, after 2 requests\n",
      );
      expect(output).toMatch(/\ntrue 2\n$/);
    },
  },
  "plugin.mjs": {
    run: (folder) => node(folder, "plugin.mjs"),
    shows: ({ output }) => expect(output).toBe("2 conformant\n"),
  },
  "conformance.test.mjs": {
    run: (folder) => node(folder, "node_modules/vitest/vitest.mjs", "run", "--reporter=verbose"),
    shows: ({ code, output }) => {
      expect(output).toMatch(/✓ conformance.test.mjs > conformance of target.json > AUTH-BEARER: /);
      expect(output).toMatch(/Tests +2 passed \(2\)/);
      expect(code).toBe(0);
    },
  },
  "conformance.node.mjs": {
    run: (folder) => node(folder, "--test", "--test-reporter=spec", "conformance.node.mjs"),
    shows: ({ code, output }) => {
      expect(output).toMatch(/✔ AUTH-BEARER: /);
      expect(output).toMatch(/^ℹ pass 2$/m);
      expect(code).toBe(0);
    },
  },
};

test("every code block with a file's name is the target file or an example below", () => {
  expect([...files.keys()].toSorted()).toEqual(["target.json", ...Object.keys(examples)].toSorted());
});

// One waits while another computes.
test.concurrent.each(Object.keys(examples))("%s runs as the page says", { timeout: 60_000 }, async (name) => {
  await withConsumer(async (folder) => {
    await writeFile(join(folder, "target.json"), files.get("target.json") ?? "");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, name), files.get(name) ?? "");
    const example = examples[name];
    const ran = await example?.run(folder);
    if (ran === undefined) throw new Error(`no example ${name}`);
    example?.shows(ran);
  });
});
