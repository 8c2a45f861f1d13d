import { expect, test } from "vitest";
import { whyOf } from "../harness/result.ts";
import { cases } from "../catalogue.ts";
import { changes } from "./broken/states/changes.ts";
import { currentRevision, together, withRequest } from "./changes.ts";
import { passesOn } from "./runtime.ts";
import { subjectId, type Change } from "./subject.ts";
import { judgeSubject } from "./judge-subject.ts";

const RESUME = passesOn(["resume_flow"]);
/** Takes any revision for the current one. */
const BLIND = withRequest(async (body, context) =>
  typeof body["expectedRevision"] === "number"
    ? { ...body, expectedRevision: await currentRevision(body["flowId"], context) }
    : body,
);

const judged = async (fault: string | Change, caseId: string, kind: "bare" | "checking") => {
  const known = changes.find(({ id }) => typeof fault === "string" && id.startsWith(subjectId(fault)))?.change;
  const own = typeof fault === "string" ? (known ?? expect.fail(`no fault begins: ${fault}`)) : fault;
  const chosen = cases.filter((item) => item.id === caseId);
  const change = together(own, { runtime: { kind } });
  const { results, notes } = await judgeSubject("a fault", change, "reference", chosen);
  return { outcome: results[0]?.outcome, reason: whyOf(results[0] ?? {}), notes };
};

test.each([
  [RESUME, "STATES-RESUME-FLOW", "the status of resume_flow"],
  ["Changes are passed on", "GAP-ENDED", "the status of set_waiting"],
  ["cancel_flow passes its expectedRevision on", "REVISION-CANCEL-FLOW", "the revision of cancel_flow"],
])("%s, and fails %s for a check that it leaves to its runtime", async (begins, caseId, check) => {
  const { outcome, reason } = await judged(begins, caseId, "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringContaining(`the plugin does not check ${check}`)]);
});

test("a runtime that checks makes the same plugin pass, and the report says so", async () => {
  const { outcome, notes } = await judged(RESUME, "STATES-RESUME-FLOW", "checking");
  expect([outcome, notes]).toEqual(["pass", expect.arrayContaining([expect.stringContaining("--runtime checking")])]);
});

test("a fault that the plugin makes by itself is not put down to its runtime", async () => {
  const { outcome, reason } = await judged(BLIND, "REVISION-STALE", "bare");
  expect([outcome, reason]).toEqual(["fail", expect.stringMatching(/^expected /)]);
});
