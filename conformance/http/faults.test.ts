/** What a hostile or broken server does comes out as an exchange, the same through both ways to send. */
import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { validRequest } from "../interface/request.ts";
import { drip, flood } from "../proof/hostile/hostile.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { MAX_HEADER_BYTES, TOO_MANY_INTERIM } from "./answer-reader.ts";
import { Client } from "./client.ts";
import { jsonOf, textOf, type Answer, type Exchange } from "./exchange.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_PIECES } from "./gathered.ts";
import { Connection } from "./raw.ts";
import { Upload } from "./upload.ts";
import { wireForm } from "./wire-form.ts";

const request = validRequest({ path: "/plugins/webhooks/a", secret: "s" }, { action: "list_flows" });
const from = "127.0.0.1";

type Send = (origin: string, timeoutMs: number) => Promise<Exchange>;
const ways: [string, Send][] = [
  [
    "a whole request",
    async (origin, timeoutMs) => {
      const client = new Client(origin, timeoutMs);
      const exchange = await client.send(request, from);
      await client.close();
      return exchange;
    },
  ],
  ["an upload", async (origin, timeoutMs) => (await Upload.open(origin, request, { from, timeoutMs })).finish()],
];

const write = (text: string) => (socket: Socket) => void socket.write(text, "latin1");
const end = (text: string) => (socket: Socket) => void socket.end(text, "latin1");
const head = "HTTP/1.1 200 OK\r\n";
const bounded = 400;
const none = `no whole answer within ${bounded} ms`;
const closed = "connection closed without a whole answer";
const tooMany = `more than ${MAX_HEADER_BYTES} bytes of headers`;
const notHttp = "an answer that is not HTTP";
const large = Buffer.alloc(256 * 1024, "a");
const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 1 }).toString("latin1");

