import { afterEach, describe, expect, test, vi } from "vitest";
import { limits } from "./limits.ts";
import { TestGateway, until } from "./server.test-support.ts";
import { boundFlows, flowRecord } from "./stub.test-support.ts";

let gateway: TestGateway;
afterEach(() => gateway.stop());

const action = JSON.stringify({ action: "list_flows" });
const padded = (bytes: number): string => action.padEnd(bytes, " ");
const nested = (depth: number): string =>
  `{"action":"create_flow","goal":"g","stateJson":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

describe("size", () => {
  test("262,144 bytes pass and one more is 413, its length declared or not", async () => {
    gateway = await TestGateway.start();
    const chunked = { "transfer-encoding": "chunked" };
    expect((await gateway.send({ body: padded(262_144) })).status).toBe(200);
    expect((await gateway.send({ body: padded(262_144), headers: chunked })).status).toBe(200);
    const over = await gateway.send({ body: padded(262_145) });
    expect(over).toMatchObject({ status: 413, body: { code: "payload_too_large", routeId: "orders", result: {} } });
    expect(over.headers.connection).toBe("close");
    expect((await gateway.send({ body: padded(262_145), headers: chunked })).status).toBe(413);
  });

  test("a declared length too large is refused before a byte of it arrives", async () => {
    gateway = await TestGateway.start();
    const connection = gateway.open();
    connection.post({ "Content-Length": 262_145 });
    await until(() => connection.received.includes("payload_too_large"));
  });

  test("a large upload is answered although its sender reads only when it has sent everything", async () => {
    gateway = await TestGateway.start();
    const connection = gateway.open();
    connection.socket.pause();
    const bytes = 8_000_000;
    connection.post({ "Content-Length": bytes });
    await new Promise((resolve) => connection.socket.write(Buffer.alloc(bytes, " "), resolve));
    connection.socket.resume();
    await until(() => connection.closed);
    expect(connection.statuses).toEqual([413]);
    expect(connection.received).toContain("payload_too_large");
  });
});

describe("time", () => {
  test("a body not whole after 15 s is 408, however steadily it drips", async () => {
    gateway = await TestGateway.start();
    const connection = gateway.open();
    connection.post({ "Content-Length": 100 }, "{");
    await until(() => gateway.clock.pending === 1);
    gateway.clock.advance(14_999);
    connection.socket.write(" ");
    expect(connection.received).toBe("");
    gateway.clock.advance(1);
    await until(() => connection.received.includes("request_timeout"));
    expect(connection.statuses).toEqual([408]);
    expect(connection.closed).toBe(false);
  });

  test("a caller that goes on dripping after its answer loses the connection", async () => {
    gateway = await TestGateway.start();
    const connection = gateway.open();
    connection.post({ "Content-Length": 100, Authorization: "Bearer wrong" }, "{");
    await until(() => connection.statuses.includes(401));
    connection.socket.write(" ");
    gateway.clock.advance(limits.drainMs);
    await until(() => connection.closed);
    expect(gateway.clock.pending).toBe(0);
  });

  test("a caller that finishes its upload after a refusal keeps the connection", async () => {
    gateway = await TestGateway.start();
    const connection = gateway.open();
    connection.post({ "Content-Length": 100, "Content-Type": "text/plain" });
    await until(() => connection.statuses.includes(415));
    connection.socket.write(" ".repeat(100));
    connection.post({ "Content-Length": action.length }, action);
    await until(() => connection.statuses.length === 2);
    expect(connection.statuses).toEqual([415, 200]);
    expect(gateway.clock.pending).toBe(0);
  });
});

describe("a body that comes with its head", () => {
  test.each([
    ["carried out", {}, 200],
    ["refused by an early check", { "Content-Type": "text/plain" }, 415],
    ["refused for its secret", { Authorization: "Bearer wrong" }, 401],
  ])("takes no timer when the request is %s", async (_name, headers, status) => {
    gateway = await TestGateway.start();
    const timers = vi.spyOn(gateway.clock, "setTimeout");
    const connection = gateway.open();
    for (let answered = 1; answered <= 3; answered += 1) {
      connection.post({ "Content-Length": action.length, ...headers }, action);
      await until(() => connection.statuses.length === answered);
    }
    expect(connection.statuses).toEqual([status, status, status]);
    expect(timers).not.toHaveBeenCalled();
  });

  test("is 413 in chunks beyond the limit, whoever let it arrive first", async () => {
    gateway = await TestGateway.start(boundFlows(), { limits: { ...limits, bodyBytes: 10 } });
    const connection = gateway.open();
    connection.post({ "Transfer-Encoding": "chunked" }, `b\r\n${"x".repeat(11)}\r\n0\r\n\r\n`);
    await until(() => connection.statuses.length === 1);
    expect(connection.statuses).toEqual([413]);
  });
});

describe("content", () => {
  test.each([
    ["an array", "[]"],
    ["bytes that are not UTF-8", Buffer.from([...Buffer.from('{"action":"'), 0xff, ...Buffer.from('"}')])],
    ["another encoding", Buffer.from(action, "utf16le")],
    ["a number that no double holds", '{"action":"create_flow","goal":"g","stateJson":[1e999]}'],
    ["one level of nesting too many", nested(limits.jsonDepth + 1)],
    ["100,000 levels of nesting", nested(100_000)],
  ])("%s is 400 invalid_request", async (_name, body) => {
    gateway = await TestGateway.start();
    const reply = await gateway.send({ body });
    expect(reply).toMatchObject({ status: 400, body: { ok: false, code: "invalid_request", result: {} } });
    expect(gateway.stub.log).toEqual([]);
  });

  test("a byte order mark is ignored", async () => {
    gateway = await TestGateway.start();
    expect((await gateway.send({ body: `\uFEFF${action}` })).status).toBe(200);
  });

  test("nesting up to the limit passes", async () => {
    gateway = await TestGateway.start();
    expect((await gateway.send({ body: nested(limits.jsonDepth) })).status).toBe(200);
  });

  test("a lone surrogate is taken and comes back as it was sent", async () => {
    gateway = await TestGateway.start(boundFlows({ tryCreateManaged: ({ goal }) => flowRecord({ goal }) }));
    const reply = await gateway.send({ body: '{"action":"create_flow","goal":"\\ud800"}' });
    expect(reply.body.result).toMatchObject({ flow: { goal: "\ud800" } });
  });
});
