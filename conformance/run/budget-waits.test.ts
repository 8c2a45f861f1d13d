import { expect, onTestFinished, test, vi } from "vitest";
import { Budget } from "./budget.ts";
import { resultOf } from "../harness/result.ts";
import { caseOf, inProcess, judged } from "../test-support/gateway.test-support.ts";
import { exchangeWith } from "../test-support/report.test-support.ts";
import type { Outcome } from "../harness/result.ts";

const after = (ms: number, outcome: Outcome) => resultOf(caseOf("ANY"), outcome, { ms });
const why =
  "not tried: a run waits at most 180 s altogether for answers that do not come, and earlier cases used them up";

test("is exhausted after thirty request timeouts", () => {
  const budget = new Budget({ requestTimeoutMs: 6000 });
  for (let index = 0; index < 7; index += 1) budget.count(after(24_000, "fail"), 0);
  expect(budget.exhausted).toBeUndefined();
  budget.count(after(20_000, "error"), 0);
  expect(budget.exhausted).toBe(why);
});

test("a machine that others use as well may take as many times longer", () => {
  const budget = new Budget({ requestTimeoutMs: 6000, slowness: () => 5 });
  for (let index = 0; index < 35; index += 1) budget.count(after(24_000, "error"), 0);
  expect(budget.exhausted).toBeUndefined();
  for (let index = 0; index < 3; index += 1) budget.count(after(24_000, "error"), 0);
  expect(budget.exhausted).toContain("at most 900 s");
});

test("tells that the target kept the run waiting where requests had no answer, not where cases were slow", () => {
  const request = { method: "POST", path: "/", headers: [], body: new Uint8Array() };
  const exchanges = [{ request, from: "127.0.0.1", fault: "no whole answer within 6000 ms" }];
  const [silent, slow] = [new Budget({ requestTimeoutMs: 6000 }), new Budget({ requestTimeoutMs: 6000 })];
  for (let index = 0; index < 8; index += 1) {
    expect(silent.waitedInVain).toBeUndefined();
    silent.count({ ...after(24_000, "unreached"), exchanges }, 0);
    slow.count(after(24_000, "unreached"), 0);
  }
  expect(silent.waitedInVain).toBe("no whole answer to the requests of cases that took 180 s altogether");
  expect([slow.exhausted, slow.waitedInVain]).toEqual([why, undefined]);
});

test("says after three silent cases that the target leaves requests without an answer, once", () => {
  const request = { method: "POST", path: "/", headers: [], body: new Uint8Array() };
  const exchanges = [{ request, from: "127.0.0.1", fault: "no whole answer within 6000 ms" }];
  const told: string[] = [];
  const budget = new Budget({ requestTimeoutMs: 6000, onNotice: (notice) => told.push(notice) });
  for (let index = 0; index < 2; index += 1) budget.count({ ...after(12_000, "unreached"), exchanges }, 0);
  budget.count(after(12_000, "unreached"), 0);
  expect(told).toEqual([]);
  for (let index = 0; index < 9; index += 1) budget.count({ ...after(12_000, "unreached"), exchanges }, 0);
  expect(told).toEqual([
    "3 cases have waited for an answer that did not come, 6 s or longer each: the target may hang; the run waits 3 minutes at most for such answers",
  ]);
});

test.each([
  ["a case that passed", after(60_000, "pass"), 0],
  ["a case that failed by an answer, and looked on", { ...after(60_000, "fail"), exchanges: [exchangeWith("{}")] }, 0],
  ["a case that let as much time pass on purpose", after(60_000, "fail"), 55_000],
  ["a case whose answers came, on a busy machine", after(19_999, "unreached"), 0],
])("%s costs none", (_, result, lets) => {
  const budget = new Budget({ requestTimeoutMs: 6000 });
  for (let index = 0; index < 100; index += 1) budget.count(result, lets);
  expect(budget.exhausted).toBeUndefined();
});

test("a short request timeout in the target file does not make a busy machine a hostile target", () => {
  const budget = new Budget({ requestTimeoutMs: 100 });
  for (let index = 0; index < 1000; index += 1) budget.count(after(4999, "fail"), 0);
  expect(budget.exhausted).toBeUndefined();
});

const goneWatch = () => ({ gone: (how: string) => ({ expected: "a target that answers", actual: how }) });

test("a run that waited in vain tells its invariants that the target is gone", async () => {
  const spied = vi.spyOn(Budget.prototype, "waitedInVain", "get").mockReturnValue("no whole answer for long");
  onTestFinished(() => spied.mockRestore());
  const { of } = await judged(inProcess(), [
    caseOf("ORDINARY"),
    caseOf("NEVER-GONE", { watch: goneWatch, run: async () => {} }),
  ]);
  expect(of("NEVER-GONE")).toMatchObject({
    outcome: "fail",
    findings: [{ actual: "no whole answer for long" }],
    seenIn: ["ORDINARY"],
  });
});
