import { expect, test } from "vitest";
import { validRequest } from "../../fixtures/request.ts";
import { DirectClient } from "./direct.ts";
import type { Handler } from "./handler.ts";

const request = validRequest({ path: "/hooks/a", secret: "s" }, { action: "get_flow" });
const clientOf = (handler: Handler, timeoutMs = 5000) => {
  const log: string[] = [];
  return { client: new DirectClient(handler, timeoutMs, (text) => void log.push(text)), log };
};
const bodyOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

test("a handler sees a request of node and its answer comes back", async () => {
  const { client } = clientOf(async (message, response) => {
    const body = Buffer.concat(await message.toArray()).toString();
    const { method, url, headers, socket, complete } = message;
    response.setHeader("X-A", ["1", "2"]);
    response.writeHead(201, { "Content-Type": "application/json" });
    response.write(JSON.stringify({ method, url, from: socket.remoteAddress, complete }));
    response.end(`${headers["content-type"]} ${headers["content-length"]} ${body}`);
  });
  const { answer, from } = await client.send(request, "127.1.0.7");
  expect(from).toBe("127.1.0.7");
  expect(answer?.status).toBe(201);
  expect([...(answer?.headers ?? [])]).toEqual([
    ["x-a", ["1", "2"]],
    ["content-type", ["application/json"]],
  ]);
  expect(bodyOf(answer?.body)).toBe(
    `{"method":"POST","url":"/hooks/a","from":"127.1.0.7","complete":true}application/json 21 {"action":"get_flow"}`,
  );
});

test("what a handler throws is a 500, what it does not answer a 404", async () => {
  const { client, log } = clientOf(async () => Promise.reject(new Error("broken")));
  expect((await client.send(request, "127.1.0.1")).answer?.status).toBe(500);
  expect(log).toEqual(["the handler threw: broken"]);
  expect((await clientOf(() => false).client.send(request, "127.1.0.1")).answer?.status).toBe(404);
});

test("a handler that closes the connection, or never answers, gives no answer", async () => {
  const closed = clientOf((message) => message.socket.destroy());
  expect((await closed.client.send(request, "127.1.0.1")).fault).toBe("connection closed without a whole answer");
  const silent = clientOf(() => true, 20);
  expect((await silent.client.send(request, "127.1.0.1")).fault).toBe("no whole answer within 20 ms");
});

test("a held request is answered once its body is whole", async () => {
  const { client } = clientOf(async (message, response) => {
    const body = await message.toArray();
    response.end(String(body.length));
  });
  const call = client.hold(request, "127.1.0.1");
  expect(call.answered).toBe(false);
  expect(bodyOf((await call.finish()).answer?.body)).toBe("1");
});

test("an aborted request closes request, response and connection", async () => {
  const closed: string[] = [];
  const { client } = clientOf((message, response) => {
    message.on("close", () => closed.push("request"));
    response.on("close", () => closed.push("response"));
    message.socket.on("close", () => closed.push("connection"));
    return true;
  });
  const call = client.hold(request, "127.1.0.1");
  call.abort();
  expect((await call.exchange).fault).toBe("connection closed without a whole answer");
  await expect.poll(() => closed.toSorted()).toEqual(["connection", "request", "response"]);
});

test("requests of one client follow each other on one connection until an answer closes it", async () => {
  const sockets = new Set<unknown>();
  let closes = false;
  const { client } = clientOf((message, response) => {
    sockets.add(message.socket);
    if (closes) response.setHeader("Connection", "close");
    response.end();
  });
  await client.send(request, "127.1.0.1");
  closes = true;
  await client.send(request, "127.1.0.1");
  expect(sockets.size).toBe(1);
  await client.send(request, "127.1.0.1");
  expect(sockets.size).toBe(2);
});
