import { beforeEach, expect, test } from "vitest";
import { createDrivenClock, type DrivenClock } from "./clock.ts";
import { canaries, createManagedFlows, type DirectFlows, type ManagedFlowsFake } from "./managed-flows.ts";

let time: DrivenClock;
let flows: ManagedFlowsFake;
let session: DirectFlows;

beforeEach(() => {
  time = createDrivenClock(1_000);
  let last = 0;
  flows = createManagedFlows({ clock: time.clock, ids: () => `id-${(last += 1)}` });
  session = flows.runtime.bindSession({ sessionKey: "s:a" });
});

const created = (input = {}) => session.createManaged({ goal: "ship it", controllerId: "webhooks/a", ...input });
const child = (flowId: string, input = {}) => {
  const result = session.runTask({ flowId, runtime: "acp", task: "lint", ...input });
  if (!result.created) throw new Error(`no child: ${result.code}`);
  return result.task;
};

test("creating gives a queued flow of revision 0 with canaries for the session's metadata", () => {
  expect(created()).toEqual({
    flowId: "id-1",
    syncMode: "managed",
    controllerId: "webhooks/a",
    revision: 0,
    status: "queued",
    notifyPolicy: "done_only",
    goal: "ship it",
    createdAt: 1_000,
    updatedAt: 1_000,
    ownerKey: "s:a",
    requesterOrigin: canaries[0],
    requesterSessionKey: canaries[1],
  });
});

test("creating keeps what the caller asked for", () => {
  const input = { status: "running", notifyPolicy: "silent", currentStep: "one", stateJson: [1], waitJson: null };
  expect(created(input)).toMatchObject(input);
});

test("the list begins with the newest flow, which is the latest, whichever was written last", () => {
  const [first, second] = [created(), created()];
  session.requestCancel({ flowId: first.flowId, expectedRevision: 0 });
  expect(session.list().map(({ flowId }) => flowId)).toEqual([second.flowId, first.flowId]);
  expect(session.findLatest()?.flowId).toBe(second.flowId);
  expect(session.resolve("s:a")?.flowId).toBe(second.flowId);
  expect(session.resolve(first.flowId)?.flowId).toBe(first.flowId);
  expect(session.resolve("nothing")).toBeNull();
});

test("no two writes have the same time", () => {
  const [first, second] = [created(), created()];
  session.requestCancel({ flowId: first.flowId, expectedRevision: 0 });
  expect(second.updatedAt).toBeGreaterThan(first.updatedAt);
  expect(session.get(first.flowId)?.updatedAt).toBeGreaterThan(second.updatedAt);
});

test("a caller cannot change a record that it was given", () => {
  const stateJson = { deep: { step: 1 } };
  const flow = created({ stateJson, waitJson: { until: [1] } });
  stateJson.deep.step = 2;
  for (const given of [flow, session.get(flow.flowId), session.list()[0], session.findLatest()]) {
    Object.assign(given ?? {}, { status: "hacked" });
    Object.assign(given?.stateJson ?? {}, { deep: 3 });
    Object.assign(given?.waitJson ?? {}, { until: 3 });
  }
  const task = child(flow.flowId);
  task.status = "hacked";
  expect(session.get(flow.flowId)).toMatchObject({
    status: "queued",
    stateJson: { deep: { step: 1 } },
    waitJson: { until: [1] },
  });
  expect(session.getTaskSummary(flow.flowId)).toMatchObject({ active: 1 });
});

test("an own __proto__ key stays a key and pollutes nothing", () => {
  const text = '{"__proto__":{"polluted":true},"list":[{"__proto__":1}]}';
  const { flowId } = created({ stateJson: JSON.parse(text) });
  session.setWaiting({ flowId, expectedRevision: 0, waitJson: JSON.parse(text) });
  const flow = session.get(flowId);
  expect(JSON.stringify(flow?.stateJson)).toBe(text);
  expect(JSON.stringify(flow?.waitJson)).toBe(text);
  expect({}).not.toHaveProperty("polluted");
  expect(flow?.stateJson).not.toHaveProperty("polluted");
});

