import { expect, test } from "vitest";
import { createFlow } from "../interface/bodies.ts";
import { LIMIT_MET } from "../harness/case-record.ts";
import { Failure } from "../harness/case-errors.ts";
import { HarnessError, OutOfTime } from "../http/harness-error.ts";
import { launcherOf } from "../targets/launcher.ts";
import type { Target } from "../targets/target-file.ts";
import { caseOf, gateway, judged } from "../test-support/gateway.test-support.ts";

/** A target that is brought up once for each pair of rounds; `onStart` is told which time it is. */
function counting(onStart: (count: number) => void = () => {}): Target {
  const target = gateway();
  const launch = launcherOf(target);
  let starts = 0;
  return {
    ...target,
    launch: async (input) => {
      starts += 1;
      const count = starts;
      const { origin, control, stop } = await launch(input);
      onStart(count);
      return { origin, control, ending: undefined, stderrTail: `words of start ${count}\n`, stop };
    },
  };
}

test("what each started target said, and every remark, is in the report of them all", async () => {
  let tries = 0;
  const thirdTryLost = caseOf("LOST-ONCE", {
    run: async (trial) => {
      const { answer: _lost, ...sent } = await trial.post(createFlow("an ordinary goal"));
      tries += 1;
      if (tries === 3) throw new Failure("an answer", "none", [{ ...sent, fault: "no whole answer" }]);
    },
  });
  const { results, notes, stderrTail } = await judged(counting(), [thirdTryLost], { repeat: 3 });
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([["LOST-ONCE", "pass"]]);
  expect(stderrTail).toBe("words of start 1\nwords of start 2\n");
  expect(notes).toContain("passed when retried alone, after a request that was not answered: LOST-ONCE");
});

test("rounds that are broken off while their target starts take nothing from those before them", async () => {
  const stop = new AbortController();
  const target = counting((count) => count === 2 && stop.abort(new Error("enough")));
  const { results } = await judged(target, [caseOf("FIRST")], { repeat: 4, signal: stop.signal });
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([["FIRST", "pass"]]);
});

test("a case that does not come out the same each time is an error, with how often it came out how", async () => {
  let tries = 0;
  const fickle = caseOf("FICKLE", {
    run: async () => {
      tries += 1;
      if (tries === 2) throw new Failure("the same", "something else", []);
    },
  });
  const { results } = await judged(counting(), [fickle, caseOf("STEADY")], { repeat: 3 });
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["FICKLE", "error"],
    ["STEADY", "pass"],
  ]);
  expect(results[0]?.reason).toMatch(/^differs from round to round: 2 pass, 1 fail; /);
});

test("what one round finds stands, whether a later one had no time for it or found it again", async () => {
  let tries = 0;
  const late = caseOf("LATE", {
    run: async () => {
      tries += 1;
      throw tries === 1 ? new Failure("the same", "something else", []) : new OutOfTime("the machine was too busy");
    },
  });
  const refused = caseOf("REFUSED", { run: () => Promise.reject(new HarnessError(LIMIT_MET)) });
  const { results } = await judged(counting(), [late, refused], { repeat: 2 });
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["LATE", "fail"],
    ["REFUSED", "fail"],
  ]);
});
