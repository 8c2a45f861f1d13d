/** Sections 4 and 8: the body gone wrong. */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import type { Clock } from "../../../../plugin/ports.ts";
import { withLimits, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Reads a body with other rules for its size and time. */
function reading(rules: {
  isTooLarge?: (request: IncomingMessage, bytes: number, text: () => string) => boolean;
  idleMs?: number;
}): Change {
  return {
    parts: (parts) => ({
      ...parts,
      readBody: (request, limits, clock) =>
        readWhole(request, {
          clock,
          idleMs: rules.idleMs ?? limits.bodyMs,
          restarts: rules.idleMs !== undefined,
          isTooLarge: rules.isTooLarge ?? ((_request, bytes) => bytes > limits.bodyBytes),
        }),
    }),
  };
}

interface Reading {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly restarts: boolean;
  readonly isTooLarge: (request: IncomingMessage, bytes: number, text: () => string) => boolean;
}

function readWhole(request: IncomingMessage, { clock, idleMs, restarts, isTooLarge }: Reading): Promise<BodyOutcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const text = () => Buffer.concat(chunks).toString("utf8");
    const timer = () => clock.setTimeout(() => resolve("timeout"), idleMs);
    let cancel = timer();
    const settle = (outcome: BodyOutcome) => {
      cancel();
      resolve(outcome);
    };
    request.on("data", (chunk: Buffer) => {
      if (restarts) {
        cancel();
        cancel = timer();
      }
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (isTooLarge(request, bytes, text)) settle("too-large");
    });
    request.on("end", () => settle(Buffer.concat(chunks)));
    request.on("close", () => settle("aborted"));
  });
}

/** Parses bodies that the correct parser refuses. */
export const alsoParses = (parse: (text: string) => unknown): Change => ({
  parts: (parts) => ({
    ...parts,
    parseBody: (bytes, depth) => {
      const right = parts.parseBody(bytes, depth);
      if (right !== undefined) return right;
      try {
        const value = parse(new TextDecoder().decode(bytes));
        return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
      } catch {
        return undefined;
      }
    },
  }),
});

/** Bodies of one kind end in an internal error. */
const chokesOn = (kind: (text: string) => boolean): Change => ({
  parts: (parts) => ({
    ...parts,
    parseBody: (bytes, depth) => {
      if (kind(new TextDecoder().decode(bytes))) throw new TypeError("cannot read properties of a body");
      return parts.parseBody(bytes, depth);
    },
  }),
});

const jsonType = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  } catch {
    return "none";
  }
};

/** Turns an action that is no string into one. */
const actionFrom = (read: (action: unknown, names: readonly string[]) => unknown): Change => ({
  parts: (parts) => ({
    ...parts,
    parseBody: (bytes, depth) => {
      const body = parts.parseBody(bytes, depth);
      const names = parts.actions.map(({ name }) => name);
      return body === undefined ? undefined : { ...body, action: read(body["action"], names) as string };
    },
  }),
});

/** A body that the correct parser refuses, and what another one reads in it. */
type Shape = readonly [id: string, bug: string, parse: (text: string) => unknown];

const parsed: readonly Shape[] = [
  ["body-open-brace", "A body that breaks off is completed by guesswork.", (text) => JSON.parse(`${text}}`)],
  [
    "body-trailing",
    "Parsing stops at the end of the first object; what follows is ignored.",
    (text) => JSON.parse(text.slice(0, text.indexOf("}") + 1)),
  ],
  ["body-form", "A body that is no JSON is read as a form.", (text) => Object.fromEntries(new URLSearchParams(text))],
  ["body-array", "Of a list of requests the first is carried out.", (text) => (JSON.parse(text) as unknown[])[0]],
  [
    "body-text-of-json",
    "A body that is a JSON text is parsed once more.",
    (text) => JSON.parse(JSON.parse(text) as string),
  ],
];

const choked: Readonly<Record<string, readonly [body: string, kind: (text: string) => boolean]>> = {
  "body-empty": ["An empty body", (text) => text === ""],
  "body-not-json-500": ["A body that is no JSON", (text) => jsonType(text) === "none"],
  "body-text": ["A body that is a JSON text", (text) => jsonType(text) === "string"],
  "body-null": ["The body null", (text) => jsonType(text) === "null"],
  "body-number": ["A body that is a number", (text) => jsonType(text) === "number"],
  "body-flag": ["A body that is true", (text) => jsonType(text) === "boolean"],
};

