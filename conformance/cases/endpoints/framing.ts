/** Section 4: requests whose end is unclear, with another one behind them, and clients that wait for the target. */
import { randomUUID } from "node:crypto";
import { createFlow } from "../../interface/bodies.ts";
import { chunked, withBody, withHeader } from "../../interface/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import { mustNotBeCreated } from "../../harness/flows.ts";

/** How long a target may think about a request that it has to refuse, ms. */
const REFUSAL_MS = 500;
/** How long a client waits for 100 Continue, ms. */
const CONTINUE_MS = 4000;
/** How long a connection may stay open behind its last answer, ms: less than servers keep one that is not in use. */
const OPEN_MS = 3000;

const closing = (wire: string): string => wire.replace("\r\n", "\r\nConnection: close\r\n");

/** The last that a client writes to a connection; `wire`: a right request. */
const last: Readonly<Record<string, (wire: string) => string>> = {
  "Connection: close": closing,
  "another request and one with Connection: close": (wire) => wire + closing(wire),
  "HTTP/1.0": (wire) => wire.replace("HTTP/1.1", "HTTP/1.0"),
};

type Framed = readonly [headers: readonly string[], body: string];

const size = (text: string): string => text.length.toString(16);
const inChunks = (chunk: string, next: string): Framed => [
  ["transfer-encoding: chunked"],
  `${chunk}\r\n0\r\n\r\n${next}`,
];

/** How a body arrives, and what comes behind it on its connection: a whole request. */
const unclear: Readonly<Record<string, (json: string, next: string) => Framed>> = {
  "of two lengths": (json, next) => [
    [`content-length: ${json.length}`, `content-length: ${json.length + 1}`],
    `${json} ${next}`,
  ],
  "of a length with a letter": (json, next) => [[`content-length: ${json.length}a`], json + next],
  "of a length with a sign": (json, next) => [[`content-length: +${json.length}`], json + next],
  "of a header with a blank behind its name": (json, next) => [[`content-length : ${json.length}`], json + next],
  "in another coding than chunks": (json, next) => [
    ["transfer-encoding: gzip", `content-length: ${json.length}`],
    json + next,
  ],
  "in chunks, one without a size": (json, next) => inChunks(`zz\r\n${json}`, next),
  "in chunks, one with 0x before its size": (json, next) => inChunks(`0x${size(json)}\r\n${json}`, next),
  "in chunks, one with an underscore in its size": (json, next) =>
    inChunks(`${size(json).replace(/(?=.$)/, "_")}\r\n${json}`, next),
  "in chunks, one that is longer than its size": (json, next) => inChunks(`${size(json)}\r\n${json}zz`, next),
  // Whoever goes by the length finds a request in the rest of the chunk.
  "in chunks, with a length as well": (json, next) => [
    ["transfer-encoding: chunked", `content-length: ${size(json + next).length + 2 + json.length}`],
    `${size(json + next)}\r\n${json}${next}\r\n0\r\n\r\n`,
  ],
};

export const framingCases: readonly Case[] = [
  {
    id: "BODY-FRAMING",
    title: "A request whose end is ambiguous is not carried out, nor is what follows it",
    clauses: ["BODY-OBJECT"],
    requests: 26,
    reading:
      "RFC 9112, 5.1, 6.1 and 6.3: a server has to refuse it and to close the connection. What one server takes for the " +
      "body is to another one the next request (11.2).",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      const goals: Record<string, string> = {};
      for (const [what, framed] of Object.entries(unclear)) {
        const [goal, hidden] = [`unclear ${randomUUID()}`, `behind ${randomUUID()}`];
        Object.assign(goals, { [what]: goal, [`behind one ${what}`]: hidden });
        const next = trial.wire(trial.right(createFlow(hidden))).toString("latin1");
        const [headers, body] = framed(JSON.stringify(createFlow(goal)), next);
        const connection = trial.connection(2);
        connection.write(trial.wire(withBody(trial.right(), body), trial.from, headers));
        await connection.closedWithin(REFUSAL_MS);
      }
      await mustNotBeCreated(trial, goals);
    },
  },
  {
    id: "EXPECT-ANSWERED",
    title: "A client that sends Expect, in any letter case, gets 100 Continue or a final answer",
    clauses: ["SERVICE-ROUTE"],
    requests: 8,
    reading: "RFC 9110, 10.1.1: a server has to send 100 Continue or its answer; the expectation has no case.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      let isTaken = false;
      const right = trial.right();
      for (const [expectation, request] of [
        ["100-continue", right],
        ["100-Continue", right],
        ["100-continue", chunked(right)],
      ] as const) {
        const upload = await trial.upload(withHeader(request, "expect", expectation));
        const isOver = () => upload.continued || upload.answered;
        if (!(await trial.until(() => Promise.resolve(isOver()), CONTINUE_MS))) await trial.barrier();
        const what = `Expect: ${expectation}${request === right ? "" : ", in chunks"}`;
        check(isOver(), `100 Continue or an answer to ${what}`, "no whole answer", upload.pending());
        const exchange = await trial.finish(upload);
        // Chunks may be refused, but not in silence.
        if (isTaken && request === right) mustAccept(exchange);
        isTaken ||= isAccepted(exchange);
      }
    },
  },
  {
    id: "CONNECTION-CLOSED",
    title: "After a request with Connection: close, or in HTTP/1.0, the connection is closed",
    clauses: ["SERVICE-ROUTE"],
    requests: 7,
    reading: "RFC 9112, 9.3 and 9.6. A client that reads to the end would wait for ever.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      await trial.each(Object.entries(last), async ([what, lastOf]) => {
        const connection = trial.connection(2);
        const text = lastOf(trial.wire(trial.right()).toString("latin1"));
        connection.write(Buffer.from(text, "latin1"));
        await connection.answered(text.split("POST ").length - 1, trial.server.target.requestTimeoutMs);
        if (!(await connection.closedWithin(OPEN_MS))) await trial.barrier();
        check(connection.closed, `the connection closed behind ${what}`, "still open");
      });
    },
  },
];
