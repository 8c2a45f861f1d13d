/** Sections 2, 4 and 8: odd bodies, connections and instants gone wrong. */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import { withEnvelope, withFlows, withHandler, withLimits, withReply, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import { alsoParses, chokesOn, jsonType } from "./body.ts";
import { uncounted } from "./order.ts";

/** What has been read is looked at once more. */
export const rereads = (look: (bytes: Buffer, request: IncomingMessage) => BodyOutcome): Change => ({
  parts: (parts) => ({
    ...parts,
    readBody: async (request, limits, clock) => {
      const outcome = await parts.readBody(request, limits, clock);
      return typeof outcome === "string" ? outcome : look(outcome, request);
    },
  }),
});

/** A body ends with its connection, too. */
const endsWithConnection: Change = {
  parts: (parts) => ({
    ...parts,
    readBody: (request, limits, clock) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      return Promise.race([parts.readBody(request, limits, clock), closing(request, chunks)]).then((outcome) =>
        outcome === "aborted" ? Buffer.concat(chunks) : outcome,
      );
    },
  }),
};

function closing(request: IncomingMessage, chunks: readonly Buffer[]): Promise<BodyOutcome> {
  return new Promise((resolve) => request.on("close", () => resolve(Buffer.concat(chunks))));
}

export const deepState = (value: unknown): boolean => {
  let item = value;
  for (let depth = 0; Array.isArray(item); depth += 1, item = item[0]) if (depth > 100) return true;
  return false;
};

export const oddBodies: readonly Subject[] = subjectsOf<Subject>({
  "list-surrogate": {
    bug: "A goal with half of a pair of surrogates is stored, and no list that it is in can be written any more.",
    kills: ["BODY-ODD-JSON"],
    alsoFails: "any",
    change: withFlows((flows) => ({
      list: async () => {
        const list = await flows.list();
        for (const { goal } of list) encodeURIComponent(goal);
        return list;
      },
    })),
  },
  "body-number": {
    bug: "A body that is a number ends in an internal error.",
    kills: ["BODY-MALFORMED-NUMBER"],
    change: chokesOn((text) => jsonType(text) === "number"),
  },
  "body-flag": {
    bug: "A body that is true ends in an internal error.",
    kills: ["BODY-MALFORMED-FLAG"],
    change: chokesOn((text) => jsonType(text) === "boolean"),
  },
  "body-query-fields": {
    bug: "Fields in the URL's query count before those of the body.",
    kills: ["BODY-QUERY-NO-FIELDS"],
    change: withStage("action", ({ run }) => (exchange) => {
      const { searchParams } = new URL(exchange.request.url ?? "", "http://gateway");
      const named = ["action", "goal"].flatMap((name) => {
        const value = searchParams.get(name);
        return value === null ? [] : [[name, value]];
      });
      return run({ ...exchange, body: { ...exchange.body, ...Object.fromEntries(named) } });
    }),
  },
  "body-deep-dropped": {
    bug: "A body that is nested deeply ends the connection without an answer.",
    kills: ["BODY-ODD-JSON"],
    alsoFails: ["BODY-DEEP-STATE"],
    change: rereads((bytes, request) => {
      if (!bytes.includes("[".repeat(1000))) return bytes;
      request.socket.destroy();
      return "aborted";
    }),
  },
  "body-deep-stored": {
    bug: "State that is nested deeply is stored, and a flow that has it can be written into no answer.",
    kills: ["BODY-DEEP-STATE"],
    change: {
      ...withLimits({ jsonDepth: 1_000_000 }),
      ...withFlows((flows) => {
        const lost = new Set<string>();
        return {
          async setWaiting(input) {
            if (deepState(input.stateJson)) lost.add(input.flowId);
            return lost.has(input.flowId) ? { applied: false, code: "persist_failed" } : flows.setWaiting(input);
          },
          async get(flowId) {
            if (lost.has(flowId)) throw new RangeError("Maximum call stack size exceeded");
            return flows.get(flowId);
          },
        };
      }),
    },
  },
  "body-utf-8-mended": {
    bug: "Bytes that are not UTF-8 are replaced and the body is read all the same.",
    kills: ["BODY-INVALID-UTF-8"],
    change: alsoParses((text) => {
      if (!text.includes("\ufffd")) throw new SyntaxError("no body");
      return JSON.parse(text);
    }),
  },
  "body-inflated": {
    bug: "A compressed body is inflated after its size has been checked, to whatever there is.",
    kills: ["BODY-COMPRESSED"],
    change: rereads((bytes, { headers }) => (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes)),
  },
  "body-cut-carried-out": {
    bug: "When the connection ends within the body, what has come of it is carried out.",
    kills: ["BODY-CUT-SHORT"],
    change: endsWithConnection,
  },
  "body-time-14990": {
    bug: "A body has 14.99 seconds.",
    kills: ["BODY-15-SECONDS-EDGE"],
    change: withLimits({ bodyMs: 14_990 }),
  },
  "rate-window-59990": {
    bug: "A window ends ten milliseconds early.",
    kills: ["RATE-WINDOW-NOT-EARLY"],
    change: withLimits({ windowMs: 59_990 }),
  },
  "rate-window-60001": {
    bug: "A window holds its last instant as well.",
    kills: ["RATE-WINDOW-END-EXACT"],
    change: withLimits({ windowMs: 60_001 }),
  },
  "rate-not-found-uncounted": {
    bug: "Requests for an absent flow are not counted by the rate limit.",
    kills: ["RATE-REFUSALS-COUNT"],
    change: uncounted("not_found"),
  },
  "rate-conflict-uncounted": {
    bug: "Requests with a stale revision are not counted by the rate limit.",
    kills: ["RATE-REFUSALS-COUNT"],
    change: uncounted("revision_conflict"),
  },
  "connection-second-answer": {
    bug: "The unread body of a refused request is answered as a request of its own.",
    kills: ["ENVELOPE-PIPELINED"],
    alsoFails: "any",
    change: withHandler((handler) => async (request, response) => {
      const { socket } = request;
      response.once("finish", () => {
        if (response.statusCode !== 401) return;
        socket.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
      });
      return handler(request, response);
    }),
  },
  "envelope-list-result": {
    bug: "The result of list_flows is the list itself.",
    kills: ["ENVELOPE-EVERY-ACTION"],
    alsoFails: "any",
    change: withEnvelope((envelope) => {
      const { result } = envelope as { result: { flows?: unknown } };
      return Array.isArray(result?.flows) ? { ...envelope, result: result.flows } : envelope;
    }),
  },
  "envelope-bare-cold": {
    bug: "The 401 of a route whose secret could not be resolved is bare text.",
    kills: ["ENVELOPE-ON-COLD"],
    alsoFails: ["SECRET-COLD-REGISTERED", "SECRET-COLD-GENERIC"],
    change: withReply((reply, { url = "" }) =>
      reply.status === 401 && url.endsWith("/cold") ? { ...reply, text: "Unauthorized" } : reply,
    ),
  },
});
