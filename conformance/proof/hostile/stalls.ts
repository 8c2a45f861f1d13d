/** Targets that cost a runner time or memory without end, each in a way that was once seen to work. */
import type { Answer } from "../../../plugin/answer.ts";
import { perStart, withAnswer, withHandler } from "../changes.ts";
import type { Change } from "../subject.ts";
import { attacking, bytes, routes, type Hostile, type OnSocket } from "./hostile.ts";
import { accepted, flow } from "./content.ts";
import { chunked, drip, pour } from "./pour.ts";

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

const wholeRunOnly = true;

export const stalls: readonly Hostile[] = [
  ...attacking((answer: OnSocket) => routes(bytes(answer)), {
    "answers with chunks of one byte without end": pour(chunked, "1\r\na\r\n".repeat(10_000)),
    "answers with chunks of one byte, one every 20 ms": (socket) => {
      socket.write(chunked);
      drip(socket, Array<string>(10_000).fill("1\r\na\r\n"), 20);
    },
  }),
  ...attacking(
    routes,
    {
      "answers everything with a success of nearly four megabytes": large,
    },
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
    { wholeRunOnly },
  ),
  ...attacking(
    (change: Change) => change,
    {
      "writes a megabyte to stderr for each request, and answers correctly": fromRequest(1, (log) => {
        log(stderrLine);
        return false;
      }),
    },
    { wholeRunOnly, harmless: true },
  ),
];
