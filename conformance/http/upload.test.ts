import { expect, test } from "vitest";
import { chunked, validRequest, withBody, withHeader, type Request } from "../interface/request.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { Upload } from "./upload.ts";

const body = JSON.stringify({ action: "create_flow", goal: "a goal of some length" });
const request = withBody(validRequest({ path: "/plugins/webhooks/a", secret: "s" }, { action: "x" }), body);
const from = "127.0.0.1";
const answer = (status: number, more = "") => `HTTP/1.1 ${status} Text\r\ncontent-length: 2\r\n${more}\r\n{}`;
const open = (origin: string, what: Request = request, more: { announced?: number; timeoutMs?: number } = {}) =>
  Upload.open(origin, what, { from, timeoutMs: 5000, ...more });

test("opening sends the head alone; the body follows as it is written", async () => {
  const server = await scripted(() => {});
  const upload = await open(server.origin);
  await until(() => server.received().endsWith("\r\n\r\n"));
  expect(server.received()).toMatch(
    new RegExp(`^POST /plugins/webhooks/a HTTP/1\\.1\r\n[^]*content-length: ${body.length}\r\n`),
  );
  await upload.write(5);
  await until(() => server.received().endsWith(body.slice(0, 5)));
  expect(upload.pending()).toMatchObject({ sentBytes: 5, fault: "no whole answer yet" });
  await upload.write();
  await until(() => server.received().endsWith(body));
  upload.abort();
});

test("an answer while the body is owed is seen, and the exchange says how much was sent", async () => {
  const server = await scripted((socket) => void socket.write(answer(413)));
  const upload = await open(server.origin);
  expect(await upload.answeredWithin(3000)).toBe(true);
  const exchange = await upload.exchange();
  expect(exchange).toMatchObject({ sentBytes: 0, answer: { status: 413 } });
  expect(exchange.fault).toBeUndefined();
});

test("an answer and then a reset is an answer, though the body could not be sent", async () => {
  const server = await scripted((socket) => socket.write(answer(413, "connection: close\r\n"), () => socket.destroy()));
  const large = withBody(request, new Uint8Array(16 * 1024 * 1024));
  const upload = await open(server.origin, large);
  await upload.answeredWithin(3000);
  expect((await upload.finish()).answer?.status).toBe(413);
});

test.each([
  ["a length", (large: Request) => large],
  ["chunks", (large: Request) => chunked(large)],
])("of an unsent body with %s and a reset, an answer in two pieces is read whole", async (_, frame) => {
  const [head = "", content = ""] = answer(413).split(/(?<=\r\n\r\n)/);
  let upload: Upload | undefined;
  const server = await scripted((socket) => {
    socket.pause();
    socket.write(head, () => {
      setTimeout(async () => {
        await upload?.write(70_000);
        socket.write(content, () => {
          // Unread bytes make it a reset; the next piece of the body meets it before the answer is read.
          socket.destroy();
          void upload?.write(70_000);
        });
      }, 20);
    });
  });
  upload = await open(server.origin, frame(withBody(request, new Uint8Array(16 * 1024 * 1024))));
  await upload.answeredWithin(3000);
  expect((await upload.finish()).answer).toMatchObject({ status: 413, body: Buffer.from("{}") });
});

test("a body that is never taken does not hold its writer beyond the deadline", async () => {
  const server = await scripted((socket) => void socket.pause());
  const started = performance.now();
  const upload = await open(server.origin, withBody(request, new Uint8Array(32 * 1024 * 1024)), { timeoutMs: 300 });
  const exchange = await upload.finish();
  expect(exchange.fault).toBe("no whole answer within 300 ms");
  expect(performance.now() - started).toBeLessThan(3000);
});

test("finishing sends the rest; the exchange is then of a whole body", async () => {
  const server = await scripted(
    (socket) => void socket.write(answer(200)),
    (sent) => sent.endsWith(body),
  );
  const upload = await open(server.origin);
  await upload.write(3);
  const exchange = await upload.finish();
  expect(exchange.answer?.status).toBe(200);
  expect(exchange.sentBytes).toBeUndefined();
});

