import { once } from "node:events";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDrivenClock, type DrivenClock } from "./clock.ts";
import { startControl, type Control } from "./control.ts";
import { StartError } from "./errors.ts";
import { createManagedFlows, type ManagedFlowsFake } from "./managed-flows.ts";

let time: DrivenClock;
let flows: ManagedFlowsFake;
let control: Control;

beforeEach(async () => {
  time = createDrivenClock(1_000);
  flows = createManagedFlows({ clock: time.clock });
  control = await startControl({ port: 0, flows, logs: () => ["a line"], drivenClock: time });
});
afterEach(() => control.close());

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const sent = request(`${control.url}${path}`, { method, headers, agent: false });
  sent.end(typeof body === "string" ? body : JSON.stringify(body));
  const [response] = await once(sent, "response");
  return { status: Number(response.statusCode), allow: response.headers.allow, body: await json(response) };
};
const answered = (body: unknown) => ({ status: 200, allow: undefined, body });

test("the clock is advanced, and answers after what fell due has run", async () => {
  let ran = false;
  time.clock.setTimeout(() => {
    ran = true;
  }, 60_000);
  expect(await call("POST", "/clock/advance", { ms: 60_000 })).toEqual(answered({ now: 61_000 }));
  expect(ran).toBe(true);
  expect(await call("POST", "/clock/advance", { ms: 0 })).toEqual(answered({ now: 61_000 }));
});

test.each([-1, 1.5, 86_400_000_001, "1", null])("the clock refuses %j milliseconds", async (ms) => {
  expect(await call("POST", "/clock/advance", { ms })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^ms: /) },
  });
  expect(time.clock.now()).toBe(1_000);
});

test("a plugin that has polluted Object.prototype leaves the control port as it was", async () => {
  Object.assign(Object.prototype, { planted: 1 });
  try {
    expect(await call("POST", "/persistence", { fail: ["create"] })).toEqual(answered({ fail: ["create"] }));
  } finally {
    Reflect.deleteProperty(Object.prototype, "planted");
  }
});

test("a clock that is real is not declared and not found", async () => {
  await control.close();
  control = await startControl({ port: 0, flows, logs: () => [] });
  expect(await call("GET", "/capabilities")).toMatchObject({
    body: { capabilities: ["children", "persistence", "sessions", "logs"] },
  });
  expect(await call("POST", "/clock/advance", { ms: 1 })).toMatchObject({
    status: 404,
    body: { error: "the clock is real: start with --clock driven" },
  });
});

test("the clock reports a timer that threw", async () => {
  time.clock.setTimeout(() => {
    throw new Error("boom");
  }, 1);
  expect(await call("POST", "/clock/advance", { ms: 1 })).toMatchObject({
    status: 500,
    body: { error: "Error: boom" },
  });
});

test("a reload sets and removes variables, and tells a refusal from a fault", async () => {
  const asked: unknown[] = [];
  await control.close();
  control = await startControl({
    port: 0,
    flows,
    logs: () => [],
    reload: async (environment) => {
      asked.push(environment);
      if ("BAD" in environment) throw new StartError("a bad route");
      if ("WORSE" in environment) throw new Error("a slip");
    },
  });
  expect(await call("GET", "/capabilities")).toMatchObject({
    body: { capabilities: ["children", "persistence", "sessions", "logs", "reload"] },
  });
  expect(await call("POST", "/reload", { environment: { A: "1", B: null } })).toEqual(answered({}));
  expect(await call("POST", "/reload", { environment: { BAD: "1" } })).toEqual(answered({ refused: "a bad route" }));
  expect(await call("POST", "/reload", { environment: { WORSE: "1" } })).toMatchObject({ status: 500 });
  expect(await call("POST", "/reload", { environment: { A: 1 } })).toMatchObject({ status: 400 });
  expect(asked[0]).toEqual({ A: "1", B: null });
});

test("a reload is not declared and not found where the configuration comes from no file", async () => {
  expect(await call("POST", "/reload", { environment: {} })).toMatchObject({ status: 404 });
});

