import { expect, test } from "vitest";
import { standardParts } from "./standard-parts.ts";
import { TestGateway, secret, sessionKey, until } from "./server.test-support.ts";
import { boundFlows, canary } from "./stub.test-support.ts";

const get = { action: "get_flow", flowId: "flow-1" };

test("HEAD with a body still owed is answered at once", async () => {
  const gateway = await TestGateway.start();
  const connection = gateway.open();
  connection.socket.write("HEAD /plugins/webhooks/orders HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\n");
  await until(() => connection.received.endsWith("\r\n\r\n"));
  expect(connection.statuses).toEqual([405]);
});

test("Retry-After is the rest of the window in whole seconds, rounded up", async () => {
  const limits = { ...standardParts.limits, requestsPerWindow: 1 };
  const gateway = await TestGateway.start(boundFlows(), { limits });
  const retryAfter = async () => (await gateway.send({ body: get })).headers["retry-after"];
  expect(await retryAfter()).toBeUndefined();
  gateway.clock.advance(18_500);
  expect(await retryAfter()).toBe("42");
  gateway.clock.advance(41_499);
  expect(await retryAfter()).toBe("1");
});

test.each([
  { "x-service-webhook-secret": ` \t${secret} \t` },
  { authorization: "Bearer ", "x-service-webhook-secret": secret },
])("%o is let in", async (headers) => {
  const gateway = await TestGateway.start();
  expect((await gateway.send({ headers: { authorization: undefined, ...headers }, body: get })).status).toBe(200);
});

// The last byte of the second one is a no-break space in latin1.
test.each(["schlüssel", "voilà"])("%s, beyond ASCII, is matched by its UTF-8 bytes", async (beyond) => {
  const gateway = await TestGateway.start(boundFlows(), {}, { orders: { sessionKey, secret: beyond } });
  const authorization = `Bearer ${Buffer.from(beyond).toString("latin1")}`;
  expect((await gateway.send({ headers: { authorization }, body: get })).status).toBe(200);
});

const thrown: unknown = canary;
test.each([
  ["TypeError E_BROKEN", Object.assign(new TypeError(`leak ${canary}`), { code: "E_BROKEN" })],
  ["string", thrown],
])("what a runtime throws is an opaque 500, and of it only %s is logged", async (logged, error) => {
  const gateway = await TestGateway.start(boundFlows({ get: () => Promise.reject(error) }));
  const reply = await gateway.act("get_flow", { flowId: "flow-1" });
  expect(reply).toMatchObject({ status: 500, body: { code: "internal_error", error: "Internal error.", result: {} } });
  expect(gateway.stub.log).toEqual([`error webhooks: route "orders": internal error: ${logged}`]);
});

test("a plugin whose stages give no answer says 500", async () => {
  const gateway = await TestGateway.start(boundFlows(), { stages: [] });
  expect(await gateway.act("list_flows")).toMatchObject({ status: 500, body: { code: "internal_error" } });
});

test("a plugin that throws after its answer has begun closes the connection", async () => {
  const gateway = await TestGateway.start(boundFlows(), {
    writeAnswer(_request, response) {
      response.writeHead(200, { "Content-Length": 10 }).flushHeaders();
      throw new Error(canary);
    },
  });
  await expect(gateway.act("list_flows")).rejects.toThrow();
  expect(gateway.stub.log).toEqual(['error webhooks: route "orders": internal error: Error']);
});
