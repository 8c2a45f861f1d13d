/** Answers that break HTTP or never end, and targets that cost a runner time or memory without end. */
import type { Answer } from "../../../plugin/answer.ts";
import { perStart, withAnswer, withHandler } from "../changes.ts";
import type { Change } from "../subject.ts";
import { accepted, flow } from "./content.ts";
import {
  attacking,
  bytes,
  hostileRoutes,
  type Hostile,
  type OnSocket,
  chunkedHead,
  drip,
  head,
  pour,
} from "./hostile.ts";

const end =
  (text: string): OnSocket =>
  (socket) =>
    void socket.end(text, "latin1");
const write =
  (text: string): OnSocket =>
  (socket) =>
    void socket.write(text, "latin1");
const silent: OnSocket = () => {};
const resets: OnSocket = (socket) => void socket.resetAndDestroy();
const long = "a".repeat(64 * 1024);
/** Interval between pieces, ms: too long for any answer to end in time. */
const SECOND_MS = 1000;

const answers: Readonly<Record<string, OnSocket>> = {
  "sends headers without end": pour(head, `x: ${"a".repeat(1000)}\r\n`),
  "sends as many headers as a client takes, on every answer": end(
    `${head}${"a:1\r\n".repeat(1900)}content-length: 2\r\n\r\n{}`,
  ),
  "sends a body without end": pour(`${head}\r\n`, long),
  "sends a chunk extension without end": pour(`${chunkedHead}1;x=`, long),
  "announces a chunk of 2^64 - 1 bytes": pour(`${chunkedHead}ffffffffffffffff\r\n`, long),
  "announces a chunk of -6 bytes": end(`${chunkedHead}-6\r\n{}\r\n`),
  "announces a body that ends where its answer begins": end(`${head}content-length: -${head.length + 23}\r\n\r\n`),
  "sends trailers without end": pour(`${chunkedHead}2\r\n{}\r\n0\r\n`, `x: ${"a".repeat(1000)}\r\n`),
  "sends its head at one byte a second": (socket) => drip(socket, head.repeat(100), SECOND_MS),
  "sends its body at one byte a second": (socket) => {
    socket.write(`${head}content-length: 100000\r\n\r\n`);
    drip(socket, "a".repeat(100_000), SECOND_MS);
  },
  "sends more than it announces": write(`${head}content-length: 2\r\n\r\n{}{"ok":true,"routeId":"a","result":{}}`),
  "switches to a protocol that nobody asked for": pour(
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
    long,
  ),
  "sends 103 Early Hints without end": pour("", "HTTP/1.1 103 Early Hints\r\n\r\n"),
  "answers twice, so that the next request on the connection finds its answer there, and then keeps silent": write(
    `${head}content-length: 2\r\n\r\n{}`.repeat(2),
  ),
  "keeps silent": silent,
};

/** The other two of three requests get the right answer. */
const mayPass = ["ACTION-CREATE-FLOW", "AUTH-WRONG", "ENVELOPE-HEAD-EMPTY", "NEVER-METADATA"];

export const transport: readonly Hostile[] = [
  ...attacking((answer) => hostileRoutes(bytes(answer)), answers),
  ...attacking(
    (answer) => hostileRoutes(bytes(answer), "every third"),
    {
      "keeps silent to every third request": silent,
      "resets every third request": resets,
    },
    { mayPass },
  ),
  ...attacking((answer) => hostileRoutes(bytes(answer), "everything"), {
    "keeps silent to everything from the first case on, after every start": silent,
  }),
];

const MEGABYTE = 1024 * 1024;

/** A valid envelope of nearly four megabytes. */
const large = accepted(() => ({ flow, padding: "a".repeat(4 * MEGABYTE - 200) }));

const MARKUP = `<p title="a'b">&amp;<!-- ]]> --><![CDATA[ \${x} </p>|*_\`# `;

/** The same value with markup behind every text in it. */
function markedUp(value: unknown): unknown {
  if (typeof value === "string") return `${value}${MARKUP.repeat(20)}`;
  if (Array.isArray(value)) return value.map(markedUp);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, markedUp(item)]));
}

/** Counts the requests to all routes; from the given number on another thing happens, in place of an answer where true. */
const fromRequest = (first: number, then: (log: (line: string) => void) => boolean): Change =>
  perStart(({ log }) => {
    let count = 0;
    return withHandler((right) => async (request, response) => {
      count += 1;
      return (count >= first && then(log)) || right(request, response);
    });
  });

const stderrLine = "a".repeat(MEGABYTE);

export const stalls: readonly Hostile[] = [
  ...attacking((answer: OnSocket) => hostileRoutes(bytes(answer)), {
    "answers with chunks of one byte without end": pour(chunkedHead, "1\r\na\r\n".repeat(10_000)),
  }),
  ...attacking(
    hostileRoutes,
    { "answers everything with a success of nearly four megabytes": large },
    { mayPass: ["ENVELOPE-HEAD-EMPTY"] },
  ),
  ...attacking(
    (change: Change) => change,
    {
      "answers correctly, with a kilobyte of markup behind every text": withAnswer((answer) => ({
        ...(markedUp(answer) as Answer),
        ...(answer.code && { code: answer.code }),
      })),
      "ends at its 20th request, after every start": fromRequest(20, () => process.exit(9)),
      "never answers again from its 200th request on, after every start": fromRequest(201, () => true),
    },
    { wholeRunOnly: true },
  ),
  ...attacking(
    (change: Change) => change,
    {
      "writes a megabyte to stderr for each request, and answers correctly": fromRequest(1, (log) => {
        log(stderrLine);
        return false;
      }),
    },
    { wholeRunOnly: true, harmless: true },
  ),
];
