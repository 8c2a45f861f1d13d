/** Answers that break HTTP, or never end. */
import { bytes, routes, type Hostile, type OnSocket } from "./hostile.ts";
import { chunked, drip, head, pour } from "./pour.ts";
import { subjectsOf } from "../subject.ts";

const end =
  (text: string): OnSocket =>
  (socket) =>
    void socket.end(text, "latin1");
const write =
  (text: string): OnSocket =>
  (socket) =>
    void socket.write(text, "latin1");
const thenReset =
  (text: string): OnSocket =>
  (socket) =>
    void socket.write(text, "latin1", () => socket.resetAndDestroy());
const silent: OnSocket = () => {};
const resets: OnSocket = (socket) => void socket.resetAndDestroy();
const long = "a".repeat(64 * 1024);
/** Interval between pieces, ms: too long for any answer to end in time. */
const SECOND_MS = 1000;

const answers: Record<string, { does: string; answer: OnSocket }> = {
  "headers-endless": { does: "sends headers without end", answer: pour(head, `x: ${"a".repeat(1000)}\r\n`) },
  "header-endless": { does: "sends one header value without end", answer: pour(`${head}x: `, long) },
  "headers-many": {
    does: "sends as many headers as a client takes, on every answer",
    answer: end(`${head}${"a:1\r\n".repeat(1900)}content-length: 2\r\n\r\n{}`),
  },
  "header-long": {
    does: "sends one header of 60,000 bytes on every answer",
    answer: end(`${head}x: ${"a".repeat(60_000)}\r\ncontent-length: 2\r\n\r\n{}`),
  },
  "body-endless": { does: "sends a body without end", answer: pour(`${head}\r\n`, long) },
  "body-endless-chunked": {
    does: "sends chunks without end",
    answer: pour(chunked, `${long.length.toString(16)}\r\n${long}\r\n`),
  },
  "chunk-extension-endless": {
    does: "sends a chunk extension without end",
    answer: pour(`${chunked}1;x=`, long),
  },
  "chunk-extensions": {
    does: "sends empty-handed chunks of one byte, each with a long extension",
    answer: pour(chunked, `1;x=${"a".repeat(8000)}\r\n \r\n`),
  },
  "chunk-size-huge": {
    does: "announces a chunk of 2^64 - 1 bytes",
    answer: pour(`${chunked}ffffffffffffffff\r\n`, long),
  },
  "trailers-endless": {
    does: "sends trailers without end",
    answer: pour(`${chunked}2\r\n{}\r\n0\r\n`, `x: ${"a".repeat(1000)}\r\n`),
  },
  "byte-a-second": {
    does: "sends its head at one byte a second",
    answer: (socket) => drip(socket, head.repeat(100), SECOND_MS),
  },
  "body-byte-a-second": {
    does: "sends its body at one byte a second",
    answer: (socket) => {
      socket.write(`${head}content-length: 100000\r\n\r\n`);
      drip(socket, "a".repeat(100_000), SECOND_MS);
    },
  },
  "length-too-long": {
    does: "announces more than it sends, and keeps silent",
    answer: write(`${head}content-length: 1000\r\n\r\n{"ok":true}`),
  },
  "length-too-long-closed": {
    does: "announces more than it sends, and closes",
    answer: end(`${head}content-length: 1000\r\n\r\n{"ok":true}`),
  },
  "length-too-short": {
    does: "sends more than it announces",
    answer: write(`${head}content-length: 2\r\n\r\n{}{"ok":true,"routeId":"a","result":{}}`),
  },
  "length-negative": {
    does: "announces a negative length",
    answer: write(`${head}content-length: -11\r\n\r\n{"ok":true}`),
  },
  "length-huge": {
    does: "announces a length beyond every integer",
    answer: pour(`${head}content-length: 99999999999999999999999\r\n\r\n`, long),
  },
  "lengths-two": {
    does: "announces two different lengths",
    answer: write(`${head}content-length: 11\r\ncontent-length: 12\r\n\r\n{"ok":true} `),
  },
  "reset-before": { does: "resets before the answer", answer: resets },
  "reset-in-head": { does: "resets within the head", answer: thenReset("HTTP/1.1 200 OK\r\ncontent-ty") },
  "reset-in-body": { does: "resets within the body", answer: thenReset(`${head}content-length: 99\r\n\r\n{"ok":tr`) },
  http2: {
    does: "speaks HTTP/2",
    answer: end("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"),
  },
  garbage: { does: "sends binary noise", answer: end("\u0000\u0007\u001b[31m\u009b2J\u00ff\u00fe\r\n\r\n") },
  "switches-protocols": {
    does: "switches to a protocol that nobody asked for",
    answer: pour("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n", long),
  },
  "continue-flood": { does: "sends 100 Continue without end", answer: pour("", "HTTP/1.1 100 Continue\r\n\r\n") },
  "hints-flood": { does: "sends 103 Early Hints without end", answer: pour("", "HTTP/1.1 103 Early Hints\r\n\r\n") },
  "answers-ahead": {
    does: "answers twice, so that the next request on the connection finds its answer there, and then keeps silent",
    answer: write(`${head}content-length: 2\r\n\r\n{}`.repeat(2)),
  },
  silence: { does: "keeps silent", answer: silent },
};

/** The other two of three requests get the right answer. */
const mayPass = ["ACTION-CREATE-FLOW", "AUTH-WRONG", "ENVELOPE-HEAD-EMPTY", "NEVER-METADATA"];

export const transport: readonly Hostile[] = [
  ...Object.entries(answers).map(([id, { does, answer }]) => ({ id, does, change: routes(bytes(answer)) })),
  ...subjectsOf<Hostile>({
    "silence-third": {
      does: "keeps silent to every third request",
      mayPass,
      change: routes(bytes(silent), "every third"),
    },
    "reset-third": { does: "resets every third request", mayPass, change: routes(bytes(resets), "every third") },
    "silence-for-good": {
      does: "keeps silent to everything from the first case on, after every start",
      change: routes(bytes(silent), "everything"),
    },
  }),
];
