import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { MockOptions } from "./mock.ts";
import { createWebhooksHandlers } from "./msw.ts";
import { createWebhooksDispatcher } from "./undici.ts";
import { closeWays, ways, type Way } from "./ways.test-support.ts";

const demo = "/plugins/webhooks/demo";
const routes: MockOptions["routes"] = {
  demo: { sessionKey: "session:demo", secret: "correct-horse" },
  cold: { sessionKey: "session:cold", secret: { source: "env", provider: "default", id: "NONE" } },
};

interface Flow {
  flowId: string;
  revision: number;
}
interface Envelope {
  ok: boolean;
  code?: string;
  result: { flow?: Flow; flows?: Flow[]; task?: { taskId: string }; cancelled?: boolean };
}

afterEach(closeWays);

type Headers = Record<string, string>;
const send = async (
  { mock, fetch }: Way,
  path: string,
  more: { method?: string; body?: string; headers?: Headers } = {},
) => {
  const headers = { "content-type": "application/json", authorization: "Bearer correct-horse", ...more.headers };
  const answer = await fetch(`${mock.baseUrl}${path}`, { method: "POST", ...more, headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};
const post = async (way: Way, body: object, headers: Headers = {}, path = demo) => {
  const { text, ...answer } = await send(way, path, { body: JSON.stringify(body), headers });
  return { ...answer, answer: JSON.parse(text) as Envelope };
};
const created = async (way: Way) => {
  const { status, answer } = await post(way, { action: "create_flow", goal: "a goal" });
  expect([status, answer.ok]).toEqual([200, true]);
  return answer.result.flow as Flow;
};

describe.each(ways)("the mock for $name", ({ open }) => {
  test("refuses a wrong secret, a cold route, a wrong type and an unknown path as the gateway does", async () => {
    const way = open({ routes });
    const list = { action: "list_flows" };
    expect((await post(way, list, { authorization: "Bearer wrong" })).status).toBe(401);
    expect(await post(way, list, {}, "/plugins/webhooks/cold")).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
    expect((await post(way, list, { "content-type": "text/plain" })).status).toBe(415);
    expect((await send(way, demo, { method: "GET" })).status).toBe(405);
    expect((await send(way, "/elsewhere", { body: "{}" })).status).toBe(404);
    expect(way.mock.received.map(({ route, status, code }) => [route, status, code])).toEqual([
      ["demo", 401, "unauthorized"],
      ["cold", 401, "unauthorized"],
      ["demo", 415, "unsupported_media_type"],
      ["demo", 405, "method_not_allowed"],
      [undefined, 404, undefined],
    ]);
  });

  test("answers 202 while a child is active, and the flow is cancelled when it has ended", async () => {
    const way = open({ routes });
    const { flowId } = await created(way);
    const run = await post(way, { action: "run_task", flowId, runtime: "acp", task: "dig", status: "running" });
    const taskId = run.answer.result.task?.taskId ?? "";
    expect(await post(way, { action: "cancel_flow", flowId })).toMatchObject({
      status: 202,
      answer: { ok: true, result: { cancelled: false } },
    });
    way.mock.settle({ flowId, taskId, status: "succeeded" });
    const { answer } = await post(way, { action: "get_flow", flowId });
    expect(answer.result.flow).toMatchObject({ status: "cancelled" });
    expect(() => way.mock.settle({ flowId, taskId: "none", status: "failed" })).toThrow("no task none");
  });

  test("gives a forced outcome once, to the request it is for", async () => {
    const way = open({ routes });
    way.mock.forceOnce("rate_limited", { action: "create_flow" });
    way.mock.forceOnce({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad Gateway</h1>" });
    // Refused before its action, so it uses up no outcome.
    await post(way, {}, { authorization: "Bearer wrong" });
    expect(await send(way, demo, { body: '{"action":"list_flows"}' })).toMatchObject({
      status: 502,
      text: "<h1>Bad Gateway</h1>",
      headers: { "content-type": "text/html" },
    });
    const create = { action: "create_flow", goal: "again" };
    expect(await post(way, create)).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect((await post(way, create)).status).toBe(200);
    expect(way.mock.received.map(({ forced }) => forced)).toEqual([undefined, true, true, undefined]);
  });

  test("drops a request, or only its answer", async () => {
    const way = open({ routes });
    for (const outcome of ["no_answer", "lost_answer"] as const) {
      way.mock.forceOnce(outcome);
      await expect(post(way, { action: "create_flow", goal: outcome })).rejects.toThrow();
    }
    const { answer } = await post(way, { action: "list_flows" });
    expect(answer.result.flows).toMatchObject([{ goal: "lost_answer" }]);
    expect(way.mock.received.map(({ status }) => status)).toEqual([undefined, undefined, 200]);
  });

  test("gives a forced code the result of a real one", async () => {
    const way = open({ routes });
    const { flowId, revision } = await created(way);
    const forced = async (code: string, body: object) => {
      way.mock.forceOnce(code as "terminal");
      return (await post(way, { flowId, ...body })).answer;
    };
    const resultOf = async (code: string, body: object) => (await forced(code, body)).result;
    const change = { action: "finish_flow", expectedRevision: revision };
    const task = { action: "run_task", runtime: "acp", task: "dig" };
    const cancel = { action: "cancel_flow" };
    const flow = { flowId, revision, status: "queued" };
    const stale = { ...change, flowId, expectedRevision: revision + 1 };
    expect(await forced("revision_conflict", change)).toEqual((await post(way, stale)).answer);
    expect(await resultOf("persist_failed", change)).toMatchObject({ applied: false, current: flow });
    expect(await resultOf("not_found", change)).toEqual({ applied: false });
    expect(await resultOf("create_rejected", { action: "create_flow", goal: "a goal" })).toEqual({ created: false });
    expect(await resultOf("cancel_requested", task)).toMatchObject({ created: false, found: true, flow });
    expect(await resultOf("not_found", task)).toEqual({ created: false, found: false });
    expect(await resultOf("cancel_pending", cancel)).toMatchObject({
      found: true,
      cancelled: false,
      flow: { ...flow, cancelRequestedAt: expect.any(Number) as unknown },
      tasks: [],
    });
    expect(await resultOf("terminal", cancel)).toMatchObject({ found: true, cancelled: false, flow });
    expect(await resultOf("internal_error", change)).toEqual({});
    // The current revision is one that applies.
    expect((await post(way, { ...change, flowId })).status).toBe(200);
  });

  test("gives any code with its status and the whole envelope", async () => {
    const way = open({ routes });
    const statusOf = { not_managed: 409, persist_failed: 503, cancel_pending: 202, unauthorized: 401, terminal: 409 };
    for (const [code, status] of Object.entries(statusOf)) {
      way.mock.forceOnce(code as "terminal");
      const { answer, ...given } = await post(way, { action: "list_flows" });
      expect({ ...given, answer }).toMatchObject({ status, answer: { code, ok: status === 202, routeId: "demo" } });
    }
  });

  test("tells what was received, without a secret", async () => {
    const way = open({ routes, product: "Acme", clock: "driven" });
    const body = { action: "create_flow", goal: "a goal" };
    await post(way, body, { "x-trace": "1" });
    await way.mock.advance(1000);
    await post(way, body, { authorization: "", "x-acme-webhook-secret": "correct-horse" });
    const [first, second] = way.mock.received;
    expect(first).toMatchObject({ method: "POST", path: demo, route: "demo", body, status: 200 });
    expect(first?.headers).toMatchObject({ "x-trace": "1", authorization: "Bearer [hidden]" });
    expect(second).toMatchObject({ status: 200, headers: { "x-acme-webhook-secret": "[hidden]" } });
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(1000);
    expect(JSON.stringify(way.mock.received)).not.toContain("correct-horse");
  });

  test("keeps the time of the test runner's fake timers", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const way = open({ routes });
    for (let sent = 0; sent < 120; sent += 1) await post(way, { action: "list_flows" });
    expect((await post(way, { action: "list_flows" })).status).toBe(429);
    vi.advanceTimersByTime(60_000);
    expect((await post(way, { action: "list_flows" })).status).toBe(200);
  });

  test("starts with seeded flows, fails to persist on demand, and forgets all at a reset", async () => {
    const way = open({ routes, baseUrl: "https://gateway.example:8443/base/" });
    expect(way.mock.baseUrl).toBe("https://gateway.example:8443/base");
    const { flowId } = way.mock.seed({ route: "demo", status: "waiting" });
    way.mock.failPersistence(["update"]);
    const resume = { action: "resume_flow", flowId, expectedRevision: 0 };
    expect(await post(way, resume)).toMatchObject({ status: 503, answer: { code: "persist_failed" } });
    way.mock.failPersistence([]);
    expect((await post(way, resume)).status).toBe(200);
    way.mock.forceOnce("terminal");
    way.mock.reset();
    expect(way.mock.received).toEqual([]);
    expect((await post(way, { action: "list_flows" })).answer.result.flows).toEqual([]);
  });
});

const mine = () => createWebhooksHandlers({ routes });

test.each<[string, () => unknown, string]>([
  ["a route without a secret", () => createWebhooksHandlers({ routes: { a: { sessionKey: "s" } as never } }), "secret"],
  [
    "an option that is none",
    () => createWebhooksHandlers({ routes, baseURL: "http://a.test" } as never),
    'no option "baseURL", expected one of: routes, baseUrl, product, clock; did you mean "baseUrl"?',
  ],
  [
    "an option of the undici mock that is none",
    () => createWebhooksDispatcher({ routes, clok: "driven" } as never),
    'no option "clok", expected one of: routes, baseUrl, product, clock; did you mean "clock"?',
  ],
  ["a mock without options", () => createWebhooksHandlers(undefined as never), "there are no routes, expected {"],
  ["a mock without routes", () => createWebhooksHandlers({} as never), "there are no routes, expected {"],
  ["a mock with no route", () => createWebhooksDispatcher({ routes: {} }), "there are no routes, expected {"],
  ["a base URL that is none", () => createWebhooksHandlers({ routes, baseUrl: "gateway" }), "expected an http"],
  ["a clock of another kind", () => createWebhooksHandlers({ routes, clock: "fake" as never }), "real or driven"],
  ["an outcome that is none", () => mine().forceOnce("sulk" as never), "lost_answer"],
  ["a status that is none", () => mine().forceOnce({ status: 99 }), "from 200 to 599"],
  ["a header's name that is none", () => mine().forceOnce({ status: 502, headers: { "a b": "1" } }), "cannot be sent"],
  ["a header of two lines", () => mine().forceOnce({ status: 502, headers: { a: "1\r\nb: 2" } }), "cannot be sent"],
  ["a filter that is none", () => mine().forceOnce("terminal", { acton: "get_flow" } as never), "of: route, action"],
  [
    "an action that is none",
    () => mine().forceOnce("terminal", { action: "get_flows" }),
    "expected one of: create_flow",
  ],
  ["a flow's field that is none", () => mine().seed({ route: "demo", stauts: "failed" } as never), '"stauts"'],
  ["a flow's status that is none", () => mine().seed({ route: "demo", status: "done" as never }), "one of: queued"],
  [
    "a task's status that is none",
    () => mine().settle({ flowId: "f", taskId: "t", status: "finished" as never }),
    "one of: queued, running, succeeded",
  ],
  ["a kind of write that is none", () => mine().failPersistence(["updates" as never]), "create, update, task, cancel"],
  ["an unknown route", () => mine().forceOnce("terminal", { route: "demos" }), "expected one of: demo, cold"],
])("%s is refused with what is expected", (_, wrong, message) => expect(wrong).toThrow(message));

test("real time cannot be advanced", async () => {
  await expect(mine().advance(1)).rejects.toThrow('clock: "driven"');
});
