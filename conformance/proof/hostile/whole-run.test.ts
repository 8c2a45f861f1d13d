/** What only a runner of its own shows: its memory, its exit, and what it leaves behind. Needs a build. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { complaintsAbout } from "./complaints.ts";
import { wholeRun } from "./whole-run.ts";

const runner = [join(import.meta.dirname, "../../../dist/conformance/cli/main.js")];
const budgetSeconds = 24;
/** Few: the bounds are those of any run, and `npm run hostile` judges with the whole suite. */
const few = ["AUTH-B*", "AUTH-W*", "LEAK-*"].flatMap((pattern) => ["--case", pattern]);
const bounds = ["--max-minutes", String(budgetSeconds / 60), ...few];

test.concurrent.each(["chunks-one-byte", "dies-at-once", "stderr-flood"])(
  "%s: the runner ends in its time and memory, and leaves nothing behind",
  async (id) => {
    const run = await wholeRun(id, runner, 1000, bounds);
    expect(complaintsAbout(run, { harmless: id === "stderr-flood", budgetSeconds })).toEqual([]);
  },
  90_000,
);
