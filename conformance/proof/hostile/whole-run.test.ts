/** What only a runner of its own shows: its memory, its exit, and what it leaves behind. Needs a build. */
import { expect, test } from "vitest";
import { complaintsAbout } from "./short-run.ts";
import { wholeRun } from "./whole-run.ts";

const budgetSeconds = 24;
/** Few, against one target: the bounds are those of any run, and `npm run hostile` runs the whole suite against many. */
const few = ["AUTH-WRONG", "LEAK-LOG"].flatMap((id) => ["--case", id]);
const bounds = ["--max-minutes", String(budgetSeconds / 60), ...few];

test("against answers without end, the runner ends in its time and memory, and leaves nothing behind", async () => {
  const run = await wholeRun("answers-with-chunks-of-one-byte-without-end", 1000, bounds);
  expect(run.report?.results).toHaveLength(2);
  expect(complaintsAbout(run, { budgetSeconds })).toEqual([]);
});
