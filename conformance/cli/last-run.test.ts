import { expect, test } from "vitest";
import { reportWith, type Given } from "../test-support/report.test-support.ts";
import { keepFailed, lastFailed, type TargetIdentity } from "./last-run.ts";

const red = { id: "METHOD-PUT", outcome: "fail", expected: "405", actual: "200" } as const;

/** What is kept of these reports, one after the other. */
async function keptOf(name: string, ...reports: readonly (readonly Given[])[]): Promise<readonly string[]> {
  const held: TargetIdentity = { subject: [`${name} ${performance.now()}`], profile: "spec" };
  for (const results of reports) await keepFailed(reportWith(results), held);
  return lastFailed(held);
}

test("a case stays among the failed ones until it passes", async () => {
  const other = { id: "METHOD-GET", outcome: "unreached", reason: "no answer" } as const;
  expect(await keptOf("red", [red], [other])).toEqual(["METHOD-GET", "METHOD-PUT"]);
  expect(await keptOf("green", [red, other], [{ ...red, outcome: "pass" }])).toEqual(["METHOD-GET"]);
});

test("a run that leaves it out, or to which it does not apply, does not let it pass", async () => {
  const out = { id: "METHOD-PUT", outcome: "not-applicable", reason: "left out", leftOut: true } as const;
  expect(await keptOf("left out", [red], [out])).toEqual(["METHOD-PUT"]);
});

test("nor does one row of it", async () => {
  const held: TargetIdentity = { subject: [`row ${performance.now()}`], profile: "spec" };
  await keepFailed(reportWith([red]), held);
  await keepFailed(reportWith([{ id: "METHOD-PUT" }], { selection: { row: ["method=PUT"] } }), held);
  expect(await lastFailed(held)).toEqual(["METHOD-PUT"]);
});
