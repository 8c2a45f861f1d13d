import { expect, test, vi } from "vitest";
import { readBody } from "./body.ts";
import { limits } from "./limits.ts";
import { TestGateway, until } from "./server.test-support.ts";
import { boundFlows, flowRecord } from "./stub.test-support.ts";

const action = JSON.stringify({ action: "list_flows" });
const nested = (depth: number): string =>
  `{"action":"create_flow","goal":"g","stateJson":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

test("a caller that goes on dripping after its answer loses the connection", async () => {
  const gateway = await TestGateway.start();
  const connection = gateway.open();
  connection.post({ "Content-Length": 100, Authorization: "Bearer wrong" }, "{");
  await until(() => connection.statuses.includes(401));
  connection.socket.write(" ");
  gateway.clock.advance(limits.drainMs);
  await until(() => connection.closed);
  expect(gateway.clock.pending).toBe(0);
});

test("a caller that finishes its upload after a refusal keeps the connection", async () => {
  const gateway = await TestGateway.start();
  const connection = gateway.open();
  connection.post({ "Content-Length": 100, "Content-Type": "text/plain" });
  await until(() => connection.statuses.includes(415));
  connection.socket.write(" ".repeat(100));
  connection.post({ "Content-Length": action.length }, action);
  await until(() => connection.statuses.length === 2);
  expect(connection.statuses).toEqual([415, 200]);
  expect(gateway.clock.pending).toBe(0);
});

test.each([
  ["carried out", {}, 200],
  ["refused by an early check", { "Content-Type": "text/plain" }, 415],
  ["refused for its secret", { Authorization: "Bearer wrong" }, 401],
])("a body that comes with its head takes no timer when the request is %s", async (_name, headers, status) => {
  const gateway = await TestGateway.start();
  const timers = vi.spyOn(gateway.clock, "setTimeout");
  const connection = gateway.open();
  for (let answered = 1; answered <= 3; answered += 1) {
    connection.post({ "Content-Length": action.length, ...headers }, action);
    await until(() => connection.statuses.length === answered);
  }
  expect(connection.statuses).toEqual([status, status, status]);
  expect(timers).not.toHaveBeenCalled();
});

test("a body that comes with its head is 413 in chunks beyond the limit, whoever let it arrive first", async () => {
  const gateway = await TestGateway.start(boundFlows(), { limits: { ...limits, bodyBytes: 10 } });
  const connection = gateway.open();
  connection.post({ "Transfer-Encoding": "chunked" }, `b\r\n${"x".repeat(11)}\r\n0\r\n\r\n`);
  await until(() => connection.statuses.length === 1);
  expect(connection.statuses).toEqual([413]);
});

test("a body that has arrived in several chunks before it is read is read to its end", async () => {
  const gateway = await TestGateway.start(boundFlows(), {
    readBody: async (request, ...others) => {
      await until(() => request.complete);
      return readBody(request, ...others);
    },
  });
  const connection = gateway.open();
  const chunks = [action.slice(0, 10), action.slice(10)].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`);
  connection.post({ "Transfer-Encoding": "chunked" }, `${chunks.join("")}0\r\n\r\n`);
  await until(() => connection.statuses.length === 1);
  expect(connection.statuses).toEqual([200]);
});

test.each([
  ["a number that no double holds", '{"action":"create_flow","goal":"g","stateJson":[1e999]}'],
  ["one level of nesting too many", nested(limits.jsonDepth + 1)],
  ["100,000 levels of nesting", nested(100_000)],
])("%s is 400 invalid_request", async (_name, body) => {
  const gateway = await TestGateway.start();
  const reply = await gateway.send({ body });
  expect(reply).toMatchObject({ status: 400, body: { ok: false, code: "invalid_request", result: {} } });
  expect(gateway.stub.log).toEqual([]);
});

test("a byte order mark is ignored, and nesting up to the limit passes", async () => {
  const gateway = await TestGateway.start();
  for (const body of [`\uFEFF${action}`, nested(limits.jsonDepth)])
    expect((await gateway.send({ body })).status).toBe(200);
});

test("a lone surrogate is taken and comes back as it was sent", async () => {
  const gateway = await TestGateway.start(boundFlows({ tryCreateManaged: ({ goal }) => flowRecord({ goal }) }));
  const reply = await gateway.send({ body: '{"action":"create_flow","goal":"\\ud800"}' });
  expect(reply.body.result).toMatchObject({ flow: { goal: "\ud800" } });
});