test.each([
  ["nothing", {}, "waiting"],
  ["a task", { blockedTaskId: "t" }, "blocked"],
  ["a summary", { blockedSummary: "s" }, "blocked"],
  ["a blank summary", { blockedSummary: "" }, "waiting"],
])("set_waiting on %s gives its state and one revision more", (_on, fields, status) => {
  created();
  const result = session.setWaiting({ flowId: "id-1", expectedRevision: 0, ...fields });
  expect(result).toEqual({ applied: true, flow: session.get("id-1") });
  expect(session.get("id-1")).toMatchObject({ status, revision: 1 });
});

test("resume continues a waiting and a blocked flow, queued unless running is asked for", () => {
  created({ status: "waiting", waitJson: 1 });
  created({ status: "blocked" });
  const resumed = session.resume({ flowId: "id-1", expectedRevision: 0, currentStep: "two", stateJson: { n: 2 } });
  expect(resumed).toMatchObject({ flow: { status: "queued", revision: 1, currentStep: "two", stateJson: { n: 2 } } });
  expect(session.get("id-1")).not.toHaveProperty("waitJson");
  expect(session.resume({ flowId: "id-2", expectedRevision: 0, status: "running" })).toMatchObject({
    flow: { status: "running" },
  });
});

test("null clears a text and is a value in JSON fields; what is not given stays", () => {
  created({ currentStep: "one", stateJson: { n: 1 }, waitJson: 7 });
  session.setWaiting({ flowId: "id-1", expectedRevision: 0, blockedTaskId: "t", blockedSummary: "s" });
  expect(session.get("id-1")).toMatchObject({
    currentStep: "one",
    stateJson: { n: 1 },
    blockedTaskId: "t",
    waitJson: 7,
  });
  session.setWaiting({ flowId: "id-1", expectedRevision: 1, currentStep: null, stateJson: null });
  const flow = session.get("id-1");
  expect(flow?.stateJson).toBeNull();
  expect(flow).not.toHaveProperty("currentStep");
  expect(flow).not.toHaveProperty("blockedTaskId");
  expect(flow).not.toHaveProperty("blockedSummary");
});

test("a second cancel request keeps the date of the first", async () => {
  created();
  session.requestCancel({ flowId: "id-1", expectedRevision: 0 });
  await time.advance(9);
  expect(session.requestCancel({ flowId: "id-1", expectedRevision: 1 })).toMatchObject({
    flow: { revision: 2, cancelRequestedAt: 1_000 },
  });
});

test("what the bare runtime carries out and a checking one refuses is noted", () => {
  const checking = createManagedFlows({ clock: time.clock, kind: "checking" });
  for (const { runtime, left, kind } of [flows, checking]) {
    const session = runtime.bindSession({ sessionKey: "s:a" });
    const { flowId } = session.createManaged({ goal: "g", controllerId: "c" });
    const at = (revision: number) => ({ flowId, expectedRevision: kind === "bare" ? revision : 0 });
    const answers = [session.resume(at(0)), session.finish(at(1)), session.fail(at(2)), session.setWaiting(at(3))];
    const codes = answers.map((answer) => (answer.applied ? answer.flow.endedAt !== undefined : answer.code));
    if (kind === "checking") {
      expect(codes).toEqual(["mutation_rejected", true, "revision_conflict", "revision_conflict"]);
      expect(session.fail({ flowId, expectedRevision: 1 })).toMatchObject({ code: "terminal" });
      expect(left).toEqual([]);
    } else {
      expect(codes).toEqual([false, true, true, false]);
      session.cancel({ flowId, cfg: {}, expectedRevision: 0 });
      const status = ["resume_flow", "fail_flow", "set_waiting"].map((action) => ({ action, check: "status" }));
      expect(left).toEqual([...status, { action: "cancel_flow", check: "revision" }].map((it) => ({ flowId, ...it })));
    }
  }
});