test("a task is settled, an unknown one is not found", async () => {
  const session = flows.runtime.bindSession({ sessionKey: "s:a" });
  const { flowId } = session.createManaged({ goal: "g", controllerId: "c" });
  const result = session.runTask({ flowId, runtime: "acp", task: "t" });
  const taskId = result.created ? result.task.taskId : "";
  expect(await call("POST", "/tasks/settle", { flowId, taskId, status: "timed_out" })).toEqual(answered({}));
  expect(session.getTaskSummary(flowId)?.byStatus).toMatchObject({ timed_out: 1 });
  expect(await call("POST", "/tasks/settle", { flowId, taskId: "none", status: "lost" })).toMatchObject({
    status: 404,
  });
});

const creates = () =>
  flows.runtime.bindSession({ sessionKey: "s:a" }).tryCreateManaged({ goal: "g", controllerId: "c" }) !== null;

test.each([
  ["/tasks/settle", { flowId: "f", taskId: "t", status: "done" }, "status: "],
  ["/tasks/settle", {}, "flowId: "],
  ["/persistence", { fail: ["everything"] }, "fail.0: "],
  ["/persistence", { fail: [], more: 1 }, "the body: "],
  ["/flows/seed", { sessionKey: "" }, "sessionKey: "],
  ["/flows/seed", [], "the body: "],
  ["/flows/seed", "", "the body: expected JSON"],
  ["/flows/seed", "{", "the body: expected JSON"],
  ["/flows/seed", JSON.stringify({ sessionKey: "x".repeat(65_536) }), "the body: expected at most 65536 bytes"],
])("%s refuses %j", async (path, body, begins) => {
  const answer = await call("POST", path, body);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect(JSON.stringify(answer.body)).toContain(`{"error":"${begins}`);
});

test("an unknown call gets the list of calls, a wrong method the expected one", async () => {
  const { status, body } = await call("GET", "/nothing");
  expect(status).toBe(404);
  expect(JSON.stringify(body)).toContain("expected one of /capabilities, /left, /logs, /printed, /clock/advance");
  expect(await call("GET", "/flows/seed")).toEqual({
    status: 405,
    allow: "POST",
    body: { error: "method: expected POST" },
  });
  expect(await call("POST", "/logs", {})).toMatchObject({ status: 405, allow: "GET" });
});

test("with a token, a call without it changes nothing and learns nothing", async () => {
  await control.close();
  control = await startControl({ port: 0, token: "t0k3n", flows, logs: () => ["a line"], drivenClock: time });
  for (const authorization of ["", "t0k3n", "Bearer t0k3", "Bearer t0k3n2", "Basic t0k3n", "bearer t0k3n"]) {
    const headers = authorization === "" ? {} : { authorization };
    for (const [method, path, body] of [
      ["GET", "/logs", undefined],
      ["POST", "/persistence", { fail: ["create"] }],
      ["POST", "/nothing", {}],
    ] as const)
      expect(await call(method, path, body, headers), authorization).toEqual({
        status: 401,
        allow: undefined,
        body: { error: "Authorization: expected Bearer and the token of WEBHOOKS_CONTROL_TOKEN" },
      });
  }
  expect(creates()).toBe(true);
  const right = { authorization: "Bearer t0k3n" };
  expect(await call("GET", "/logs", undefined, right)).toEqual(answered({ lines: ["a line"] }));
});

test.each(["localhost", "localhost:80", "127.9.8.7:1", "[::1]:2"])("Host %s is served", async (host) => {
  expect(await call("GET", "/logs", undefined, { host })).toMatchObject({ status: 200 });
});

const pages = [{ host: "evil.example" }, { host: "127.0.0.1.evil.example" }, { origin: "https://evil.example" }];
test.each(pages)("a request with %j is refused, for it comes from a page", async (headers) => {
  expect(await call("POST", "/persistence", { fail: ["create"] }, headers)).toMatchObject({ status: 403 });
  expect(creates()).toBe(true);
});