const shapes: readonly Subject[] = [
  ...parsed.map(([id, bug, parse]) => ({ id, bug, change: alsoParses(parse) })),
  ...Object.entries(choked).map(([id, [what, kind]]) => {
    return { id, bug: `${what} ends in an internal error.`, change: chokesOn(kind) };
  }),
].map((subject) => ({ ...subject, kills: ["BODY-SHAPES"] }));

const single: readonly Subject[] = subjectsOf<Subject>({
  "body-limit-off-by-one": {
    bug: "A body of one byte more than the limit is read.",
    kills: ["BODY-LIMIT-EXACT-LENGTH", "BODY-LIMIT-EXACT-CHUNKED"],
    change: withLimits({ bodyBytes: 262_145 }),
  },
  "body-limit-announced-only": {
    bug: "Only the announced length is checked, so a chunked body may be of any size.",
    kills: ["BODY-262145-CHUNKED"],
    change: reading({
      isTooLarge: ({ headers }) => Number(headers["content-length"] ?? 0) > 262_144,
    }),
  },
  "body-limit-chunked-only": {
    bug: "The size is checked only where no length is announced.",
    kills: ["BODY-262145-LENGTH"],
    change: reading({
      isTooLarge: ({ headers }, bytes) => headers["content-length"] === undefined && bytes > 262_144,
    }),
  },
  "body-limit-characters": {
    bug: "The limit counts characters instead of bytes.",
    kills: ["BODY-BYTES-NOT-CHARACTERS", "BODY-BYTES-NOT-CHARACTERS-CHUNKED"],
    change: reading({ isTooLarge: (_request, bytes, text) => bytes > 262_144 && text().length > 262_144 }),
  },
  "body-limit-characters-chunked": {
    bug: "The limit counts bytes where a length is announced, and characters where none is.",
    kills: ["BODY-BYTES-NOT-CHARACTERS-CHUNKED"],
    change: reading({
      isTooLarge: ({ headers }, bytes, text) =>
        bytes > 262_144 && (headers["content-length"] !== undefined || text().length > 262_144),
    }),
  },
  "body-413-reset": {
    bug: "The connection is destroyed as soon as a body is too large, so the refusal is lost.",
    kills: ["BODY-413-DELIVERED-LENGTH", "BODY-413-DELIVERED-CHUNKED"],
    change: withStage("body", ({ run }) => async (exchange) => {
      const outcome = await run(exchange);
      if (typeof outcome !== "object" || outcome.code !== "payload_too_large") return outcome;
      exchange.request.socket.resetAndDestroy();
      return "aborted";
    }),
  },
  "body-time-none": {
    bug: "A body may take as long as it likes.",
    kills: ["BODY-SILENCE-15-SECONDS", "BODY-DRIP-15-SECONDS", "BODY-TIME-EVERY-REQUEST"],
    change: withLimits({ bodyMs: 3_600_000 }),
  },
  "body-time-14990": {
    bug: "A body has 14.99 seconds.",
    kills: ["BODY-15-SECONDS"],
    change: withLimits({ bodyMs: 14_990 }),
  },
  "body-time-idle": {
    bug: "Each byte that arrives starts the 15 seconds again.",
    kills: ["BODY-DRIP-15-SECONDS", "BODY-TIME-EVERY-REQUEST"],
    change: reading({ idleMs: 15_000 }),
  },
  "body-timeout-reset": {
    bug: "The connection is destroyed when a body runs out of time, without an answer.",
    kills: ["BODY-SILENCE-15-SECONDS"],
    change: withStage("body", ({ run }) => async (exchange) => {
      const outcome = await run(exchange);
      if (typeof outcome !== "object" || outcome.code !== "request_timeout") return outcome;
      exchange.request.socket.destroy();
      return "aborted";
    }),
  },
  "action-number": {
    bug: "An action given as a number is taken as a place in the list of actions.",
    kills: ["BODY-SHAPES"],
    change: actionFrom((action, names) => (typeof action === "number" ? names[action - 1] : action)),
  },
  "action-list": {
    bug: "An action given as a list is turned into a text.",
    kills: ["BODY-SHAPES"],
    change: actionFrom((action) => (Array.isArray(action) ? String(action) : action)),
  },
});

export const body: readonly Subject[] = [...single, ...shapes];