test("a task that breaks the rules of run_task is started, and noted", () => {
  const session = flows.runtime.bindSession({ sessionKey: "s:a" });
  const { flowId } = session.createManaged({ goal: "g", controllerId: "c" });
  const task = { flowId, runtime: "acp", task: "t" };
  session.runTask({ ...task, status: "running", progressSummary: "half" });
  session.runTask({ ...task, progressSummary: null });
  expect(flows.left).toEqual([]);
  session.runTask({ ...task, runtime: "other" });
  session.runTask({ ...task, status: "queued", startedAt: 1 });
  expect(flows.left.map(({ check }) => check)).toEqual(["runtime", "running fields"]);
});

test("seeding puts a flow into any session, ended ones with their date", () => {
  expect(flows.seed({ sessionKey: "s:unbound", status: "failed", goal: "old" })).toMatchObject({
    ownerKey: "s:unbound",
    status: "failed",
    goal: "old",
    revision: 0,
    endedAt: 1_000,
  });
  expect(session.list()).toEqual([]);
});

test("child tasks begin queued and leave the flow's revision alone", () => {
  const { flowId } = created();
  expect(session.runTask({ flowId, runtime: "subagent", task: "lint", label: null, runId: "r" })).toEqual({
    created: true,
    flow: session.get(flowId),
    task: {
      taskId: "id-2",
      runtime: "subagent",
      parentFlowId: flowId,
      task: "lint",
      status: "queued",
      deliveryStatus: "pending",
      notifyPolicy: "done_only",
      scopeKind: "session",
      createdAt: 1_000,
      runId: "r",
      ownerKey: "s:a",
      requesterSessionKey: canaries[1],
    },
  });
  expect(session.get(flowId)).toMatchObject({ revision: 0, updatedAt: 1_000 });
});

test("a running child task is dated", () => {
  const { flowId } = created();
  expect(child(flowId, { status: "running" })).toMatchObject({ startedAt: 1_000, lastEventAt: 1_000 });
  const given = { status: "running", startedAt: 5, lastEventAt: 6, progressSummary: "half", notifyPolicy: "silent" };
  expect(child(flowId, given)).toMatchObject(given);
});

test("child tasks may run in the own or an unowned session, never in another one's", () => {
  const { flowId } = created();
  flows.runtime.bindSession({ sessionKey: "s:b" });
  expect(child(flowId, { childSessionKey: "s:a" }).childSessionKey).toBe("s:a");
  expect(child(flowId, { childSessionKey: "s:nobody" }).childSessionKey).toBe("s:nobody");
  const refused = session.runTask({ flowId, runtime: "acp", task: "t", childSessionKey: "s:b" });
  expect(refused).toMatchObject({
    created: false,
    found: true,
    reason: "Task backing ownership could not be verified.",
  });
  expect(session.getTaskSummary(flowId)?.total).toBe(2);
});

test("child tasks are summed up by status and runtime", () => {
  const { flowId } = created();
  for (const status of ["succeeded", "failed", "timed_out", "cancelled", "lost", "running"] as const) {
    flows.settle({ flowId, taskId: child(flowId).taskId, status });
  }
  child(flowId, { runtime: "subagent" });
  child(flowId, { runtime: "other", status: "odd" });
  expect(session.getTaskSummary(flowId)).toEqual({
    total: 8,
    active: 2,
    terminal: 6,
    failures: 3,
    byStatus: { queued: 1, running: 1, succeeded: 1, failed: 1, timed_out: 1, cancelled: 1, lost: 1, odd: 1 },
    byRuntime: { subagent: 1, acp: 6, other: 1 },
  });
});

test("settling dates a task, and may wake it again", async () => {
  const { flowId } = created();
  const { taskId } = child(flowId);
  await time.advance(1);
  expect(flows.settle({ flowId, taskId, status: "failed" })).toMatchObject({ endedAt: 1_001, lastEventAt: 1_001 });
  const woken = flows.settle({ flowId, taskId, status: "running" });
  expect(woken).toMatchObject({ startedAt: 1_001 });
  expect(woken).not.toHaveProperty("endedAt");
  expect(flows.settle({ flowId, taskId: "none", status: "lost" })).toBeNull();
  expect(flows.settle({ flowId: "none", taskId, status: "lost" })).toBeNull();
});

