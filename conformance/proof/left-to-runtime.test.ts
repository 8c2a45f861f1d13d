import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { leftToRuntime } from "./broken/states/left-to-runtime.ts";
import { both } from "./changes.ts";
import { judgeSubject } from "./judge-subject.ts";

const changeOf = (id: string) => leftToRuntime.find((subject) => subject.id === id)?.change ?? {};
const judged = async (id: string, caseId: string, kind: "bare" | "checking") => {
  const change = both(changeOf(id), { runtime: { kind } });
  const { results, notes } = await judgeSubject(
    id,
    change,
    "reference",
    cases.filter((item) => item.id === caseId),
  );
  return { outcome: results[0]?.outcome, reason: results[0]?.reason, notes };
};

test.each([
  ["leaves-resume-status", "STATES-RESUME-FLOW", "the status that resume_flow needs"],
  ["leaves-end", "GAP-ENDED-BY-FINISH-FLOW", "the status that set_waiting needs"],
  ["leaves-cancel-revision", "REVISION-CANCEL-FLOW", "the revision that cancel_flow needs"],
])("%s fails %s for a check that it leaves to its runtime", async (id, caseId, check) => {
  const { outcome, reason } = await judged(id, caseId, "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringContaining(`leaves to its runtime: ${check}`)]);
});

test("a runtime that checks makes the same plugin pass, and the report says so", async () => {
  const { outcome, notes } = await judged("leaves-resume-status", "STATES-RESUME-FLOW", "checking");
  expect([outcome, notes]).toEqual(["pass", expect.arrayContaining([expect.stringContaining("--runtime checking")])]);
});

test("a fault that the plugin makes by itself is not put down to its runtime", async () => {
  const { outcome, reason } = await judged("leaves-revision", "REVISION-STALE", "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringMatching(/^expected /)]);
});
