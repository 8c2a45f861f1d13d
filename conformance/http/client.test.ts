import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import {
  chunked,
  validRequest,
  withAnotherHeader,
  withBody,
  withHeader,
  withMethod,
  withPath,
} from "../interface/request.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { Client } from "./client.ts";

const request = validRequest({ path: "/plugins/webhooks/a", secret: "s" }, { action: "list_flows" });
const home = "127.0.0.1";
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
const answers = () => scripted((socket) => void socket.write(ok));

test("method, path and headers go over the wire as they are written", async () => {
  const server = await answers();
  const client = new Client(server.origin, 5000);
  const odd = withAnotherHeader(withHeader(request, "X-One", "a"), "X-One", "b");
  await client.send(withMethod(withPath(odd, "//plugins/../webhooks/%61?a=%20&b={x}"), "PATCH"), home);
  await client.close();
  const [line, ...headers] = server.received().split("\r\n");
  expect(line).toBe("PATCH //plugins/../webhooks/%61?a=%20&b={x} HTTP/1.1");
  expect(headers).toEqual(expect.arrayContaining(["X-One: a", "X-One: b", "content-type: application/json"]));
  expect(headers).toContain(`content-length: ${request.body.byteLength}`);
});

test("a chunked body has no length, and arrives whole", async () => {
  const server = await answers();
  const client = new Client(server.origin, 5000);
  const body = "b".repeat(40_000);
  await client.send(chunked(withBody(request, body)), home);
  await client.close();
  const received = server.received();
  expect(received).toContain("transfer-encoding: chunked");
  expect(received).not.toContain("content-length");
  const [, sent = ""] = received.split(/\r\n\r\n(.*)/s);
  expect(sent.replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, "")).toBe(`${body}\r\n`);
});

test("each request comes from the address that was asked for", async () => {
  const connections: (string | undefined)[] = [];
  const server = createServer((_request, response) => void response.end("{}")).listen(0, home);
  server.on("connection", (socket) => connections.push(socket.remoteAddress));
  await once(server, "listening");
  const client = new Client(`http://${home}:${(server.address() as AddressInfo).port}`, 5000);
  for (const from of [home, "127.77.0.1", "127.77.0.2"]) expect((await client.send(request, from)).from).toBe(from);
  expect(connections).toEqual([home, "127.77.0.1", "127.77.0.2"]);
  server.close();
  await client.close();
});

test("an answer that comes before the body was taken is kept", async () => {
  const refusal = "HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
  const server = await scripted((socket) => socket.pause().write(refusal));
  const client = new Client(server.origin, 5000);
  const exchange = await client.send(withBody(request, new Uint8Array(8 * 1024 * 1024)), home);
  await client.close();
  expect(exchange.answer?.status).toBe(413);
});

test("a request that cannot be sent at all is a fault, not a crash", async () => {
  const server = await answers();
  const client = new Client(server.origin, 5000);
  const exchange = await client.send(withHeader(request, "x-bad", "a\r\nb: c"), home);
  await client.close();
  expect(exchange).toMatchObject({ fault: "not sent: HTTP has no form for it" });
  expect(server.received()).toBe("");
});

test("closing breaks off what is under way", async () => {
  const server = await scripted(() => {});
  const client = new Client(server.origin, 5000);
  const pending = client.send(request, home);
  while (server.received() === "") await new Promise((wake) => setImmediate(wake));
  await client.close();
  expect((await pending).fault).toBe("not answered: the run is over");
});

test.each([
  ["one answer", ok, 0],
  ["an answer that is sent twice", ok.repeat(2), 1],
  ["an answer with more bytes than it says", `${ok}{}`, 1],
])("%s: bytes behind it are told", async (_, bytes, times) => {
  const server = await scripted((socket) => void socket.end(bytes));
  const client = new Client(server.origin, 5000);
  let told = 0;
  const closed = new Promise<void>((resolve) => (client.onSurplus = () => resolve(void (told += 1))));
  const { answer } = await client.send(request, home);
  expect(answer?.status).toBe(200);
  if (times > 0) await closed;
  await client.close();
  expect(told).toBe(times);
});
