/** Targets that cost a runner time or memory without end, each in a way that was once seen to work. */
import type { Answer } from "../../../plugin/answer.ts";
import { withAnswer } from "../changes.ts";
import { subjectsOf, type Change } from "../subject.ts";
import { bytes, routes, withHandlers, type Hostile } from "./hostile.ts";
import { accepted, flow } from "./content.ts";
import { chunked, drip, pour } from "./pour.ts";

const MEGABYTE = 1024 * 1024;

/** A valid envelope of nearly four megabytes. */
const large = accepted(() => ({ flow, padding: "a".repeat(4 * MEGABYTE - 200) }));

/** An answer of many small values, which take more memory once they are read. */
const many = accepted(() => {
  const flows = Array.from({ length: 2000 }, (_, index) => {
    return { flowId: `flow-${index}`, revision: 0, status: "queued", counts: [0, 0, 0, 0] };
  });
  return { flow: flows[0], flows };
});

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
  withHandlers((log) => {
    let count = 0;
    return (route) => async (request, response) => {
      count += 1;
      return (count >= first && then(log)) || route.handler(request, response);
    };
  });

const stderrLine = "a".repeat(MEGABYTE);

export const stalls: readonly Hostile[] = subjectsOf<Hostile>({
  "chunks-one-byte": {
    does: "answers with chunks of one byte without end",
    change: routes(bytes(pour(chunked, "1\r\na\r\n".repeat(10_000)))),
  },
  "chunks-dripped": {
    does: "answers with chunks of one byte, one every 20 ms",
    change: routes(
      bytes((socket) => {
        socket.write(chunked);
        drip(socket, Array<string>(10_000).fill("1\r\na\r\n"), 20);
      }),
    ),
  },
  "markup-everywhere": {
    wholeRunOnly: true,
    does: "answers correctly, with a kilobyte of markup behind every text",
    change: withAnswer((answer) => ({ ...(markedUp(answer) as Answer), ...(answer.code && { code: answer.code }) })),
  },
  "body-4-megabytes": {
    does: "answers everything with a success of nearly four megabytes",
    change: routes(large),
    mayPass: ["ENVELOPE-HEAD-EMPTY"],
  },
  "body-200-kilobytes": {
    does: "answers everything with a success that holds 2,000 flows",
    change: routes(many),
    mayPass: ["ENVELOPE-HEAD-EMPTY"],
  },
  "dies-often": {
    wholeRunOnly: true,
    does: "ends at its 60th request, after every start",
    change: fromRequest(60, () => process.exit(9)),
  },
  "dies-at-once": {
    wholeRunOnly: true,
    does: "ends at its 20th request, after every start",
    change: fromRequest(20, () => process.exit(9)),
  },
  "silent-after-200": {
    wholeRunOnly: true,
    does: "never answers again from its 200th request on, after every start",
    change: fromRequest(201, () => true),
  },
  "stderr-flood": {
    wholeRunOnly: true,
    harmless: true,
    does: "writes a megabyte to stderr for each request, and answers correctly",
    change: fromRequest(1, (log) => (log(stderrLine), false)),
  },
});
