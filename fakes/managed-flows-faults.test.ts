import { beforeEach, describe, expect, test } from "vitest";
import { createDrivenClock, type DrivenClock } from "./clock.ts";
import { createManagedFlows, type ManagedFlowsFake } from "./managed-flows.ts";

const sessionKey = "s:a";
const goal = { goal: "g", controllerId: "c" };
let time: DrivenClock;

beforeEach(() => {
  time = createDrivenClock();
});

describe.each(["runtime", "asyncRuntime"] as const)("persistence that fails, %s", (form) => {
  let flows: ManagedFlowsFake;
  beforeEach(() => {
    flows = createManagedFlows({ clock: time.clock });
  });

  test("changes nothing and recovers", async () => {
    const session = flows[form].bindSession({ sessionKey });
    const { flowId } = await session.createManaged(goal);
    await session.runTask({ flowId, runtime: "acp", task: "t" });
    const before = [await session.list(), await session.getTaskSummary(flowId)];
    const change = { flowId, expectedRevision: 0 };

    flows.failPersistence(["create", "update", "task", "cancel"]);
    expect(await session.tryCreateManaged(goal)).toBeNull();
    await expect((async () => session.createManaged(goal))()).rejects.toThrow("Flow persistence failed.");
    for (const answer of [session.setWaiting(change), session.finish(change), session.requestCancel(change)]) {
      expect(await answer).toMatchObject({ applied: false, code: "persist_failed", current: { revision: 0 } });
    }
    expect(await session.runTask({ flowId, runtime: "acp", task: "t" })).toMatchObject({
      created: false,
      found: true,
      reason: "Task persistence failed.",
    });
    expect(await session.cancel({ flowId, cfg: {} })).toMatchObject({ reason: "Flow persistence failed." });
    expect([await session.list(), await session.getTaskSummary(flowId)]).toEqual(before);

    flows.failPersistence([]);
    expect(await session.fail(change)).toMatchObject({ applied: true, flow: { status: "failed", revision: 1 } });
  });
});

describe("the awaited runtime", () => {
  test("answers as the direct one does", async () => {
    const flows = createManagedFlows({ clock: time.clock });
    const direct = flows.runtime.bindSession({ sessionKey });
    const awaited = flows.asyncRuntime.bindSession({ sessionKey });
    const { flowId } = await awaited.createManaged({ ...goal, status: "waiting" });
    expect(awaited.sessionKey).toBe(sessionKey);
    expect(await awaited.get(flowId)).toEqual(direct.get(flowId));
    expect(await awaited.list()).toEqual(direct.list());
    expect(await awaited.findLatest()).toEqual(direct.findLatest());
    expect(await awaited.resolve(sessionKey)).toEqual(direct.resolve(sessionKey));
    expect(await awaited.getTaskSummary(flowId)).toEqual(direct.getTaskSummary(flowId));
    expect(await awaited.resume({ flowId, expectedRevision: 0 })).toEqual({ applied: true, flow: direct.get(flowId) });
    expect(await awaited.cancel({ flowId: "none", cfg: {} })).toMatchObject({ found: false });
    expect(() => flows.asyncRuntime.bindSession({ sessionKey: "" })).toThrow(TypeError);
  });

  test("loses updates when it is told to wait between check and write", async () => {
    const flows = createManagedFlows({ clock: time.clock, beforeWrite: () => Promise.resolve() });
    const session = flows.asyncRuntime.bindSession({ sessionKey });
    const { flowId } = await session.createManaged(goal);
    const change = () => session.setWaiting({ flowId, expectedRevision: 0 });
    const answers = await Promise.all(Array.from({ length: 8 }, change));
    expect(answers.filter(({ applied }) => applied)).toHaveLength(8);
    expect(await session.get(flowId)).toMatchObject({ revision: 1 });
  });
});
