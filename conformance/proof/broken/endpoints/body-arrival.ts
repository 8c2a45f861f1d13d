/** Section 8: bodies that arrive late or in pieces, handled wrongly. */
import { Buffer, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import type { Limits } from "../../../../plugin/limits.ts";
import type { Parts } from "../../../../plugin/contract.ts";
import type { Clock, MaybePromise } from "../../../../plugin/ports.ts";
import { withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

interface Read {
  readonly request: IncomingMessage;
  readonly limits: Limits;
  readonly clock: Clock;
  /** The correct reader. */
  readonly right: Parts["readBody"];
}

const reads = (read: (given: Read) => MaybePromise<BodyOutcome>): Change => ({
  parts: (parts) => ({
    ...parts,
    readBody: (request, limits, clock) => read({ request, limits, clock, right: parts.readBody }),
  }),
});

/** The same clock, but its timers start with the body's first byte. */
const fromFirstByte = (clock: Clock, request: IncomingMessage): Clock => ({
  now: () => clock.now(),
  setTimeout: (run, ms) => {
    let cancel: (() => void) | undefined;
    request.once("data", () => (cancel = clock.setTimeout(run, ms)));
    return () => cancel?.();
  },
});

/** Bodies from this size are added up, bytes. */
const LARGE_BYTES = 100_000;

export const bodyArrival: readonly Subject[] = subjectsOf<Subject>({
  "body-time-from-first-byte": {
    bug: "The 15 seconds begin with the first byte of a body, so a caller that sends none holds its slot for ever.",
    kills: ["BODY-NOTHING-15-SECONDS"],
    change: reads(({ request, limits, clock, right }) => right(request, limits, fromFirstByte(clock, request))),
  },
  "body-time-announced-only": {
    bug: "A body has a time-out only where its length is announced.",
    kills: ["BODY-TIME-EVERY-REQUEST"],
    change: reads(({ request, limits, clock, right }) => {
      const announced = request.headers["content-length"] !== undefined;
      return right(request, announced ? limits : { ...limits, bodyMs: 3_600_000 }, clock);
    }),
  },
  "body-late-carried-out": {
    bug: "A request that ran out of time is refused, and carried out all the same when the rest of its body comes.",
    kills: ["BODY-LATE-NOT-CARRIED-OUT"],
    change: withStage("body", ({ run }) => async (exchange) => {
      const chunks: Buffer[] = [];
      exchange.request.on("data", (chunk: Buffer) => chunks.push(chunk));
      const outcome = await run(exchange);
      if (typeof outcome !== "object" || outcome.code !== "request_timeout") return outcome;
      const { parts } = exchange.context;
      exchange.request.once("end", () => {
        const body = parts.parseBody(Buffer.concat(chunks), parts.limits.jsonDepth);
        const action = parts.stages.find(({ name }) => name === "action");
        if (body !== undefined) void action?.run({ ...exchange, body });
      });
      return outcome;
    }),
  },
  "body-timer-left-behind": {
    bug: "The timer of a body outlives it, and cuts the body that its connection carries then.",
    kills: ["BODY-TIME-PER-REQUEST"],
    change: reads(async ({ request, limits, clock, right }) => {
      const { socket } = request;
      current.set(socket, request);
      clock.setTimeout(() => {
        const now = current.get(socket);
        if (now !== undefined && now !== request) socket.destroy();
      }, limits.bodyMs);
      const outcome = await right(request, limits, clock);
      current.delete(socket);
      return outcome;
    }),
  },
  "body-size-per-connection": {
    bug: "The sizes of the large bodies that come over one connection are added up.",
    kills: ["BODY-SIZE-PER-REQUEST"],
    change: reads(async ({ request, limits, clock, right }) => {
      const outcome = await right(request, limits, clock);
      if (typeof outcome === "string" || outcome.byteLength < LARGE_BYTES) return outcome;
      const sum = (sums.get(request.socket) ?? 0) + outcome.byteLength;
      sums.set(request.socket, sum);
      return sum > limits.bodyBytes ? "too-large" : outcome;
    }),
  },
  "body-decoded-in-pieces": {
    bug: "Each piece of a body is made text by itself, so a character between two of them is lost.",
    kills: ["BODY-SPLIT-CHARACTER"],
    change: reads(async ({ request, limits, clock, right }) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
      const outcome = await right(request, limits, clock);
      return typeof outcome !== "string" && isUtf8(outcome) ? Buffer.from(text) : outcome;
    }),
  },
});

/** The request whose body a connection carries now. */
const current = new WeakMap<Socket, IncomingMessage>();
/** Bytes of large bodies that a connection has carried. */
const sums = new WeakMap<Socket, number>();
