import { beforeEach, describe, expect, test } from "vitest";
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
const cancel = (flowId: string, expectedRevision?: number) =>
  session.cancel({ flowId, cfg: {}, ...(expectedRevision !== undefined && { expectedRevision }) });
const child = (flowId: string, input = {}) => {
  const result = session.runTask({ flowId, runtime: "acp", task: "lint", ...input });
  if (!result.created) throw new Error(`no child: ${result.code}`);
  return result.task;
};

describe("child tasks", () => {
  test("begin queued and leave the flow's revision alone", () => {
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

  test("a running one is dated", () => {
    const { flowId } = created();
    expect(child(flowId, { status: "running" })).toMatchObject({ startedAt: 1_000, lastEventAt: 1_000 });
    const given = { status: "running", startedAt: 5, lastEventAt: 6, progressSummary: "half", notifyPolicy: "silent" };
    expect(child(flowId, given)).toMatchObject(given);
  });

  test("may run in the own or an unowned session, never in another one's", () => {
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
});

describe("cancelling", () => {
  test("a flow that ends by other means while its cancellation waits stays ended", () => {
    const { flowId } = created();
    const { taskId } = child(flowId);
    cancel(flowId);
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
});
