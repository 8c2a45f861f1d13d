/** Section 8: bodies read with other rules for their size and time, or lost as they arrive. */
import { Buffer, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Limits } from "../../../../plugin/limits.ts";
import type { Clock, MaybePromise } from "../../../../plugin/ports.ts";
import { runStage, withLimits, withPart, withStage, withRefusals } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

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

/** The limit counts characters. */
const byCharacters = async ({ limits, right }: Given): Promise<BodyOutcome> => {
  const outcome = await right(UNLIMITED);
  return typeof outcome !== "string" && outcome.toString("utf8").length > limits.bodyBytes ? "too-large" : outcome;
};

/** The time begins anew with each piece. */
const byPiece = ({ request, limits, clock, right }: Given): Promise<BodyOutcome> => {
  const idle = new Promise<"timeout">((resolve) => {
    let cancel: (() => void) | undefined;
    const restart = () => {
      cancel?.();
      cancel = clock.setTimeout(() => resolve("timeout"), limits.bodyMs);
    };
    restart();
    request.on("data", restart).once("close", () => cancel?.());
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

/** What comes of a body, as it comes. */
const arriving = (request: IncomingMessage): Buffer[] => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  return chunks;
};

const carriedOutLate = withStage("body", async (exchange, right) => {
  const chunks = arriving(exchange.request);
  const outcome = await right();
  if (typeof outcome !== "object" || outcome.code !== "request_timeout") return outcome;
  const { parts } = exchange.context;
  exchange.request.once("end", () => {
    const body = parts.parseBody(Buffer.concat(chunks), parts.limits.jsonDepth);
    if (body !== undefined) void runStage("action", { ...exchange, body });
  });
  return outcome;
});

/** The request whose body a connection carries now. */
const current = new WeakMap<Socket, IncomingMessage>();
/** Bytes of large bodies that a connection has carried. */
const sums = new WeakMap<Socket, number>();
/** Bodies from this size are added up, bytes. */
const LARGE_BYTES = 100_000;

export const bodyReading: readonly Subject[] = [
  ...failing("BODY-413-DELIVERED", readsAnnounced, {
    "The limit counts characters where a length is announced": byCharacters,
  }),
  ...failing("BODY-413-DELIVERED", readsChunked, {
    "The limit counts characters where no length is announced": byCharacters,
  }),
  ...failing(["BODY-LIMIT-EXACT-LENGTH", "BODY-LIMIT-EXACT-CHUNKED"], {
    "A body of one byte more than the limit is read": withLimits({ bodyBytes: 262_145 }),
  }),
  ...failing("BODY-413-DELIVERED", {
    "The connection is destroyed as soon as a body is too large, so the refusal is lost": resets("payload_too_large"),
  }),
  ...failing("BODY-SILENCE-15-SECONDS", {
    "The connection is destroyed when a body runs out of time, without an answer": resets("request_timeout"),
  }),
  ...failing("BODY-15-SECONDS", { "A body has 14.99 seconds": withLimits({ bodyMs: 14_990 }) }).map((subject) => ({
    ...subject,
    drivenOnly: true,
  })),
  ...failing("BODY-DRIP-15-SECONDS", readsAnnounced, {
    "Each byte of an announced body starts the 15 seconds again": byPiece,
  }),
  ...failing("BODY-TIME-EVERY-REQUEST", readsChunked, {
    "Each chunk of a body begins the 15 seconds anew": byPiece,
  }),
  ...failing("BODY-NOTHING-15-SECONDS", reads, {
    "The 15 seconds begin with the first byte of a body, so a caller that sends none holds its slot for ever": ({
      request,
      clock,
      right,
    }) => right({}, fromFirstByte(clock, request)),
  }),
  ...failing("BODY-LATE-NOT-CARRIED-OUT", {
    "A request that ran out of time is refused, and carried out all the same when the rest of its body comes":
      carriedOutLate,
  }),
  ...failing("BODY-TIME-PER-REQUEST", reads, {
    "The timer of a body outlives it, and cuts the body that its connection carries then": async (given) => {
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
  }),
  ...failing("REQUEST-RIGHT", rereads, {
    "The sizes of the large bodies that come over one connection are added up": (bytes, { request, limits }) => {
      if (bytes.byteLength < LARGE_BYTES) return bytes;
      const sum = (sums.get(request.socket) ?? 0) + bytes.byteLength;
      sums.set(request.socket, sum);
      return sum > limits.bodyBytes ? "too-large" : bytes;
    },
  }),
  ...failing("BODY-SPLIT-CHARACTER", reads, {
    "Each piece of a body is made text by itself, so a character between two of them is lost": async (given) => {
      const chunks = arriving(given.request);
      const outcome = await given.right();
      return typeof outcome !== "string" && isUtf8(outcome) ? Buffer.from(chunks.map(String).join("")) : outcome;
    },
  }),
  ...failing("BODY-COMPRESSED", rereads, {
    "A compressed body is inflated after its size has been checked, to whatever there is": (bytes, { request }) =>
      request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes,
  }),
  ...failing("BODY-CUT-SHORT", reads, {
    "When the connection ends within the body, what has come of it is carried out": async ({ request, right }) => {
      const chunks = arriving(request);
      const closed = new Promise<"aborted">((resolve) => request.on("close", () => resolve("aborted")));
      const outcome = await Promise.race([right(), closed]);
      return outcome === "aborted" ? Buffer.concat(chunks) : outcome;
    },
  }),
];