test("the connection of a whole upload is closed with its answer, however long the target would keep it", async () => {
  let closed = false;
  const server = await scripted(
    (socket) => void socket.on("close", () => (closed = true)).write(answer(200)),
    (sent) => sent.endsWith(body),
  );
  const upload = await open(server.origin);
  await upload.finish();
  await until(() => closed);
});

test("silence is no answer: the wait is bounded, and may go on", async () => {
  const server = await scripted(() => {});
  const upload = await open(server.origin);
  expect(await upload.answeredWithin(30)).toBe(false);
  expect(upload.answered).toBe(false);
  upload.abort();
  expect((await upload.exchange()).fault).toBe("connection closed without a whole answer");
});

test("100 Continue is told from an answer", async () => {
  const server = await scripted((socket) => {
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    socket.on("data", () => socket.write(answer(200)));
  });
  const upload = await open(server.origin, withHeader(request, "expect", "100-continue"));
  await until(() => upload.continued);
  expect(upload.answered).toBe(false);
  expect((await upload.finish()).answer?.status).toBe(200);
});

test("a final answer in place of 100 Continue leaves the body unsent", async () => {
  const server = await scripted((socket) => void socket.write(answer(401)));
  const upload = await open(server.origin, withHeader(request, "expect", "100-continue"));
  await upload.answeredWithin(3000);
  const exchange = await upload.exchange();
  expect(upload.continued).toBe(false);
  expect(exchange).toMatchObject({ sentBytes: 0, answer: { status: 401 } });
  expect(server.received()).not.toContain("create_flow");
});

test("an aborted upload closes the connection, which the target sees", async () => {
  let closed = false;
  const server = await scripted((socket) => void socket.on("close", () => (closed = true)));
  const upload = await open(server.origin);
  await upload.write(3);
  upload.abort();
  await until(() => closed);
  await upload.write(3);
});

test("a length may be announced that is not the body's", async () => {
  const server = await scripted(() => {});
  const upload = await open(server.origin, request, { announced: 999_999 });
  await until(() => server.received().includes("content-length: 999999\r\n"));
  upload.abort();
});

test("a chunked upload is written in pieces of any size", async () => {
  const server = await scripted(
    (socket) => void socket.write(answer(200)),
    (sent) => sent.endsWith("\r\n0\r\n\r\n"),
  );
  const upload = await open(server.origin, chunked(request));
  await upload.write(1);
  await upload.write(2);
  expect((await upload.finish()).answer?.status).toBe(200);
  expect(server.received()).toContain(`1\r\n${body.slice(0, 1)}\r\n2\r\n${body.slice(1, 3)}\r\n`);
});

test("a switch of protocols is no answer", async () => {
  const server = await scripted((socket) => {
    socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
  });
  const upload = await open(server.origin, request, { timeoutMs: 2000 });
  expect((await upload.finish()).fault).toBe("connection closed without a whole answer");
});

test("what is withheld is sent at its release and not before, whole and at once", async () => {
  const server = await scripted(
    (socket) => void socket.write(answer(200)),
    (sent) => sent.endsWith(body),
  );
  const upload = await Upload.open(server.origin, request, { from, timeoutMs: 5000, withheld: body.length });
  const other = await open(server.origin);
  await until(() => server.received().endsWith("\r\n\r\n"));
  const before = server.received().length;
  upload.release();
  await until(() => server.received().endsWith(body));
  expect(server.received().length - before).toBeGreaterThan(body.length);
  expect((await upload.finish()).answer?.status).toBe(200);
  other.abort();
});

test("withheld but for its last byte, a request is answered when that is sent", async () => {
  const server = await scripted(
    (socket) => void socket.write(answer(200)),
    (sent) => sent.endsWith(body),
  );
  const upload = await Upload.open(server.origin, request, { from, timeoutMs: 5000, withheld: body.length - 1 });
  upload.release();
  await until(() => server.received().endsWith(body.slice(0, -1)));
  expect(upload.answered).toBe(false);
  expect((await upload.finish()).answer?.status).toBe(200);
});
