/** Sections 4 and 8: bodies read by other rules for their size, time and grammar, or lost as they arrive. */
import { Buffer, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Limits } from "../../../../plugin/limits.ts";
import type { Clock, MaybePromise } from "../../../../plugin/ports.ts";
import {
  runStage,
  withLimits,
  withPart,
  withStage,
  withRefusals,
  alsoParses,
  together,
  withCall,
  withNotes,
  withRequest,
} from "../../changes.ts";
import { isChunked } from "../../limit-books.ts";
import { allFailing, failing, type Change, type Subject } from "../../subject.ts";

interface Given {
  readonly request: IncomingMessage;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Undefined where no length is announced. */
  readonly announced: string | undefined;
  /** Reads correctly, by other limits or another clock. */
  right(over?: Partial<Limits>, clock?: Clock): MaybePromise<BodyOutcome>;
}

type Read = (given: Given) => MaybePromise<BodyOutcome>;

const reads = (read: Read): Change =>
  withPart("readBody", (readBody) => async (request, limits, clock) => {
    const right: Given["right"] = (over, by = clock) => readBody(request, { ...limits, ...over }, by);
    return read({ request, limits, clock, announced: request.headers["content-length"], right });
  });

/** Another way to read where a length is announced, and where none is. */
const readsAnnounced = (read: Read): Change =>
  reads((given) => (given.announced === undefined ? given.right() : read(given)));
const readsChunked = (read: Read): Change =>
  reads((given) => (given.announced === undefined ? read(given) : given.right()));

/** Looks at the read body once more. */
export const rereads = (look: (bytes: Buffer, given: Given) => BodyOutcome): Change =>
  reads(async (given) => {
    const outcome = await given.right();
    return typeof outcome === "string" ? outcome : look(outcome, given);
  });

const ENDLESS_MS = 3_600_000;
const UNLIMITED = { bodyBytes: 100_000_000 };

const byCharacters = async ({ limits, right }: Given): Promise<BodyOutcome> => {
  const outcome = await right(UNLIMITED);
  return typeof outcome !== "string" && outcome.toString("utf8").length > limits.bodyBytes ? "too-large" : outcome;
};

/** The time begins anew with each piece of at least so many bytes. */
const byPiece = (
  { request, limits, clock, right }: Given,
  pieces: "on" | "once" = "on",
  least = 0,
): Promise<BodyOutcome> => {
  const idle = new Promise<"timeout">((resolve) => {
    let cancel: (() => void) | undefined;
    const restart = (piece?: Buffer) => {
      if (piece !== undefined && piece.byteLength < least) return;
      cancel?.();
      cancel = clock.setTimeout(() => resolve("timeout"), limits.bodyMs);
    };
    restart();
    request[pieces]("data", restart).once("close", () => cancel?.());
  });
  return Promise.race([right({ bodyMs: ENDLESS_MS }), idle]);
};

/** The same clock, but its timers start with the body's first byte. */
const fromFirstByte = (clock: Clock, request: IncomingMessage): Clock => ({
  now: () => clock.now(),
  setTimeout: (run, ms) => {
    let cancel: (() => void) | undefined;
    request.once("data", () => (cancel = clock.setTimeout(run, ms)));
    return () => cancel?.();
  },
});

/** The connection is gone in place of an answer with this code. */
const resets = (code: Code): Change =>
  withRefusals((refusal, { request }) => {
    if (refusal.code !== code) return refusal;
    request.socket.resetAndDestroy();
    return "aborted";
  }, "body");

const arriving = (request: IncomingMessage): Buffer[] => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  return chunks;
};

const carriedOut = (at: "in time" | "at its end"): Change =>
  withStage("body", async (exchange, right) => {
    const chunks = arriving(exchange.request);
    const outcome = await right();
    if (typeof outcome !== "object" || outcome.code !== "request_timeout") return outcome;
    const { parts } = exchange.context;
    const act = () => {
      const body = parts.parseBody(Buffer.concat(chunks), parts.limits.jsonDepth);
      if (body !== undefined) void runStage("action", { ...exchange, body });
    };
    if (at === "in time") act();
    else exchange.request.once("end", act);
    return outcome;
  });

/** The request whose body a connection carries now. */
const current = new WeakMap<Socket, IncomingMessage>();
/** Bytes that a connection had carried when its last body was read. */
const readBefore = new WeakMap<Socket, number>();
/** The longest chunked body of a connection so far, as later ones have overwritten it. */
const chunked = new WeakMap<Socket, Buffer>();
/** Bytes of large bodies that a connection has carried. */
const sums = new WeakMap<Socket, number>();
/** Bodies from this size are added up, bytes. */
const LARGE_BYTES = 100_000;

