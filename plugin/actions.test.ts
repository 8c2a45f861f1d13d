import { beforeEach, expect, test } from "vitest";
import { actions } from "./actions/index.ts";
import type { BoundFlows, FlowRecord } from "./ports.ts";
import { TestGateway, sessionKey } from "./server.test-support.ts";
import { boundFlows, canary, flowRecord, taskRecord } from "./stub.test-support.ts";
import type { FlowsCall } from "./stub.test-support.ts";

let gateway: TestGateway;
let calls: FlowsCall[];
beforeEach(() => (calls = []));

const start = async (over: Partial<BoundFlows> = {}): Promise<void> => {
  gateway = await TestGateway.start(boundFlows(over, calls));
};
const at3 = { flowId: "flow-1", expectedRevision: 3 };
const runTask = { flowId: "flow-1", runtime: "acp", task: "pack" };

test.each([
  ["no such action", {}, "action"],
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

test.each(actions)("$name refuses a field it does not have, without repeating it", async ({ name }) => {
  await start();
  for (const field of [`"${canary}":1`, '"__proto__":{}', '"constructor":1', '"ownerKey":"x"']) {
    const reply = await gateway.send({ body: `{"action":"${name}",${field}}` });
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(reply.body.error).toContain(`${name} takes no other fields than action`);
    expect(reply.text).not.toMatch(/CANARY|__proto__|constructor|ownerKey/);
  }
});

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

test.each(["finished", "succeeded", "failed", "cancelled", "lost"])("a %s flow cannot be changed", async (status) => {
  await start({ get: () => flowRecord({ status }) });
  for (const action of ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"]) {
    expect(await gateway.act(action, at3)).toMatchObject({ status: 409, body: { code: "terminal" } });
  }
});

const requested = flowRecord({ cancelRequestedAt: 5 });
const lost = taskRecord({ status: "lost" });
const tasks = [taskRecord()];
type Row = [method: string, answer: object | null, status: number, code: string];
test.each<Row>([
  ["tryCreateManaged", null, 503, "persist_failed"],
  ["tryCreateManaged", { created: false, code: "request_rejected" }, 409, "request_rejected"],
  ["tryCreateManaged", { created: false, code: "unheard of" }, 409, "create_rejected"],
  ["tryCreateManaged", { created: false }, 409, "create_rejected"],
  ["finish", { applied: false, code: "revision_conflict", current: flowRecord() }, 409, "revision_conflict"],
  ["finish", { applied: false, code: "not_managed" }, 409, "not_managed"],
  ["finish", { applied: false, code: "not_found" }, 404, "not_found"],
  ["finish", { applied: false, code: "persist_failed" }, 503, "persist_failed"],
  ["finish", { applied: false, code: "cancel_pending" }, 409, "mutation_rejected"],
  ["finish", { applied: false, code: "unauthorized" }, 409, "mutation_rejected"],
  ["finish", { applied: false, reason: "TaskFlow not found" }, 409, "mutation_rejected"],
  ["cancel", { found: false, cancelled: false }, 404, "not_found"],
  ["cancel", { found: true, cancelled: false, flow: flowRecord({ status: "lost" }) }, 409, "terminal"],
  ["cancel", { found: true, cancelled: false, flow: flowRecord(), tasks }, 409, "cancel_rejected"],
  ["cancel", { found: true, cancelled: false, flow: requested, tasks: [lost] }, 409, "cancel_rejected"],
  ["cancel", { found: true, cancelled: false }, 409, "cancel_rejected"],
  ["cancel", { found: true, cancelled: false, code: "persist_failed" }, 503, "persist_failed"],
  ["runTask", { created: false, found: false }, 404, "not_found"],
  ["runTask", { created: false, found: true, flow: { ...requested, status: "cancelled" } }, 409, "terminal"],
  ["runTask", { created: false, found: true, flow: requested }, 409, "cancel_requested"],
  ["runTask", { created: false, found: true }, 409, "task_not_created"],
  ["runTask", { created: false, found: true, code: "persist_failed" }, 503, "persist_failed"],
  ["runTask", { created: false, found: true, code: "no such code", reason: "not found" }, 409, "task_not_created"],
])("to %s with %o is %i %s", async (method, answer, status, code) => {
  const [action, fields, result, get] = asking[method as keyof typeof asking];
  await start({ get, [method]: async () => answer });
  const reply = await gateway.act(action, fields);
  expect(reply).toMatchObject({ status, body: { ok: false, code, result } });
  expect(reply.text).not.toContain(canary);
});

/** The request that leads to each call, the result of its refusal, and the flow that is read first. */
const asking = {
  tryCreateManaged: ["create_flow", { goal: "g" }, { created: false }, () => flowRecord()],
  finish: ["finish_flow", at3, { applied: false }, () => flowRecord({ syncMode: "mirrored" })],
  cancel: ["cancel_flow", { flowId: "x" }, { cancelled: false }, () => undefined],
  runTask: ["run_task", runTask, { created: false }, () => flowRecord()],
} as const;

test.each([
  ["a code", { code: "cancel_pending" }],
  ["an active child of a flow whose cancellation is requested", { flow: requested, tasks }],
])("%s means that a cancellation is pending: 202", async (_name, over) => {
  await start({ cancel: () => ({ found: true, cancelled: false, flow: requested, ...over }) });
  const reply = await gateway.act("cancel_flow", { flowId: "flow-1" });
  const body = { ok: true, code: "cancel_pending", result: { found: true, cancelled: false } };
  expect(reply).toMatchObject({ status: 202, body });
  expect(reply.body).not.toHaveProperty("error");
});

test("a child of another session is the runtime's to refuse", async () => {
  await start({ runTask: () => ({ created: false, found: true, flow: flowRecord() }) });
  const childSessionKey = "agent:other:private";
  const reply = await gateway.act("run_task", { ...runTask, childSessionKey });
  expect(reply).toMatchObject({ status: 409, body: { code: "task_not_created", result: { created: false } } });
  expect(calls).toEqual([{ name: "runTask", input: { ...runTask, childSessionKey } }]);
  expect(reply.text).not.toContain(childSessionKey);
});
