import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { leftToRuntime } from "./broken/states/left-to-runtime.ts";
import { both } from "./changes.ts";
import { judgeSubject } from "./judge-subject.ts";

const judged = async (bug: string, caseId: string, kind: "bare" | "checking") => {
  const { id = "", change = {} } = leftToRuntime.find((subject) => subject.bug === bug) ?? {};
  const { results, notes } = await judgeSubject(
    id,
    both(change, { runtime: { kind } }),
    "reference",
    cases.filter((item) => item.id === caseId),
  );
  return { outcome: results[0]?.outcome, reason: results[0]?.reason, notes };
};

test.each([
  [
    "resume_flow is passed on to the runtime: it resumes from any state.",
    "STATES-RESUME-FLOW",
    "the status that resume_flow needs",
  ],
  [
    "Changes are passed on to the runtime, and only resume_flow looks at the status: ended flows change.",
    "GAP-ENDED-BY-FINISH-FLOW",
    "the status that set_waiting needs",
  ],
  [
    "cancel_flow passes its expectedRevision on to a runtime that does not look at it.",
    "REVISION-CANCEL-FLOW",
    "the revision that cancel_flow needs",
  ],
])("%s fails %s for a check that it leaves to its runtime", async (id, caseId, check) => {
  const { outcome, reason } = await judged(id, caseId, "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringContaining(`leaves to its runtime: ${check}`)]);
});

test("a runtime that checks makes the same plugin pass, and the report says so", async () => {
  const { outcome, notes } = await judged(
    "resume_flow is passed on to the runtime: it resumes from any state.",
    "STATES-RESUME-FLOW",
    "checking",
  );
  expect([outcome, notes]).toEqual(["pass", expect.arrayContaining([expect.stringContaining("--runtime checking")])]);
});

test("a fault that the plugin makes by itself is not put down to its runtime", async () => {
  const { outcome, reason } = await judged("expectedRevision is looked at by no action.", "REVISION-STALE", "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringMatching(/^expected /)]);
});
