import { expect, test } from "vitest";
import { chunked, validRequest, withBody, withHeader, type Request } from "../interface/request.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { Upload } from "./upload.ts";

const body = JSON.stringify({ action: "create_flow", goal: "a goal of some length" });
const request = withBody(validRequest({ path: "/plugins/webhooks/a", secret: "s" }, { action: "x" }), body);
const from = "127.0.0.1";
const answer = (status: number, more = "") => `HTTP/1.1 ${status} Text\r\ncontent-length: 2\r\n${more}\r\n{}`;
const open = (origin: string, what: Request = request, more: { timeoutMs?: number } = {}) =>
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
  expect(upload.pending()).toMatchObject({ sentBytes: 5, fault: "no answer yet" });
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

test.each([
  ["a length", (large: Request) => large],
  ["chunks", (large: Request) => chunked(large)],
])(
  "an answer in two pieces is read whole, though a body with %s could not be sent and the connection was reset",
  async (_, frame) => {
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
  },
);

test("a body that is never taken does not hold its writer beyond the deadline", async () => {
  const server = await scripted((socket) => void socket.pause());
  const started = performance.now();
  const upload = await open(server.origin, withBody(request, new Uint8Array(32 * 1024 * 1024)), { timeoutMs: 300 });
  const exchange = await upload.finish();
  expect(exchange.fault).toBe("no whole answer within 300 ms");
  expect(performance.now() - started).toBeLessThan(3000);
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

test("an aborted upload closes the connection, which the target sees", async () => {
  let closed = false;
  const server = await scripted((socket) => void socket.on("close", () => (closed = true)));
  const upload = await open(server.origin);
  await upload.write(3);
  upload.abort();
  await until(() => closed);
  await upload.write(3);
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
