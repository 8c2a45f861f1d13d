import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { changes } from "./broken/states/changes.ts";
import { together } from "./changes.ts";
import { idOf } from "./subject.ts";
import { judgeSubject } from "./judge-subject.ts";

const judged = async (begins: string, caseId: string, kind: "bare" | "checking") => {
  const subject = changes.find(({ id }) => id.startsWith(idOf(begins))) ?? expect.fail(`no fault begins: ${begins}`);
  const chosen = cases.filter((item) => item.id === caseId);
  const change = together(subject.change, { runtime: { kind } });
  const { results, notes } = await judgeSubject(subject.id, change, "reference", chosen);
  return { outcome: results[0]?.outcome, reason: results[0]?.reason, notes };
};

test.each([
  ["resume_flow is passed on", "STATES-RESUME-FLOW", "the status that resume_flow needs"],
  ["Changes are passed on", "GAP-ENDED", "the status that set_waiting needs"],
  ["cancel_flow passes its expectedRevision on", "REVISION-CANCEL-FLOW", "the revision that cancel_flow needs"],
])("%s, and fails %s for a check that it leaves to its runtime", async (begins, caseId, check) => {
  const { outcome, reason } = await judged(begins, caseId, "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringContaining(`leaves to its runtime: ${check}`)]);
});

test("a runtime that checks makes the same plugin pass, and the report says so", async () => {
  const { outcome, notes } = await judged("resume_flow is passed on", "STATES-RESUME-FLOW", "checking");
  expect([outcome, notes]).toEqual(["pass", expect.arrayContaining([expect.stringContaining("--runtime checking")])]);
});

test("a fault that the plugin makes by itself is not put down to its runtime", async () => {
  const { outcome, reason } = await judged("expectedRevision is looked at by no action", "REVISION-STALE", "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringMatching(/^expected /)]);
});
