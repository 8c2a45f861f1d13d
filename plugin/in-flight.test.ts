import { expect, test } from "vitest";
import { limits } from "./limits.ts";
import { createInFlightLimiter } from "./in-flight-limiter.ts";
import type { InFlightLimiter } from "./in-flight-limiter.ts";
import type { Parts } from "./contract.ts";
import { TestGateway, until } from "./server.test-support.ts";
import { boundFlows, flowRecord } from "./stub.test-support.ts";

let limiter: InFlightLimiter;

/** Captures the limiter that the plugin makes, to count its tracked keys. */
const parts: Partial<Parts> = {
  createInFlightLimiter(given) {
    limiter = createInFlightLimiter(given);
    return limiter;
  },
};

const action = JSON.stringify({ action: "list_flows" });

test.each([
  ["refused for its size", { "Content-Length": limits.bodyBytes + 1 }],
  ["not authenticated", { "Content-Length": 10, Authorization: "Bearer wrong" }],
])("a request %s frees its slot with its answer, not with its upload", async (_name, headers) => {
  const gateway = await TestGateway.start(boundFlows(), parts);
  const connection = gateway.open();
  connection.post(headers);
  await until(() => connection.statuses.length === 1);
  await until(() => limiter.trackedKeys === 0);
  expect(connection.closed).toBe(false);
});

test("pipelined requests are answered in order; cut off, those still queued free their slots", async () => {
  let finish: (() => void) | undefined;
  const slow = new Promise<null>((resolve) => (finish = () => resolve(null)));
  const gateway = await TestGateway.start(boundFlows({ get: () => slow }), parts);
  const waiting = JSON.stringify({ action: "get_flow", flowId: "flow-1" });
  const connection = gateway.open();
  connection.post({ "Content-Length": waiting.length }, waiting);
  connection.post({ "Content-Length": action.length }, action);
  connection.post({ "Content-Length": 1 }, "{");
  await until(() => gateway.handled.length === 3);
  expect(connection.received).toBe("");
  connection.socket.destroy();
  await until(() => limiter.trackedKeys === 0);
  finish?.();
  await Promise.all(gateway.handled);
});

test("a failing runtime frees its slot", async () => {
  const gateway = await TestGateway.start(boundFlows({ list: () => Promise.reject(new Error("broken")) }), parts);
  expect((await gateway.act("list_flows")).status).toBe(500);
  expect(limiter.trackedKeys).toBe(0);
});

test("an answer that nobody takes holds its slot for 30 seconds", async () => {
  const large = [flowRecord({ stateJson: "x".repeat(8_000_000) })];
  const gateway = await TestGateway.start(boundFlows({ list: () => large }), parts);
  const connection = gateway.open();
  connection.socket.pause();
  connection.post({ "Content-Length": action.length }, action);
  await until(() => gateway.clock.pending === 1);
  gateway.clock.advance(limits.answerMs - 1);
  expect(limiter.trackedKeys).toBe(1);
  gateway.clock.advance(1);
  await until(() => limiter.trackedKeys === 0);
});

test("an answer that is taken slowly ends in time, and leaves no timer", async () => {
  const large = [flowRecord({ stateJson: "x".repeat(8_000_000) })];
  const gateway = await TestGateway.start(boundFlows({ list: () => large }), parts);
  const reply = await gateway.act("list_flows");
  expect(reply.text.length).toBeGreaterThan(8_000_000);
  await until(() => limiter.trackedKeys === 0 && gateway.clock.pending === 0);
});

test("a request whose connection is closed before its turn takes no slot for good", async () => {
  const gateway = await TestGateway.start(boundFlows(), parts);
  gateway.server.prependListener("request", (request) => request.socket.destroy());
  const connection = gateway.open();
  connection.post({ "Content-Length": action.length }, action);
  await until(() => connection.closed);
  await Promise.all(gateway.handled);
  expect(limiter.trackedKeys).toBe(0);
});
