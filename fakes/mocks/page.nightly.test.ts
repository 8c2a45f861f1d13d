import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test } from "../../conformance/test-support/consumer.test-support.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "MOCKS.md"), "utf8");

/** The page's programs, how a user runs them, and what they print. */
const examples: Readonly<Record<string, { readonly run: readonly string[]; readonly shows: RegExp }>> = {
  "caller.test.mjs": { run: ["node_modules/vitest/vitest.mjs", "run"], shows: /Tests +2 passed \(2\)/ },
  "caller.mjs": { run: ["caller.mjs"], shows: /^200 deploy 0\n$/ },
};

test.for(Object.entries(examples))("%s runs", async ([name, { run, shows }], { consumer }) => {
  const text = page.split(`\`\`\`js ${name}\n`)[1]?.split("```")[0] ?? "";
  await writeFile(join(consumer, name), text);
  const { code, output } = await node(consumer, ...run);
  expect(output).toMatch(shows);
  expect(code).toBe(0);
});
