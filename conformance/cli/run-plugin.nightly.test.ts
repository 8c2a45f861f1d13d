/** A plugin in TypeScript: each of its gateways takes a loader's time to start. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call, main } from "../test-support/cli.test-support.ts";
import { command as run } from "./run.ts";

const own = join(main, "..", "..", "..", "plugin", "index.js");
const typed = `import plugin from ${JSON.stringify(own)};
enum Id { Mine = "mine" }
export default { ...plugin, id: Id.Mine };
`;

test("a TypeScript plugin is judged where tsx is installed beside it", async () => {
  // Only a file of this repository is beside its tsx.
  const file = join(import.meta.dirname, "..", "test-support", `typed-${process.pid}.tmp.mts`);
  await writeFile(file, typed);
  onTestFinished(() => rm(file));
  expect((await call(run, "--plugin", file, "--case", "AUTH-BEARER")).code).toBe(0);
});
