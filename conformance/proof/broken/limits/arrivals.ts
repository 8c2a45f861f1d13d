/** Section 8: limits that hold for requests of the usual kind only. */
import type { IncomingMessage } from "node:http";
import type { Limits } from "../../../../plugin/limits.ts";
import type { Clock } from "../../../../plugin/ports.ts";
import { alsoLetsIn, withStage } from "../../changes.ts";
import { withStageKey } from "../../limit-changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const firsts = new WeakMap<object, IncomingMessage>();

/** A later request of its connection. */
function isLater(request: IncomingMessage): boolean {
  const first = firsts.get(request.socket) ?? request;
  firsts.set(request.socket, first);
  return first !== request;
}

const isOld = ({ httpVersion }: IncomingMessage): boolean => httpVersion === "1.0";
const isChunked = ({ headers }: IncomingMessage): boolean => headers["transfer-encoding"] === "chunked";

/** Bodies of some requests are read with other limits. */
const readWith = (over: Partial<Limits>, of: (request: IncomingMessage) => boolean): Change => ({
  parts: (parts) => ({
    ...parts,
    readBody: (request, limits, clock) => parts.readBody(request, of(request) ? { ...limits, ...over } : limits, clock),
  }),
});

/** Settles when no data has come for so long. */
const idle = (request: IncomingMessage, clock: Clock, ms: number): Promise<"timeout"> =>
  new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const restart = () => {
      cancel?.();
      cancel = clock.setTimeout(() => resolve("timeout"), ms);
    };
    restart();
    request.on("data", restart).once("close", () => cancel?.());
  });

const chunksRestartTime: Change = {
  parts: (parts) => ({
    ...parts,
    readBody: (request, limits, clock) =>
      isChunked(request)
        ? Promise.race([
            parts.readBody(request, { ...limits, bodyMs: 3_600_000 }, clock),
            idle(request, clock, limits.bodyMs),
          ])
        : parts.readBody(request, limits, clock),
  }),
};

const unanswered = new WeakMap<object, number>();

const pipelinedFree = withStage("in-flight", ({ run }) => (exchange) => {
  const { request, response } = exchange;
  const before = unanswered.get(request.socket) ?? 0;
  unanswered.set(request.socket, before + 1);
  // Later than the requests that came in the same packet: the plugin can have answered one before the next is handled.
  const answered = () => unanswered.set(request.socket, (unanswered.get(request.socket) ?? 1) - 1);
  response.once("finish", () => setImmediate(answered));
  return before > 0 ? undefined : run(exchange);
});

const UNLIMITED = { bodyBytes: Number.POSITIVE_INFINITY };
const ENDLESS = { bodyMs: 3_600_000 };

export const arrivals: readonly Subject[] = subjectsOf<Subject>({
  "body-size-first-of-connection": {
    bug: "Only the first body of a connection is measured.",
    kills: ["REQUEST-BODY"],
    change: readWith(UNLIMITED, isLater),
  },
  "body-size-http-10": {
    bug: "A body that comes as HTTP/1.0 is read to its end.",
    kills: ["REQUEST-BODY"],
    change: readWith(UNLIMITED, isOld),
  },
  "body-size-after-expect": {
    bug: "A body that was asked for with 100 Continue is read to its end.",
    kills: ["REQUEST-BODY"],
    change: readWith(UNLIMITED, ({ headers }) => headers.expect !== undefined),
  },
  "body-time-first-of-connection": {
    bug: "Only the first body of a connection has to come in time.",
    kills: ["BODY-TIME-EVERY-REQUEST"],
    change: readWith(ENDLESS, isLater),
  },
  "body-time-per-chunk": {
    bug: "Each chunk of a body begins the 15 seconds anew.",
    kills: ["BODY-TIME-EVERY-REQUEST"],
    change: chunksRestartTime,
  },
  "rate-http-10": {
    bug: "HTTP/1.0 requests are not counted by the rate limit.",
    kills: ["RATE-EVERY-REQUEST"],
    change: alsoLetsIn("rate-limit", isOld),
  },
  "rate-chunked": {
    bug: "Requests that come in chunks are not counted by the rate limit.",
    kills: ["RATE-EVERY-REQUEST"],
    change: alsoLetsIn("rate-limit", isChunked),
  },
  "rate-key-absolute-form": {
    bug: "A request target in absolute form has a budget of its own.",
    kills: ["RATE-EVERY-REQUEST"],
    change: withStageKey("rate-limit", (_route, { url = "" }, key) => (url.startsWith("/") ? key : `${url} ${key}`)),
  },
  "in-flight-pipelined": {
    bug: "A request that was sent before the one in front of it was answered takes no slot.",
    kills: ["IN-FLIGHT-EVERY-REQUEST"],
    change: pipelinedFree,
  },
  "in-flight-chunked": {
    bug: "Only requests that announce their length take a slot.",
    kills: ["IN-FLIGHT-EVERY-REQUEST"],
    change: alsoLetsIn("in-flight", isChunked),
  },
});
