import { expect, test } from "vitest";
import { columnOf, newFlow, settle, step, type FlowState, type Operation } from "./model.ts";
import reference from "./profiles/reference.json" with { type: "json" };
import { profileSchema } from "./profiles/gaps.ts";

const { gaps: bound } = profileSchema.parse(reference);
const open = {};
const waiting: FlowState = { ...newFlow("queued"), phase: "waiting" };
const finished: FlowState = { ...waiting, phase: "finished" };
const ways = (flow: FlowState, by: Operation, gaps = bound) => step(flow, by, gaps).map(({ accepted }) => accepted);

test("a stale revision is a conflict in every state, with every profile", () => {
  for (const gaps of [open, bound]) {
    for (const flow of [newFlow("begun"), waiting, finished, { ...waiting, pending: true }]) {
      for (const action of ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const) {
        expect(step(flow, { action, revision: "stale" }, gaps)).toEqual([
          { accepted: false, status: 409, code: "revision_conflict", revision: "same", clause: "REVISION-STALE" },
        ]);
      }
    }
  }
});

test("a revision that is ahead is refused, however", () => {
  const [only, ...others] = step(waiting, { action: "finish_flow", revision: "future" }, open);
  expect(only).toEqual({ accepted: false, revision: "same", clause: "REVISION-UNCHANGED" });
  expect(others).toEqual([]);
});

test("only a flow that waits or is blocked is resumed", () => {
  const resume = { action: "resume_flow", revision: "current" } as const;
  expect(ways(waiting, resume)).toEqual([true]);
  expect(ways({ ...waiting, phase: "blocked" }, resume)).toEqual([true]);
  expect(ways(newFlow("queued"), resume, open)).toEqual([false]);
  expect(ways({ ...waiting, phase: "resumed" }, resume, open)).toEqual([false]);
});

test("what the interface leaves open may go either way, under a key; a profile decides", () => {
  const finish = { action: "finish_flow", revision: "current" } as const;
  expect(ways(finished, finish)).toEqual([false]);
  expect(step(finished, finish, bound)).toMatchObject([{ code: "terminal" }]);
  expect(step(finished, finish, open).map(({ learns }) => learns)).toEqual([
    "finish_flow of a flow: finished",
    "finish_flow of a flow: finished",
  ]);
});

test("cancel_flow waits for active children and takes their flow along when they end, where the profile says so", () => {
  const [added] = step(waiting, { action: "run_task" }, bound);
  expect(added).toMatchObject({ accepted: true, revision: "same", to: { active: 1, tasks: 1 } });
  const [pending] = step(added?.to ?? waiting, { action: "cancel_flow" }, bound);
  expect(pending).toMatchObject({ accepted: true, status: 202, to: { pending: true, phase: "waiting" } });
  expect(settle(pending?.to ?? waiting, bound)).toMatchObject([
    { to: { phase: "cancelled", pending: false }, revision: "new" },
  ]);
  expect(settle(pending?.to ?? waiting, open)).toHaveLength(2);
  expect(step(waiting, { action: "cancel_flow" }, bound)).toMatchObject([
    { accepted: true, to: { phase: "cancelled" } },
  ]);
});

test("a state has one column of the visit table", () => {
  expect(columnOf(newFlow("begun"))).toBe("new");
  expect(columnOf({ ...waiting, asked: true })).toBe("cancel asked");
  expect(columnOf({ ...waiting, asked: true, pending: true })).toBe("cancel pending");
  expect(columnOf({ ...finished, asked: true })).toBe("finished");
});
