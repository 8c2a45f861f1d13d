import { expect, test } from "vitest";
import {
  columnOf,
  mayChangeByItself,
  newFlow,
  settle,
  outcomesOf,
  type FlowState,
  type Operation,
} from "./flow-model.ts";
import reference from "./profiles/reference.json" with { type: "json" };
import { profileSchema } from "./gaps.ts";

const { gaps: bound } = profileSchema.parse(reference);
const open = {};
const waiting: FlowState = { ...newFlow("queued"), phase: "waiting" };
const finished: FlowState = { ...waiting, phase: "finished" };
const ways = (flow: FlowState, by: Operation, gaps = bound) =>
  outcomesOf(flow, by, gaps).map(({ accepted }) => accepted);

test("a stale revision is a conflict in every state, with every profile", () => {
  for (const gaps of [open, bound]) {
    for (const flow of [newFlow("begun"), waiting, finished, { ...waiting, pending: true }]) {
      for (const action of ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const) {
        expect(outcomesOf(flow, { action, revision: "stale" }, gaps)).toEqual([
          { accepted: false, status: 409, code: "revision_conflict", revision: "same", clause: "REVISION-STALE" },
        ]);
      }
    }
  }
});

test("a revision that is ahead is refused, however", () => {
  const [only, ...others] = outcomesOf(waiting, { action: "finish_flow", revision: "future" }, open);
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
  expect(outcomesOf(finished, finish, bound)).toMatchObject([{ code: "terminal" }]);
  expect(outcomesOf(finished, finish, open).map(({ learns }) => learns)).toEqual([
    "finish_flow of a flow: finished",
    "finish_flow of a flow: finished",
  ]);
});

test("cancel_flow waits for active children and takes their flow along when they end, where the profile says so", () => {
  const [added] = outcomesOf(waiting, { action: "run_task" }, bound);
  expect(added).toMatchObject({ accepted: true, revision: "same", to: { active: 1, tasks: 1 } });
  const [pending] = outcomesOf(added?.to ?? waiting, { action: "cancel_flow" }, bound);
  expect(pending).toMatchObject({ accepted: true, status: 202, to: { pending: true, phase: "waiting" } });
  expect(settle(pending?.to ?? waiting, bound)).toMatchObject([
    { to: { phase: "cancelled", pending: false }, revision: "new" },
  ]);
  expect(settle(pending?.to ?? waiting, open)).toHaveLength(2);
  expect(outcomesOf(waiting, { action: "cancel_flow" }, bound)).toMatchObject([
    { accepted: true, to: { phase: "cancelled" } },
  ]);
});

test("a flow whose cancellation was asked for may be over by itself, unless the profile says how that goes", () => {
  const asked: FlowState = { ...waiting, asked: true };
  expect(mayChangeByItself(asked, open)).toBe(true);
  expect(mayChangeByItself(asked, { ...bound, "cancel.completes": undefined })).toBe(true);
  expect(mayChangeByItself(asked, bound)).toBe(false);
  expect(mayChangeByItself({ ...asked, phase: "finished" }, open)).toBe(false);
  expect(ways(asked, { action: "cancel_flow" }, open)).toEqual([true, false]);
  expect(ways(asked, { action: "cancel_flow" })).toEqual([true]);
  // One answer is no rule for the next, where the flow may have changed in between.
  const finish = { action: "finish_flow", revision: "current" } as const;
  expect(outcomesOf(asked, finish, open).map(({ learns }) => learns)).toEqual([undefined, undefined]);
  expect(outcomesOf(asked, finish, bound).map(({ learns }) => learns)).toEqual([
    "finish_flow of a flow: cancel-requested, waiting",
    "finish_flow of a flow: cancel-requested, waiting",
  ]);
});

test("a flow with active children may change at any moment, unless the profile says that they leave it alone", () => {
  const parent: FlowState = { ...waiting, active: 1, tasks: 1 };
  expect(mayChangeByItself(parent, open)).toBe(true);
  expect(mayChangeByItself(parent, bound)).toBe(false);
  const finish = { action: "finish_flow", revision: "current" } as const;
  expect(outcomesOf(parent, finish, open)).toMatchObject([{ accepted: true }, { code: "revision_conflict" }]);
  expect(ways(parent, finish)).toEqual([true]);
  // No child makes a flow that has ended go on.
  expect(ways({ ...parent, phase: "finished" }, { action: "resume_flow", revision: "current" }, open)).toEqual([false]);
});

test("who is asked to cancel once more may change nothing", () => {
  const again = outcomesOf({ ...waiting, asked: true }, { action: "request_cancel", revision: "current" }, bound);
  expect(again.map(({ accepted, revision }) => [accepted, revision])).toEqual([
    [true, "any"],
    [false, "same"],
  ]);
});

test("a flow that may have changed by itself may have the revision that was to come", () => {
  const asked: FlowState = { ...waiting, asked: true };
  const ahead = { action: "set_waiting", revision: "future" } as const;
  expect(ways(asked, ahead, open)).toEqual([false, true, false]);
  expect(ways(asked, ahead)).toEqual([false]);
  expect(ways(waiting, ahead, open)).toEqual([false]);
});

test("a cancellation may be done a moment after its answer, unless the profile names the status that shows it", () => {
  const resume = { action: "resume_flow", revision: "current" } as const;
  const over = (gaps: typeof open) => outcomesOf(waiting, { action: "cancel_flow" }, gaps)[0]?.to ?? waiting;
  expect(ways(over(open), resume, open)).toEqual([true, false]);
  expect(ways({ ...over(open), dirty: false }, resume, open)).toEqual([false]);
  expect(ways(over(bound), resume)).toEqual([false]);
});

test("a child that came or ended may have set its flow going or waiting, unless the profile says that it does not", () => {
  const resume = { action: "resume_flow", revision: "current" } as const;
  for (const flow of [waiting, newFlow("begun")]) {
    const [added] = outcomesOf(flow, { action: "run_task" }, open);
    expect(ways(added?.to ?? flow, resume, open)).toEqual([true, false]);
    expect(settle({ ...flow, active: 1, tasks: 1 }, open)).toMatchObject([{ to: { dirty: true }, revision: "any" }]);
    const [kept] = outcomesOf(flow, { action: "run_task" }, bound);
    expect(ways(kept?.to ?? flow, resume)).toEqual(ways(flow, resume));
    expect(settle({ ...flow, active: 1, tasks: 1 }, bound)).toMatchObject([{ to: { dirty: false }, revision: "same" }]);
  }
});

const wrongly = (clause: "RUN-TASK-RUNTIME" | "RUN-TASK-RUNNING-FIELDS") =>
  ({ action: "run_task", wrong: { clause, status: 400, code: "invalid_request" } }) as const;

test("of wrong fields and a flow that has ended either may be told first, but for the rule on running tasks", () => {
  expect(outcomesOf(finished, wrongly("RUN-TASK-RUNTIME"), open).map(({ status }) => status)).toEqual([400, undefined]);
  expect(outcomesOf(finished, wrongly("RUN-TASK-RUNNING-FIELDS"), open).map(({ status }) => status)).toEqual([400]);
  expect(outcomesOf(finished, wrongly("RUN-TASK-RUNTIME"), bound).map(({ status }) => status)).toEqual([400]);
});

test("a state has one column of the visit table", () => {
  expect(columnOf(newFlow("begun"))).toBe("new");
  expect(columnOf({ ...waiting, asked: true })).toBe("cancel-requested");
  expect(columnOf({ ...waiting, asked: true, pending: true })).toBe("cancel-pending");
  expect(columnOf({ ...finished, asked: true })).toBe("finished");
});
