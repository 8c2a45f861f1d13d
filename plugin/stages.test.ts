import { afterEach, describe, expect, test } from "vitest";
import { standardParts } from "./standard-parts.ts";
import { TestGateway, secret, sessionKey, until } from "./server.test-support.ts";
import { boundFlows, canary } from "./stub.test-support.ts";

let gateway: TestGateway;
afterEach(() => gateway.stop());

const get = { action: "get_flow", flowId: "flow-1" };

const withHeaders = (headers: Record<string, string | undefined>) =>
  gateway.send({ headers: { authorization: undefined, ...headers }, body: get });

test("HEAD with a body still owed is answered at once", async () => {
  gateway = await TestGateway.start();
  const connection = gateway.open();
  connection.socket.write("HEAD /plugins/webhooks/orders HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\n");
  await until(() => connection.received.endsWith("\r\n\r\n"));
  expect(connection.statuses).toEqual([405]);
});

describe("content type", () => {
  test.each(["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;a=b"])(
    "%s is accepted",
    async (type) => {
      gateway = await TestGateway.start();
      expect(await gateway.send({ headers: { "content-type": type }, body: get })).toMatchObject({ status: 200 });
    },
  );
});

test("Retry-After is the rest of the window in whole seconds, rounded up", async () => {
  const limits = { ...standardParts.limits, requestsPerWindow: 1 };
  gateway = await TestGateway.start(boundFlows(), { limits });
  const retryAfter = async () => (await gateway.send({ body: get })).headers["retry-after"];
  expect(await retryAfter()).toBeUndefined();
  gateway.clock.advance(18_500);
  expect(await retryAfter()).toBe("42");
  gateway.clock.advance(41_499);
  expect(await retryAfter()).toBe("1");
});

describe("authentication", () => {
  test.each([
    { authorization: `Bearer ${secret}` },
    { authorization: `bEARER  ${secret}` },
    { "x-service-webhook-secret": secret },
    { "x-service-webhook-secret": ` \t${secret} \t` },
    { authorization: "Basic abc", "x-service-webhook-secret": secret },
    { authorization: "Bearer ", "x-service-webhook-secret": secret },
    { authorization: `Bearer ${secret}`, "x-service-webhook-secret": "wrong" },
  ])("%o is let in", async (headers) => {
    gateway = await TestGateway.start();
    expect((await withHeaders(headers)).status).toBe(200);
  });

  const refusals = [
    {},
    { authorization: "Bearer wrong" },
    { authorization: "Bearer" },
    { authorization: `Bearer ${secret}x` },
    { authorization: secret },
    { authorization: `Basic ${secret}` },
    { "x-service-webhook-secret": "" },
    { "x-other-webhook-secret": secret },
    { authorization: "Bearer wrong", "x-service-webhook-secret": secret },
  ];

  test("every failure, on a live route or an inactive one, has one answer", async () => {
    const ref = { source: "env", provider: "default", id: "MISSING" };
    const cold = { path: "/cold", sessionKey, secret: ref };
    gateway = await TestGateway.start(boundFlows(), {}, { orders: { sessionKey, secret }, cold });
    const answers = new Set<string>();
    for (const headers of refusals) {
      const { status, headers: got, body } = await withHeaders(headers);
      answers.add(JSON.stringify([status, got["www-authenticate"], body.code, body.error, body.result]));
    }
    const { status, headers, body } = await gateway.send({ path: "/cold", body: get });
    expect(body.routeId).toBe("cold");
    answers.add(JSON.stringify([status, headers["www-authenticate"], body.code, body.error, body.result]));
    expect([...answers]).toEqual([JSON.stringify([401, "Bearer", "unauthorized", "Authentication failed.", {}])]);
  });

  // The last byte of the second one is a no-break space in latin1.
  test.each(["schlüssel", "voilà"])("%s, beyond ASCII, is matched by its UTF-8 bytes", async (beyond) => {
    gateway = await TestGateway.start(boundFlows(), {}, { orders: { sessionKey, secret: beyond } });
    const authorization = `Bearer ${Buffer.from(beyond).toString("latin1")}`;
    // node's client sends the head as latin1 only when the body is no string.
    const body = Buffer.from(JSON.stringify(get));
    expect((await gateway.send({ headers: { authorization }, body })).status).toBe(200);
  });
});

const broken = (): never => {
  throw Object.assign(new TypeError(`leak ${canary}`), { code: "E_BROKEN" });
};

test("what a stage throws is an opaque 500 and its message is not logged", async () => {
  gateway = await TestGateway.start(boundFlows({ get: broken }));
  const reply = await gateway.act("get_flow", { flowId: "flow-1" });
  expect(reply).toMatchObject({ status: 500, body: { code: "internal_error", error: "Internal error.", result: {} } });
  expect(gateway.stub.log).toEqual(['error webhooks: route "orders": internal error: TypeError E_BROKEN']);
});

test("a plugin whose stages give no answer says 500", async () => {
  gateway = await TestGateway.start(boundFlows(), { stages: [] });
  expect(await gateway.act("list_flows")).toMatchObject({ status: 500, body: { code: "internal_error" } });
});

test("a plugin that throws after its answer has begun closes the connection", async () => {
  gateway = await TestGateway.start(boundFlows(), {
    writeAnswer(_request, response) {
      response.writeHead(200, { "Content-Length": 10 }).flushHeaders();
      throw new Error(canary);
    },
  });
  await expect(gateway.act("list_flows")).rejects.toThrow();
  expect(gateway.stub.log).toEqual(['error webhooks: route "orders": internal error: Error']);
});

test("a runtime that throws something other than an Error is a 500 as well", async () => {
  const thrown: unknown = canary;
  gateway = await TestGateway.start(boundFlows({ get: () => Promise.reject(thrown) }));
  expect((await gateway.act("get_flow", { flowId: "flow-1" })).status).toBe(500);
  expect(gateway.stub.log).toEqual(['error webhooks: route "orders": internal error: string']);
});
