import { expect, test } from "vitest";
import type { Case } from "../harness/case.ts";
import { caseOf, gateway, judged } from "../test-support/gateway.test-support.ts";
import { TimeBudget } from "./time-budget.ts";

const quiet = () => {};
const stuck: Case["run"] = () => new Promise(() => {});

test.each([
  ["of a short run is five minutes", undefined, 10_000, "5 minutes", false],
  ["is three times the estimate", undefined, 600_000, "30 minutes", false],
  ["is never more than an hour by itself", undefined, 36_000_000, "60 minutes", true],
  ["is what the user allows", 90_000, 600_000, "90 s", true],
])("the budget %s", (_, maxMs, estimateMs, limit, isShort) => {
  const budget = new TimeBudget(maxMs);
  budget.estimated(estimateMs, quiet);
  budget.close();
  expect(budget.limit).toBe(limit);
  expect(budget.isShorterThan(estimateMs)).toBe(isShort);
  expect(budget.over).toBeUndefined();
});

test("a run that takes much longer than estimated says so", async () => {
  const budget = new TimeBudget(60_000);
  const told = await new Promise<string>((resolve) => budget.estimated(-20_000, resolve));
  budget.close();
  expect(told).toBe("slower than estimated: ends after 60 s at the latest");
});

test("when the time is over every case has a result, and none is passed for want of time", async () => {
  const notices: string[] = [];
  const seen: string[] = [];
  const cases = [
    caseOf("QUICK"),
    caseOf("STUCK-ALONE", { alone: true, run: stuck }),
    caseOf("LATER", { alone: true }),
    ...Array.from({ length: 12 }, (_, index) => caseOf(`STUCK-${index}`, { run: stuck })),
    caseOf("LAST"),
  ];
  const started = performance.now();
  const { of, results } = await judged(gateway(["stubborn"]), cases, {
    maxMs: 6000,
    onNotice: (notice) => notices.push(notice),
    onResult: ({ id }) => seen.push(id),
  });
  expect(performance.now() - started).toBeLessThan(20_000);
  const over = "the run's time budget of 6 s is over";
  expect(of("QUICK").outcome).toBe("pass");
  expect(of("STUCK-ALONE")).toMatchObject({ outcome: "unreached", reason: `not finished: ${over}` });
  expect(of("LATER")).toMatchObject({ outcome: "unreached", reason: `not tried: ${over}` });
  expect(of("LAST")).toMatchObject({ outcome: "unreached", reason: `not tried: ${over}` });
  expect(results).toHaveLength(cases.length);
  expect(seen.toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  expect(notices).toEqual([expect.stringMatching(/^about \d+ s \(16 cases at .*; 1 more start.*ends after 6 s/)]);
}, 60_000);
