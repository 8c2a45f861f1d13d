/** Section 8: the in-flight limit gone wrong: slots that are not freed, freed twice, or never taken. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { hasArrived } from "../../../../plugin/body.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Exchange, Stage } from "../../../../plugin/contract.ts";
import { alsoLetsIn, together, withPart, withStage, withRefusals, type StageName } from "../../changes.ts";
import { add, BUDGET, isChunked, limiting, uncounted } from "../../limit-books.ts";
import { ownOf } from "../../lets-in.ts";
import { gap, late } from "../../runtime.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";

/** Answers with one of these codes (undefined: a success) free so many slots more than their own; -1: fewer. */
const frees = (more: 1 | -1, codes: readonly (Code | undefined)[]): Change =>
  limiting(() => ({
    answered: (code, key, books) => {
      if (codes.includes(code)) add(books, key, -more);
    },
  }));

/** What a request has whose slot is never freed, and the cases that see it. */
const leaking: readonly (readonly [what: string, code: Code | undefined, kills: string])[] = [
  ["that succeeded", undefined, "IN-FLIGHT-FREED"],
  ["that is refused beside eight in flight", "too_many_in_flight", "IN-FLIGHT-FREED"],
  ["with an invalid body", "invalid_request", "IN-FLIGHT-FREED"],
  ["with another revision than the flow's", "revision_conflict", "IN-FLIGHT-FREED"],
  ["that was answered with 202", "cancel_pending", "IN-FLIGHT-FREED"],
  ["that could not be stored", "persist_failed", "PROPERTY-LIMITS, ALWAYS-WITHIN-LIMITS"],
  ["for an absent flow", "not_found", "IN-FLIGHT-FREED"],
  ["for a flow that has ended", "terminal", "IN-FLIGHT-FREED"],
  ["for a flow that does not wait", "mutation_rejected", "IN-FLIGHT-FREED"],
  ["for a flow whose cancellation is requested", "cancel_requested", "IN-FLIGHT-FREED"],
  ["for a flow that is not managed", "not_managed", "IN-FLIGHT-FREED"],
  ["for a task that the session may not have", "task_not_created", "IN-FLIGHT-FREED"],
  ["with a body that is too large", "payload_too_large", "IN-FLIGHT-FREED"],
  ["whose body ran out of time", "request_timeout", "IN-FLIGHT-FREED-TIMEOUT"],
];

/** A request whose body fails in this way takes so many slots more, or fewer, of its key. */
const slotsAfter = (failed: "aborted" | "timeout", more: (request: IncomingMessage) => number): Change =>
  limiting(() => ({
    read: (outcome, key, books, request) => {
      if (outcome === failed) add(books, key, more(request));
    },
  }));

/** The slot stays taken when the client goes away while the body is read. */
const leaksAtAbort = (leaks: (hasBegun: boolean, request: IncomingMessage) => boolean): Change =>
  slotsAfter("aborted", (request) => Number(leaks(request.readableDidRead, request)));

/** Takes one slot more, which is never freed. Made while the connection stands: a closed one has no address. */
const leakOf = ({ context, request }: Exchange) => {
  const key = context.parts.clientKey(context.route, request);
  return () => void context.inFlightLimiter.take(key);
};

/** The slot of such a request that this stage refuses is never freed. */
const leaksRefused = (stage: StageName, isMeant: (request: IncomingMessage) => boolean): Change =>
  withRefusals((refusal, exchange) => {
    if (isMeant(exchange.request)) leakOf(exchange)();
    return refusal;
  }, stage);

const unanswered = new WeakMap<object, number>();

/** Another way to take a slot for what was sent before the request in front of it was answered. */
const pipelined = (take: (exchange: Exchange, right: () => ReturnType<Stage["run"]>) => ReturnType<Stage["run"]>) =>
  withStage("in-flight", (exchange, right) => {
    const { request, response } = exchange;
    const before = unanswered.get(request.socket) ?? 0;
    unanswered.set(request.socket, before + 1);
    // Later than the requests that came in the same packet: the plugin can have answered one before the next is handled.
    const answered = () => unanswered.set(request.socket, (unanswered.get(request.socket) ?? 1) - 1);
    response.once("finish", () => setImmediate(answered));
    return before > 0 ? take(exchange, right) : right();
  });

const notUtf8 = new WeakSet<IncomingMessage>();

/** Requests of a route that have passed the rate limit and are not answered. */
const admitted = new WeakMap<object, number>();

const leaksBesideAnother = withStage("rate-limit", async (exchange, right) => {
  const { context, response } = exchange;
  const count = (more: number) => void admitted.set(context, (admitted.get(context) ?? 0) + more);
  const outcome = await right();
  if (outcome !== undefined && (admitted.get(context) ?? 0) > 0) leakOf(exchange)();
  if (outcome === undefined) {
    count(1);
    response.once("close", () => count(-1));
  }
  return outcome;
});