/** Texts that are no JSON are mended. */
const mends = (mend: (text: string) => string): Change =>
  alsoParses((text) => {
    const json = mend(text);
    if (json === text) throw new SyntaxError("nothing to mend");
    return JSON.parse(json);
  });

/** Bodies of one kind end in an internal error. */
const chokesOn = (kind: (text: string) => boolean): Change =>
  rereads((bytes) => {
    if (kind(bytes.toString("utf8"))) throw new TypeError("cannot read properties of a body");
    return bytes;
  });

/** Turns an action that is no string into one. */
const actionFrom = (read: (action: unknown, names: readonly string[]) => unknown): Change =>
  withRequest((body, { parts }) => {
    const names = parts.actions.map(({ name }) => name);
    return "action" in body ? { ...body, action: read(body["action"], names) as string } : body;
  });

export const isDeep = (value: unknown): boolean => {
  let item = value;
  for (let depth = 0; Array.isArray(item); depth += 1, item = item[0]) if (depth > 100) return true;
  return false;
};

export const body: readonly Subject[] = [
  ...failing({
    "BODY-413-DELIVERED: The limit counts characters where a length is announced": readsAnnounced(byCharacters),
    "BODY-413-DELIVERED: The limit counts characters where no length is announced": readsChunked(byCharacters),
    "BODY-LIMIT-EXACT-LENGTH, BODY-LIMIT-EXACT-CHUNKED: A body of one byte more than the limit is read": withLimits({
      bodyBytes: 262_145,
    }),
    "BODY-413-DELIVERED: The connection is destroyed as soon as a body is too large, so the refusal is lost":
      resets("payload_too_large"),
    "BODY-DRIP-15-SECONDS: The connection is destroyed when a body runs out of time, without an answer":
      resets("request_timeout"),
    "BODY-DRIP-15-SECONDS: Each byte of an announced body starts the 15 seconds again": readsAnnounced(byPiece),
    "BODY-DRIP-15-SECONDS: The first byte of a body starts the 15 seconds again": reads((given) =>
      byPiece(given, "once"),
    ),
    "BODY-DRIP-15-SECONDS: Each piece of 4 KiB of a body without a length starts the 15 seconds again": readsChunked(
      (given) => byPiece(given, "on", 4096),
    ),
    "BODY-TIME-EVERY-REQUEST: Each chunk of a body begins the 15 seconds anew": readsChunked(byPiece),
    "BODY-DRIP-15-SECONDS: The 15 seconds begin with the first byte of a body, so a caller that sends none holds its slot for ever":
      reads(({ request, clock, right }) => right({}, fromFirstByte(clock, request))),
    "BODY-LATE-NOT-CARRIED-OUT: A request that ran out of time is refused, and carried out all the same when the rest of its body comes":
      carriedOut("at its end"),
    "BODY-LATE-NOT-CARRIED-OUT: A request that ran out of time is refused, and carried out where what has come is whole JSON":
      carriedOut("in time"),
    "BODY-TIME-PER-REQUEST: The timer of a body outlives it, and cuts the body that its connection carries then": reads(
      async (given) => {
        const { request, limits, clock, right } = given;
        const { socket } = request;
        current.set(socket, request);
        clock.setTimeout(() => {
          const now = current.get(socket);
          if (now !== undefined && now !== request) socket.destroy();
        }, limits.bodyMs);
        const outcome = await right();
        current.delete(socket);
        return outcome;
      },
    ),
    "REQUEST-RIGHT: A chunked body ends with what a longer one before it on the connection has left in the buffer":
      rereads((bytes, { request }) => {
        if (!isChunked(request)) return bytes;
        const left = chunked.get(request.socket)?.subarray(bytes.byteLength) ?? Buffer.alloc(0);
        chunked.set(request.socket, Buffer.concat([bytes, left]));
        return Buffer.concat([bytes, left]);
      }),
    "REQUEST-RIGHT: The lines between chunks count as the body": rereads((bytes, { request, limits }) => {
      const { socket } = request;
      const size = socket.bytesRead - (readBefore.get(socket) ?? 0);
      readBefore.set(socket, socket.bytesRead);
      return isChunked(request) && size > limits.bodyBytes ? "too-large" : bytes;
    }),
    "REQUEST-RIGHT: The sizes of the large bodies that come over one connection are added up": rereads(
      (bytes, { request, limits }) => {
        if (bytes.byteLength < LARGE_BYTES) return bytes;
        const sum = (sums.get(request.socket) ?? 0) + bytes.byteLength;
        sums.set(request.socket, sum);
        return sum > limits.bodyBytes ? "too-large" : bytes;
      },
    ),
    "BODY-SPLIT-CHARACTER: Each piece of a body is made text by itself, so a character between two of them is lost":
      reads(async (given) => {
        const chunks = arriving(given.request);
        const outcome = await given.right();
        return typeof outcome !== "string" && isUtf8(outcome) ? Buffer.from(chunks.map(String).join("")) : outcome;
      }),
    "BODY-COMPRESSED: A compressed body is inflated after its size has been checked, to whatever there is": rereads(
      (bytes, { request }) => (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes),
    ),
    "BODY-CUT-SHORT: When the connection ends within the body, what has come of it is carried out": reads(
      async ({ request, right }) => {
        const chunks = arriving(request);
        const closed = new Promise<"aborted">((resolve) => request.on("close", () => resolve("aborted")));
        const outcome = await Promise.race([right(), closed]);
        return outcome === "aborted" ? Buffer.concat(chunks) : outcome;
      },
    ),
    "REQUEST-BODY: One reader of text for all bodies keeps the first byte of a character for the next one": withPart(
      "parseBody",
      (right) => {
        const reader = new TextDecoder();
        return (bytes, depth) => right(Buffer.from(reader.decode(bytes, { stream: true })), depth);
      },
    ),
    // A reader whose table of escapes has no solidus.
    "BODY-JSON-GRAMMAR: The escape of a solidus is refused": rereads((bytes) =>
      bytes.includes(String.raw`\/`) ? Buffer.from("{") : bytes,
    ),
    "BODY-ODD-JSON: A body that is nested deeply ends the connection without an answer": rereads(
      (bytes, { request }) => {
        if (!bytes.includes("[".repeat(1000))) return bytes;
        request.socket.destroy();
        return "aborted";
      },
    ),
    "BODY-ODD-JSON: A goal with half of a pair of surrogates is stored, and no list that it is in can be written any more":
      withCall("list", async (_input, flows) => {
        const list = await flows.list();
        for (const { goal } of list) encodeURIComponent(goal);
        return list;
      }),
    "BODY-DEEP-STATE: State that is nested deeply is stored, and a flow that has it can be written into no answer":
      together(
        withLimits({ jsonDepth: 1_000_000 }),
        withNotes(["set_waiting", "get_flow"], ({ name, fields: { flowId, stateJson }, right }, lost) => {
          if (isDeep(stateJson)) lost.set(flowId, true);
          if (name === "get_flow" && lost.has(flowId)) throw new RangeError("Maximum call stack size exceeded");
          return right();
        }),
      ),
    "BODY-QUERY-NO-FIELDS: Fields in the URL's query count before those of the body": withRequest(
      (body, _context, { url = "" }) => {
        const named = [...new URL(url, "http://gateway").searchParams].filter(([name]) => /^(action|goal)$/.test(name));
        return { ...body, ...Object.fromEntries(named) };
      },
    ),
  }),
  ...allFailing("BODY-SHAPES", alsoParses, {
    "A body that breaks off is completed by guesswork": (text) => JSON.parse(`${text}}`),
    "Parsing stops at the end of the first object; what follows is ignored": (text) =>
      JSON.parse(text.slice(0, text.indexOf("}") + 1)),
    "A body that is no JSON is read as a form": (text) => Object.fromEntries(new URLSearchParams(text)),
    "Of a list of requests the first is carried out": (text) => (JSON.parse(text) as unknown[])[0],
    "A body that is a JSON text is parsed once more": (text) => JSON.parse(JSON.parse(text) as string),
  }),
  ...allFailing("BODY-SHAPES, NEVER-5XX", chokesOn, {
    "An empty body ends in an internal error": (text) => text === "",
    "A body that is a JSON text ends in an internal error": (text) => text.startsWith('"'),
    "The body null ends in an internal error": (text) => text === "null",
    "A body that is a number ends in an internal error": (text) => /^-?\d/.test(text),
    "A body that is true ends in an internal error": (text) => text === "true",
  }),
  ...allFailing("BODY-SHAPES", actionFrom, {
    "An action given as a number is taken as a place in the list of actions": (action, names) =>
      typeof action === "number" ? names[action - 1] : action,
    "An action given as a list is turned into a text": (action) => (Array.isArray(action) ? String(action) : action),
  }),
  ...allFailing("BODY-JSON-GRAMMAR", mends, {
    "Comments are taken for JSON": (text) => text.replaceAll(/\/\*.*?\*\/|\/\/.*\n/g, ""),
    "Texts in single quotes are taken for JSON": (text) => (text.includes('"') ? text : text.replaceAll("'", '"')),
    "Commas behind the last member are taken for JSON": (text) => text.replaceAll(/,(?=[}\]])/g, ""),
    "NaN and Infinity are taken for JSON": (text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "null"),
    "Line breaks in texts are taken for JSON": (text) => text.replaceAll("\n", String.raw`\n`),
  }),
];
