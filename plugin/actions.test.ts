import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { actions } from "./actions/index.ts";
import type { BoundFlows, FlowRecord } from "./ports.ts";
import { TestGateway, sessionKey } from "./server.test-support.ts";
import { boundFlows, canary, flowRecord, taskRecord } from "./stub.test-support.ts";
import type { FlowsCall } from "./stub.test-support.ts";

let gateway: TestGateway;
let calls: FlowsCall[];
beforeEach(() => (calls = []));
afterEach(() => gateway.stop());

const start = async (over: Partial<BoundFlows> = {}): Promise<void> => {
  gateway = await TestGateway.start(boundFlows(over, calls));
};
const at3 = { flowId: "flow-1", expectedRevision: 3 };
const runTask = { flowId: "flow-1", runtime: "acp", task: "pack" };

describe("what is sent", () => {
  test("every action's name is in the table once, in the specification's order", async () => {
    await start();
    const reply = await gateway.act("no such action");
    const names = actions.map(({ name }) => name);
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request", result: {} } });
    expect(reply.body.error).toBe(`action: expected one of ${names.join(", ")}.`);
    expect(names).toHaveLength(13);
  });

  test.each([
    ["create_flow", {}, "goal"],
    ["create_flow", { goal: "g", controllerId: null }, "controllerId"],
    ["finish_flow", { flowId: "f", expectedRevision: 1.5 }, "expectedRevision"],
    ["finish_flow", { flowId: "f", expectedRevision: 1e300 }, "expectedRevision"],
    ["run_task", { ...runTask, startedAt: 1 }, "startedAt"],
  ])("%s with %o is invalid and the field is named", async (action, fields, field) => {
    await start();
    const { status, body } = await gateway.act(action, fields);
    expect({ status, code: body.code, result: body.result }).toEqual({
      status: 400,
      code: "invalid_request",
      result: {},
    });
    expect(body.error).toMatch(new RegExp(`^${field}: (expected|needs) `));
    expect(calls).toEqual([]);
  });

  test.each(actions.map(({ name }) => name))(
    "%s refuses a field it does not have, without repeating it",
    async (name) => {
      await start();
      for (const field of [`"${canary}":1`, '"__proto__":{}', '"constructor":1', '"ownerKey":"x"']) {
        const reply = await gateway.send({ body: `{"action":"${name}",${field}}` });
        expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request" } });
        expect(reply.body.error).toContain(`${name} takes no other fields than action`);
        expect(reply.text).not.toMatch(/CANARY|__proto__|constructor|ownerKey/);
      }
    },
  );

  test("strings are trimmed, null clears, and the route's controller is the default", async () => {
    await start();
    await gateway.act("create_flow", { goal: " g ", currentStep: null, stateJson: null, status: "queued" });
    await gateway.act("create_flow", { goal: "g", controllerId: " mine " });
    await gateway.act("set_waiting", { ...at3, blockedSummary: null, waitJson: [1] });
    expect(calls.filter(({ name }) => name !== "get").map(({ input }) => input)).toEqual([
      { controllerId: "webhooks/orders", goal: "g", currentStep: null, stateJson: null, status: "queued" },
      { controllerId: "mine", goal: "g" },
      { ...at3, blockedSummary: null, waitJson: [1] },
    ]);
  });
});

describe("reads", () => {
  const scattered = Array.from({ length: 150 }, (_, index) => flowRecord({ createdAt: (index * 37) % 150 }));
  const large = [5, 4, 1, 3].map((createdAt) =>
    flowRecord({ createdAt, stateJson: "é".repeat(createdAt === 5 ? 600_000 : 200_000) }),
  );
  test.each([
    ["the 100 created last", scattered, Array.from({ length: 100 }, (_, index) => 149 - index)],
    ["100 as the runtime lists them", scattered.slice(0, 100), scattered.slice(0, 100).map((flow) => flow.createdAt)],
    ["at least one, if larger than a mebibyte", large, [5]],
    ["all that fit into a mebibyte", large.slice(1, 3), [4, 1]],
    ["of a mebibyte those created last", large.slice(1), [4, 3]],
  ])("list_flows shows %s", async (_, list, times) => {
    await start({ list: async () => list });
    const { flows } = (await gateway.act("list_flows")).body.result as { flows: FlowRecord[] };
    expect(flows.map(({ createdAt }) => createdAt)).toEqual(times);
  });

  test("the tasks in an answer to cancel_flow are bounded likewise", async () => {
    const tasks = [1, 2, 3].map(() => taskRecord({ task: "t".repeat(400_000) }));
    await start({ cancel: () => ({ found: true, cancelled: true, flow: flowRecord(), tasks }) });
    expect((await gateway.act("cancel_flow", { flowId: "flow-1" })).body.result["tasks"]).toHaveLength(2);
  });

  test("resolve_flow gives no flow for the session's key, whatever the runtime finds by it", async () => {
    await start({ resolve: () => flowRecord() });
    expect((await gateway.act("resolve_flow", { token: "flow-1" })).body.result).toMatchObject({
      flow: { revision: 3 },
    });
    const [guessed, wrong] = [sessionKey, "agent:main:other"].map((token) => gateway.act("resolve_flow", { token }));
    expect((await guessed)?.text).toBe((await wrong)?.text);
  });

  test("a summary shows its counts and nothing else", async () => {
    const counts = { total: 2, active: 1, terminal: 1, failures: 0, byStatus: { running: 1 }, byRuntime: { acp: 2 } };
    const stored = {
      ...counts,
      byStatus: { ...counts.byStatus, ...JSON.parse(`{"owner":"${canary}"}`) },
      ownerKey: canary,
    };
    await start({ getTaskSummary: () => stored });
    expect((await gateway.act("get_task_summary", { flowId: "x" })).body.result).toEqual({ summary: counts });
  });
});

describe("create_flow", () => {
  test.each([
    [null, 503, "persist_failed"],
    [{ created: false as const, code: "request_rejected" }, 409, "request_rejected"],
    [{ created: false as const, code: "unheard of" }, 409, "create_rejected"],
    [{ created: false as const }, 409, "create_rejected"],
  ])("the runtime's %o is %i %s", async (answer, status, code) => {
    await start({ tryCreateManaged: () => answer });
    const reply = await gateway.act("create_flow", { goal: "g" });
    expect(reply).toMatchObject({ status, body: { ok: false, code, result: { created: false } } });
  });
});