test("cancel and run_task are refused in the sentences of a real gateway", () => {
  const [{ flowId }, over] = [created(), created()];
  session.finish({ flowId: over.flowId, expectedRevision: 0 });
  child(flowId);
  const answers = ["none", over.flowId, flowId].flatMap((id) => [
    session.cancel({ flowId: id, cfg: {} }),
    session.runTask({ flowId: id, runtime: "acp", task: "t" }),
  ]);
  const ended = "Flow is already succeeded.";
  const [active, requested] = [
    "One or more child tasks are still active.",
    "Flow cancellation has already been requested.",
  ];
  const reasons = ["Flow not found.", "Flow not found.", ended, ended, active, requested];
  expect(answers).toEqual(reasons.map((reason) => expect.objectContaining({ reason }) as unknown));
});

test("a flow that ends by other means while its cancellation waits stays ended", () => {
  const { flowId } = created();
  const { taskId } = child(flowId);
  session.cancel({ flowId, cfg: {} });
  session.finish({ flowId, expectedRevision: 1 });
  flows.settle({ flowId, taskId, status: "succeeded" });
  expect(session.get(flowId)).toMatchObject({ status: "succeeded", revision: 2 });
});

test("a cooperative request does not end the flow when its children do", () => {
  const { flowId } = created();
  const { taskId } = child(flowId);
  session.requestCancel({ flowId, expectedRevision: 0 });
  flows.settle({ flowId, taskId, status: "cancelled" });
  expect(session.get(flowId)).toMatchObject({ status: "queued", revision: 1 });
});

test("what cannot be stored is refused in its sentences too", () => {
  const { flowId } = created();
  flows.failPersistence(["create", "task", "cancel"]);
  expect(session.tryCreateManaged({ goal: "g", controllerId: "c" })).toBeNull();
  expect(() => created()).toThrow("Flow persistence failed.");
  expect(session.runTask({ flowId, runtime: "acp", task: "t" })).toMatchObject({
    reason: "Task persistence failed.",
  });
  expect(session.cancel({ flowId, cfg: {} })).toMatchObject({ reason: "Flow persistence failed." });
});

test("the awaited runtime answers as the direct one does", async () => {
  const awaited = flows.asyncRuntime.bindSession({ sessionKey: "s:a" });
  const { flowId } = await awaited.createManaged({ goal: "g", controllerId: "c", status: "waiting" });
  expect(awaited.sessionKey).toBe("s:a");
  expect(await awaited.get(flowId)).toEqual(session.get(flowId));
  expect(await awaited.list()).toEqual(session.list());
  expect(await awaited.resolve("s:a")).toEqual(session.resolve("s:a"));
  expect(await awaited.resume({ flowId, expectedRevision: 0 })).toEqual({ applied: true, flow: session.get(flowId) });
  expect(await awaited.cancel({ flowId: "none", cfg: {} })).toMatchObject({ found: false });
  expect(() => flows.asyncRuntime.bindSession({ sessionKey: "" })).toThrow(TypeError);
});

test("the awaited runtime loses updates when it is told to wait between check and write", async () => {
  const waiting = createManagedFlows({ clock: time.clock, beforeWrite: () => Promise.resolve() });
  const awaited = waiting.asyncRuntime.bindSession({ sessionKey: "s:a" });
  const { flowId } = await awaited.createManaged({ goal: "g", controllerId: "c" });
  const change = () => awaited.setWaiting({ flowId, expectedRevision: 0 });
  const answers = await Promise.all(Array.from({ length: 8 }, change));
  expect(answers.filter(({ applied }) => applied)).toHaveLength(8);
  expect(await awaited.get(flowId)).toMatchObject({ revision: 1 });
});
