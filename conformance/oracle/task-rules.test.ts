import { expect, test } from "vitest";
import { taskVerdict } from "./task-rules.ts";

const right = { action: "run_task", flowId: "f", runtime: "acp", task: "t" };

/** What the target's answer to these fields is learned under. */
const deviations = (more: object): string => {
  const verdict = taskVerdict({ ...right, status: "running", ...more }, {});
  return verdict.kind === "open" ? verdict.deviations : verdict.kind;
};

test("values that a target may tell apart are learned apart", () => {
  const ids = [0, -1, 1, 1.5, true, false, null, "", " ", [], {}];
  expect(new Set(ids.map((runId) => deviations({ runId }))).size).toBe(ids.length);
  expect(new Set([null, "", " "].map((task) => deviations({ task }))).size).toBe(3);
  const times = [0, 1, 1_700_000_000_000, "2026-01-01T00:00:00Z", null];
  expect(new Set(times.map((startedAt) => deviations({ startedAt }))).size).toBe(times.length);
});

test.each(["task", "childSessionKey", "status", "startedAt", "progressSummary"])(
  "%s of another type than the interface gives it is wrong",
  (field) => {
    const verdicts = [true, [], { text: "t" }].map((value) => taskVerdict({ ...right, [field]: value }, {}));
    expect(verdicts).toEqual(verdicts.map(() => expect.objectContaining({ kind: "wrong", code: "invalid_request" })));
  },
);

test("a last event before the start is a deviation of its own", () => {
  const [early, late] = [1_700_000_000_000, "2026-01-01T00:00:00Z"];
  expect(deviations({ startedAt: late, lastEventAt: early })).toContain("lastEventAt before startedAt");
  expect(deviations({ startedAt: early, lastEventAt: late })).not.toContain("before");
  expect(deviations({ startedAt: early, lastEventAt: early })).not.toContain("before");
});

test.each(["startedAt", "lastEventAt", "progressSummary"])(
  "%s as null is another question of no running task",
  (field) => {
    expect(deviations({ [field]: null })).toBe(`${field}: null`);
    const idle = taskVerdict({ ...right, [field]: null }, {});
    expect(idle).toEqual({ kind: "open", deviations: `${field}: null, not running` });
  },
);
