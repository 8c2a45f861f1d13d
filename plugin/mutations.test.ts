import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BoundFlows, FlowRecord, MutationResult } from "./ports.ts";
import { TestGateway } from "./server.test-support.ts";
import { boundFlows, canary, flowRecord, taskRecord } from "./stub.test-support.ts";
import type { FlowsCall } from "./stub.test-support.ts";

let gateway: TestGateway;
let calls: FlowsCall[];
beforeEach(() => (calls = []));
afterEach(() => gateway.stop());

const start = async (over: Partial<BoundFlows> = {}): Promise<void> => {
  gateway = await TestGateway.start(boundFlows(over, calls));
};
const withFlow = (over: Partial<FlowRecord>): Partial<BoundFlows> => ({ get: () => flowRecord(over) });
const at3 = { flowId: "flow-1", expectedRevision: 3 };
const mutations = ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const;
const runTask = { flowId: "flow-1", runtime: "acp", task: "pack" };

describe("mutations", () => {
  test.each(["finished", "succeeded", "failed", "cancelled", "lost"])(
    "a flow that is %s cannot be changed",
    async (status) => {
      await start(withFlow({ status }));
      for (const action of mutations) {
        expect(await gateway.act(action, at3)).toMatchObject({ status: 409, body: { code: "terminal" } });
      }
    },
  );

  test.each([
    [{ applied: false, code: "revision_conflict", current: flowRecord() }, 409, "revision_conflict"],
    [{ applied: false, code: "not_managed" }, 409, "not_managed"],
    [{ applied: false, code: "not_found" }, 404, "not_found"],
    [{ applied: false, code: "persist_failed" }, 503, "persist_failed"],
    [{ applied: false, code: "cancel_pending" }, 409, "mutation_rejected"],
    [{ applied: false, code: "unauthorized" }, 409, "mutation_rejected"],
    [{ applied: false, reason: "TaskFlow not found" }, 409, "mutation_rejected"],
  ] as [MutationResult, number, string][])("the runtime's %o is %i %s", async (answer, status, code) => {
    await start({ ...withFlow({ syncMode: "mirrored" }), finish: async () => answer });
    const reply = await gateway.act("finish_flow", at3);
    expect(reply).toMatchObject({ status, body: { ok: false, code, result: { applied: false } } });
    expect(reply.text).not.toContain(canary);
  });
});

describe("cancel_flow", () => {
  const requested = flowRecord({ cancelRequestedAt: 5 });
  test.each([
    ["a code", { code: "cancel_pending" }],
    ["an active child of a flow whose cancellation is requested", { flow: requested, tasks: [taskRecord()] }],
  ])("%s means that it is pending: 202", async (_name, over) => {
    await start({ cancel: () => ({ found: true, cancelled: false, flow: requested, ...over }) });
    const reply = await gateway.act("cancel_flow", { flowId: "flow-1" });
    const body = { ok: true, code: "cancel_pending", result: { found: true, cancelled: false } };
    expect(reply).toMatchObject({ status: 202, body });
    expect(reply.body).not.toHaveProperty("error");
  });

  test.each([
    [{ found: false, cancelled: false }, 404, "not_found"],
    [{ found: true, cancelled: false, flow: flowRecord({ status: "lost" }) }, 409, "terminal"],
    [{ found: true, cancelled: false, flow: flowRecord(), tasks: [taskRecord()] }, 409, "cancel_rejected"],
    [
      { found: true, cancelled: false, flow: requested, tasks: [taskRecord({ status: "lost" })] },
      409,
      "cancel_rejected",
    ],
    [{ found: true, cancelled: false }, 409, "cancel_rejected"],
    [{ found: true, cancelled: false, code: "persist_failed" }, 503, "persist_failed"],
  ])("the runtime's %o is %i %s", async (answer, status, code) => {
    await start({ get: () => undefined, cancel: async () => answer });
    expect(await gateway.act("cancel_flow", { flowId: "x" })).toMatchObject({ status, body: { ok: false, code } });
  });
});

describe("run_task", () => {
  test("a child of another session is the runtime's to refuse", async () => {
    await start({ runTask: () => ({ created: false, found: true, flow: flowRecord() }) });
    const childSessionKey = "agent:other:private";
    const reply = await gateway.act("run_task", { ...runTask, childSessionKey });
    expect(reply).toMatchObject({ status: 409, body: { code: "task_not_created", result: { created: false } } });
    expect(calls).toEqual([{ name: "runTask", input: { ...runTask, childSessionKey } }]);
    expect(reply.text).not.toContain(childSessionKey);
  });

  test.each([
    [{ found: false }, 404, "not_found"],
    [{ found: true, flow: flowRecord({ status: "cancelled", cancelRequestedAt: 5 }) }, 409, "terminal"],
    [{ found: true, flow: flowRecord({ cancelRequestedAt: 5 }) }, 409, "cancel_requested"],
    [{ found: true }, 409, "task_not_created"],
    [{ found: true, code: "persist_failed" }, 503, "persist_failed"],
    [{ found: true, code: "no such code", reason: "not found" }, 409, "task_not_created"],
  ])("the runtime's %o is %i %s", async (answer, status, code) => {
    await start({ runTask: async () => ({ created: false, ...answer }) });
    expect(await gateway.act("run_task", runTask)).toMatchObject({ status, body: { ok: false, code } });
  });
});

test("a finished flow is called finished, also where the runtime says succeeded", async () => {
  await start({ finish: () => ({ applied: true, flow: flowRecord({ status: "succeeded" }) }) });
  expect((await gateway.act("finish_flow", at3)).body.result).toMatchObject({ flow: { status: "finished" } });
});