const hostile: [string, (socket: Socket) => void, string | RegExp][] = [
  ["a reset before the answer", (socket) => void socket.resetAndDestroy(), closed],
  ["the end before the answer", (socket) => void socket.end(), closed],
  ["garbage", write("SSH-2.0-OpenSSH_9.2\r\n\r\n"), notHttp],
  ["binary garbage", write("\u0000\u0001\u0002\u0003\r\n\r\n"), notHttp],
  ["a status that is no number", end("HTTP/1.1 abc OK\r\n\r\n"), notHttp],
  ["a length that is no number", end(`${head}content-length: ten\r\n\r\n0123456789`), notHttp],
  ["two lengths", end(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `), notHttp],
  [
    "chunks that are none",
    end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    /^(an answer that is not HTTP|connection closed without a whole answer)$/,
  ],
  ["half an answer", end(`${head}content-length: 100\r\n\r\n{"ok":`), closed],
  [
    "half a head",
    end("HTTP/1.1 200 OK\r\ncontent-"),
    /^(connection closed without a whole answer|an answer that is not HTTP)$/,
  ],
  ["silence", () => {}, none],
  ["a head and then silence", write(`${head}content-length: 2\r\n\r\n`), none],
  ["an answer dripped byte by byte", (socket) => drip(socket, `${head}content-length: 9\r\n\r\n{"ok":1}\n`, 50), none],
  ["early hints without end", (socket) => drip(socket, Array(500).fill("HTTP/1.1 103 Early Hints\r\n\r\n"), 10), none],
  [
    "headers without end",
    (socket) => (socket.write(head), void flood(socket, Buffer.from(`x: ${"a".repeat(1000)}\r\n`))),
    tooMany,
  ],
  ["one header without end", (socket) => (socket.write(`${head}x: `), void flood(socket, large)), tooMany],
];

test("of raw bytes interim answers without number are no answers, and fill no stack", async () => {
  const { origin } = await scripted(end(`${"HTTP/1.1 100\r\n\r\n".repeat(200_000)}${head}\r\n{}`));
  const connection = new Connection(origin, from);
  connection.write(wireForm(origin, request));
  await connection.closedWithin(15_000);
  expect(connection.statuses).toEqual([]);
  expect(connection.answersTo(["POST"])).toEqual([]);
  expect(connection.fault).toBe(TOO_MANY_INTERIM);
});

describe.each(ways)("%s", (_, send) => {
  test.concurrent.each(hostile)("%s", async (_name, answer, fault) => {
    const { origin } = await scripted(answer);
    const started = performance.now();
    const exchange = await send(origin, fault === none ? bounded : 8000);
    expect(exchange.answer).toBeUndefined();
    expect(exchange.fault).toMatch(fault instanceof RegExp ? fault : new RegExp(`^${fault}$`));
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test("nobody listening", async () => {
    expect(await send("http://127.0.0.1:1", bounded)).toEqual({ request, from, fault: "connection refused" });
  });

  test("a body without end is cut off, not gathered", async () => {
    let flooded: ReturnType<typeof flood> | undefined;
    const { origin } = await scripted((socket) => {
      socket.write(`${head}\r\n`);
      flooded = flood(socket, large);
    });
    const exchange = await send(origin, 10_000);
    expect(exchange.fault).toBe(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    expect(flooded?.written()).toBeLessThan(MAX_ANSWER_BYTES + 16 * 1024 * 1024);
  });

  test("the largest body is read whole, even one byte at a time", async () => {
    const { origin } = await scripted((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(262_144)}0\r\n\r\n`);
    });
    expect((await send(origin, 10_000)).answer?.body.byteLength).toBe(262_144);
  });

  test("a body without end in pieces of one byte is cut off, whatever they add up to", async () => {
    const { origin } = await scripted((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, Buffer.from("1\r\na\r\n".repeat(10_000)));
    });
    const exchange = await send(origin, 10_000);
    // A client that reads several pieces at once sees fewer of them.
    expect([
      `an answer in more than ${MAX_ANSWER_PIECES} pieces`,
      `an answer of more than ${MAX_ANSWER_BYTES} bytes`,
    ]).toContain(exchange.fault);
  });

  test("interim answers without end are cut off", async () => {
    const { origin } = await scripted(
      (socket) => void flood(socket, Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100))),
    );
    expect((await send(origin, 10_000)).fault).toBe(TOO_MANY_INTERIM);
  });

  test("a redirect is an answer, and is not followed", async () => {
    const server = await scripted(end("HTTP/1.1 307 Moved\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n"));
    const { answer } = await send(server.origin, 5000);
    expect([answer?.status, answer?.headers.get("location")]).toEqual([307, ["/elsewhere"]]);
    expect(server.connections()).toBe(1);
    expect(server.received()).not.toContain("elsewhere");
  });

  const named = "X-One: 1\r\nSet-Cookie: a\r\nx-one: 2\r\nset-cookie: b\r\n";
  test.each<[string, string, (answer: Answer) => unknown, unknown]>([
    [
      "a compressed bomb stays compressed",
      `content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n${bomb}`,
      ({ body }) => body.byteLength,
      bomb.length,
    ],
    [
      "a body that is not UTF-8 is kept byte for byte and read with replacements",
      'content-length: 9\r\n\r\n{"a":"\u00ff"}',
      (answer) => [Buffer.from(answer.body).toString("latin1"), textOf(answer), jsonOf(answer)],
      ['{"a":"\u00ff"}', '{"a":"\ufffd"}', { a: "\ufffd" }],
    ],
    [
      "repeated headers keep every value, under names in lower case",
      `${named}content-length: 0\r\n\r\n`,
      ({ headers }) => ["x-one", "set-cookie"].map((name) => headers.get(name)),
      [
        ["1", "2"],
        ["a", "b"],
      ],
    ],
    ["a body to the end of the connection is a whole answer", '\r\n{"ok":true}', jsonOf, { ok: true }],
  ])("%s", async (_name, rest, read, expected) => {
    const { origin } = await scripted(end(`${head}${rest}`));
    const { answer } = await send(origin, 5000);
    expect(answer && read(answer)).toEqual(expected);
  });
});
