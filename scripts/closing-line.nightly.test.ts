/** The closing line also counts failures outside a test: of a hook, of a file that cannot be loaded, unhandled ones. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test } from "../conformance/test-support/consumer.test-support.ts";

const nested = `
  import { beforeAll, describe, test } from "vitest";
  const broken = () => { throw new Error("broken"); };
  test("passes", async () => {
    void Promise.reject(new Error("unhandled"));
    await new Promise(setImmediate);
  });
  test("fails", broken);
  describe("outer", () => {
    describe("inner", () => {
      beforeAll(broken);
      test("never runs", () => {});
    });
  });
`;
const configuration = `
  import ClosingLine from ${JSON.stringify(join(import.meta.dirname, "closing-line.ts"))};
  export default { test: { include: ["*.case.mjs"], reporters: [new ClosingLine()] } };
`;

test("failed tests, failed hooks, unloadable files and unhandled errors are each counted as failed", async ({
  consumer: folder,
}) => {
  await writeFile(join(folder, "vitest.config.mjs"), configuration);
  await writeFile(join(folder, "nested.case.mjs"), nested);
  await writeFile(join(folder, "unloadable.case.mjs"), 'throw new Error("broken");');
  const { code, output } = await node(folder, "node_modules/vitest/vitest.mjs", "run", "--pool=threads");
  expect(code, output).toBe(1);
  expect(output).toBe("1 passed, 4 failed, 1 skipped\n");
});