export const inFlight: readonly Subject[] = [
  ...failing({
    "ORDER-RATE-HOLDS-NO-SLOT: A request that the rate limit refuses beside another in flight takes a slot for good":
      leaksBesideAnother,
    "IN-FLIGHT-FREED: A 401 frees its slot where it is refused and once more where the answer is written": frees(1, [
      "unauthorized",
    ]),
    "IN-FLIGHT-FREED: A slot is given back by the end of an answer and again by its connection": frees(1, [undefined]),
    "IN-FLIGHT-FREED: A request refused for its method or content type gives back a slot that another request has":
      frees(1, ["method_not_allowed", "unsupported_media_type"]),
    "IN-FLIGHT-FREED: The slot of a request that is refused for its secret while its body is still to come is never freed":
      leaksRefused("authentication", (request) => !hasArrived(request)),
    "IN-FLIGHT-FREED: The slot of a request whose chunks are too large, or no JSON, is never freed": leaksRefused(
      "body",
      isChunked,
    ),
    "IN-FLIGHT-FREED: The slot of a request with a wrong secret in the product's header is never freed": leaksRefused(
      "authentication",
      ({ headers }) => headers.authorization === undefined,
    ),
    "IN-FLIGHT-FREED: A client that goes away before the answer is written keeps the slot for ever": withStage(
      "action",
      async (exchange, right) => {
        const { socket } = exchange.request;
        const leak = leakOf(exchange);
        socket.once("close", leak);
        await sleep(20);
        socket.off("close", leak);
        return right();
      },
    ),
    "IN-FLIGHT-9-REFUSED: A request counts as in flight only until its headers are checked, not while its body is read":
      withStage("body", (exchange, right) => {
        exchange.releaseSlot?.();
        return right();
      }),
    "IN-FLIGHT-9-REFUSED: A request that is refused because eight are in flight gives a slot back that it never had":
      frees(1, ["too_many_in_flight"]),
    [`IN-FLIGHT-AT-ONCE: The in-flight limit looks for a free slot and takes it ${late}`]: withStage(
      "in-flight",
      async (exchange, right) => {
        const refusal = await right();
        if (refusal !== undefined) return refusal;
        exchange.releaseSlot?.();
        await gap();
        await right();
        return undefined;
      },
    ),
    "IN-FLIGHT-ACROSS-WINDOWS: When a key's window ends, what it has in flight is forgotten as well": limiting(() => ({
      opens: (key, { slots }) => void slots.delete(key),
    })),
    "IN-FLIGHT-FREED-TIMEOUT: A body that runs out of time frees its slot twice": slotsAfter("timeout", () => -1),
    "IN-FLIGHT-FREED-TIMEOUT, PROPERTY-LIMITS: A body in chunks that runs out of time keeps its slot": slotsAfter(
      "timeout",
      (request) => Number(isChunked(request)),
    ),
    "PROPERTY-LIMITS: A change that cannot be stored keeps its slot": withRefusals((refusal, exchange) => {
      if (refusal.code === "persist_failed" && exchange.body?.["action"] !== "create_flow") leakOf(exchange)();
      return refusal;
    }, "action"),
    "IN-FLIGHT-FREED: A body that is not UTF-8 keeps its slot": together(
      withPart("readBody", (read) => async (request, ...how) => {
        const outcome = await read(request, ...how);
        if (typeof outcome !== "string" && !isUtf8(outcome)) notUtf8.add(request);
        return outcome;
      }),
      leaksRefused("body", (request) => notUtf8.has(request)),
    ),
    "IN-FLIGHT-FREED: A request that is broken off gives its slot back twice: by its body and by its connection":
      slotsAfter("aborted", () => -1),
    "IN-FLIGHT-FREED: What is refused beside eight is not counted when half of the budget is spent": uncounted(
      "too_many_in_flight",
      (count) => count > BUDGET / 2,
    ),
    "IN-FLIGHT-FREED: A request without any secret is not counted by the rate limit": alsoLetsIn(
      "rate-limit",
      ({ headers }) => (headers.authorization ?? ownOf(headers)) === undefined,
    ),
    "IN-FLIGHT-FREED: What a browser asks before a request of another origin is counted": withRefusals(
      (refusal, { context: { rateLimiter, parts, route }, request }) => {
        if (request.headers["access-control-request-method"] !== undefined)
          rateLimiter.take(parts.clientKey(route, request));
        return refusal;
      },
      "method",
    ),
    "IN-FLIGHT-EVERY-REQUEST: A request that was sent before the one in front of it was answered takes no slot":
      pipelined(() => undefined),
    "IN-FLIGHT-FREED: The slot of a request that was sent before the one in front of it was answered is never freed":
      pipelined((exchange, right) => {
        leakOf(exchange)();
        return right();
      }),
    "IN-FLIGHT-FREED: A conflict keeps its slot where the answer before was that the flow has ended": limiting(() => {
      const last = new Map<string, Code | undefined>();
      return {
        answered: (code, key, books) => {
          if (last.get(key) === "terminal" && code === "revision_conflict") add(books, key, 1);
          last.set(key, code);
        },
      };
    }),
  }),
  ...failingEach(leaking, ([what, code, kills]) => [
    `${kills}: The slot of a request ${what} is never freed`,
    frees(-1, [code]),
  ]),
  ...allFailing("IN-FLIGHT-FREED", leaksAtAbort, {
    "A client that breaks off before its body keeps the slot for ever": (hasBegun) => !hasBegun,
    "A request whose first chunk is malformed keeps the slot for ever": (hasBegun, request) =>
      !hasBegun && isChunked(request),
    "A client that breaks off before its body, which it asked to send, keeps the slot for ever": (hasBegun, request) =>
      !hasBegun && request.headers.expect !== undefined,
    "A client that breaks off within its body keeps the slot for ever": (hasBegun, request) =>
      hasBegun && !isChunked(request),
    "A client that breaks off within a body in chunks keeps the slot for ever": (hasBegun, request) =>
      hasBegun && isChunked(request),
  }),
];
