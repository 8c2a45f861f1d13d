import { afterEach, describe, expect, test } from "vitest";
import { standardParts } from "./standard-parts.ts";
import { TestGateway, secret, sessionKey, until } from "./server.test-support.ts";
import { boundFlows, canary } from "./stub.test-support.ts";
import type { FlowsCall } from "./stub.test-support.ts";

let gateway: TestGateway;
afterEach(() => gateway.stop());

const get = { action: "get_flow", flowId: "flow-1" };

test("a correct request is answered with the whole envelope and safe headers", async () => {
  gateway = await TestGateway.start();
  const { status, headers, body } = await gateway.send({ body: get });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ok: true, routeId: "orders", result: { flow: { flowId: "flow-1", revision: 3 } } });
  expect(body).not.toHaveProperty("code");
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
});

const withHeaders = (headers: Record<string, string | undefined>) =>
  gateway.send({ headers: { authorization: undefined, ...headers }, body: get });

describe("method", () => {
  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s is 405 and says what is allowed", async (method) => {
    gateway = await TestGateway.start();
    const { status, headers, body } = await gateway.send({ method });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "POST" });
    expect(body).toEqual({
      ok: false,
      routeId: "orders",
      code: "method_not_allowed",
      error: "Only POST is allowed.",
      result: {},
    });
  });

  test("HEAD is 405 without a body", async () => {
    gateway = await TestGateway.start();
    expect(await gateway.send({ method: "HEAD" })).toMatchObject({ status: 405, text: "" });
  });
});

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

  test.each([
    "text/plain",
    "application/vnd.api+json",
    "application/jsonp",
    "json",
    "text/plain; application/json",
    "",
  ])("%s is 415", async (type) => {
    gateway = await TestGateway.start();
    const reply = await gateway.send({ headers: { "content-type": type }, body: get });
    expect(reply).toMatchObject({ status: 415, body: { code: "unsupported_media_type", routeId: "orders" } });
  });

  test("none is 415", async () => {
    gateway = await TestGateway.start();
    expect(await gateway.send({ headers: { "content-type": undefined }, body: get })).toMatchObject({ status: 415 });
  });
});

describe("rate limit", () => {
  test("the 121st request in a window is 429 and says when to come back; the next window is open", async () => {
    gateway = await TestGateway.start();
    for (let sent = 0; sent < 120; sent++) expect((await gateway.send({ body: get })).status).toBe(200);
    gateway.clock.advance(18_500);
    const refused = await gateway.send({ body: get });
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers["retry-after"]).toBe("42");
    gateway.clock.advance(41_499);
    expect((await gateway.send({ body: get })).headers["retry-after"]).toBe("1");
    gateway.clock.advance(1);
    expect((await gateway.send({ body: get })).status).toBe(200);
  });

  test("requests refused before it do not count, requests refused after it do", async () => {
    const limits = { ...standardParts.limits, requestsPerWindow: 2 };
    gateway = await TestGateway.start(boundFlows(), { limits });
    await gateway.send({ method: "GET" });
    await gateway.send({ headers: { "content-type": "text/plain" } });
    expect((await gateway.send({ headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    expect((await gateway.send({ body: "{" })).status).toBe(400);
    expect((await gateway.send({ body: get })).status).toBe(429);
  });

  test("a forwarded address or another spelling of the URL is no new caller", async () => {
    const limits = { ...standardParts.limits, requestsPerWindow: 1 };
    gateway = await TestGateway.start(boundFlows(), { limits });
    await gateway.send({ body: get });
    const again = { path: "/plugins/webhooks/orders?again", headers: { "x-forwarded-for": "10.9.8.7" }, body: get };
    expect((await gateway.send(again)).status).toBe(429);
  });
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

  test("an unauthenticated body is never read", async () => {
    const calls: FlowsCall[] = [];
    gateway = await TestGateway.start(boundFlows({}, calls));
    await withHeaders({ authorization: "Bearer wrong" });
    expect(calls).toEqual([]);
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
