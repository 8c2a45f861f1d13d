/** Sections 4 and 8: odd bodies gone wrong. */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import { withFlows, withLimits, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import { alsoParses } from "./body.ts";

/** Looks at the read body once more. */
export const rereads = (look: (bytes: Buffer, request: IncomingMessage) => BodyOutcome): Change => ({
  parts: (parts) => ({
    ...parts,
    readBody: async (request, limits, clock) => {
      const outcome = await parts.readBody(request, limits, clock);
      return typeof outcome === "string" ? outcome : look(outcome, request);
    },
  }),
});

/** A closed connection counts as the end of the body. */
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
    change: withFlows((flows) => ({
      list: async () => {
        const list = await flows.list();
        for (const { goal } of list) encodeURIComponent(goal);
        return list;
      },
    })),
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
});
