import { expect, test } from "vitest";
import { Patience } from "./patience.ts";
import { resultOf } from "./judge.ts";
import { caseOf } from "./test-targets/gateway.test-support.ts";
import type { Outcome } from "./result.ts";

const after = (ms: number, outcome: Outcome) => resultOf(caseOf("ANY"), outcome, { ms });
const why = "not tried: before it, the target had kept the suite waiting in vain for 30 s in all";

test("is lost once thirty request time-outs were waited for in vain", () => {
  const patience = new Patience(1000);
  for (let index = 0; index < 15; index += 1) patience.judged(after(2000, "fail"), 0);
  expect(patience.lost).toBeUndefined();
  patience.judged(after(1000, "error"), 0);
  expect(patience.lost).toBe(why);
});

test.each([
  ["a case that passed", after(60_000, "pass"), 0],
  ["a case that let as much time pass on purpose", after(60_000, "fail"), 59_500],
  ["a case whose answers came in time", after(999, "fail"), 0],
])("%s costs none", (_, result, lets) => {
  const patience = new Patience(1000);
  for (let index = 0; index < 100; index += 1) patience.judged(result, lets);
  expect(patience.lost).toBeUndefined();
});
