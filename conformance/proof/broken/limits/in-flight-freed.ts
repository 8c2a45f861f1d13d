/** Section 8: slots of the in-flight limit that are not freed. */
import { hasArrived } from "../../../../plugin/body.ts";
import { withStage } from "../../changes.ts";
import { add, limiting } from "../../limit-books.ts";
import { routeAt } from "../../limit-changes.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Code } from "../../../../plugin/codes.ts";
import type { InFlightLimiter } from "../../../../plugin/in-flight-limiter.ts";
import type { Parts } from "../../../../plugin/contract.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Parts that expose their in-flight limiter, to take slots that nobody frees. */
function leaky(parts: Parts): Parts & { take: InFlightLimiter["take"]; leak(key: string): void } {
  const limiters: InFlightLimiter[] = [];
  return {
    ...parts,
    createInFlightLimiter: (limits) => {
      const limiter = parts.createInFlightLimiter(limits);
      limiters.push(limiter);
      return limiter;
    },
    take: (key) => limiters.at(-1)?.take(key),
    // Deferred until the request's own slot was freed.
    leak: (key) => setImmediate(() => limiters.at(-1)?.take(key)),
  };
}

/** The slot stays taken after an answer with this code, or after a success. */
function leaksAfter(code: Code | undefined): Change {
  return {
    parts: (standard) => {
      const parts = leaky(standard);
      return {
        ...parts,
        writeAnswer: (request, response, route, answer, wording) => {
          parts.writeAnswer(request, response, route, answer, wording);
          if (answer.code !== code) return;
          const key = parts.clientKey(routeAt(request), request);
          response.once("close", () => parts.leak(key));
        },
      };
    },
  };
}

/** An answer with this code frees a slot more than its own. */
const freesTwice = (code: Code): Change =>
  limiting(() => ({
    answered: (answered, key, books) => {
      if (answered === code) add(books, key, -1);
    },
  }));

/** The slot stays taken when the client goes away while the body is read. */
function leaksAtAbort(leaks: (received: number, isChunked: boolean) => boolean): Change {
  return {
    parts: (standard) => {
      const parts = leaky(standard);
      return {
        ...parts,
        readBody: async (request, limits, clock) => {
          let received = 0;
          request.on("data", (chunk: Buffer) => (received += chunk.byteLength));
          const outcome = await parts.readBody(request, limits, clock);
          const isChunked = request.headers["transfer-encoding"] !== undefined;
          if (outcome === "aborted" && leaks(received, isChunked))
            parts.leak(parts.clientKey(routeAt(request), request));
          return outcome;
        },
      };
    },
  };
}

const leaks = (id: string, when: string, code: Code | undefined, kills: readonly string[]): Subject => ({
  id: `in-flight-leaks-${id}`,
  bug: `The slot of a request ${when} is never freed.`,
  kills,
  change: leaksAfter(code),
});

export const inFlightFreed: readonly Subject[] = [
  {
    id: "in-flight-freed-twice-at-401",
    bug: "A 401 frees its slot where it is refused and once more where the answer is written.",
    kills: ["IN-FLIGHT-FREED-ONCE"],
    change: freesTwice("unauthorized"),
  },
  leaks("success", "that succeeded", undefined, ["IN-FLIGHT-FREED-SUCCESS"]),
  leaks("unauthorized", "with a wrong secret", "unauthorized", ["IN-FLIGHT-FREED-WRONG-SECRET"]),
  leaks("invalid", "with an invalid body", "invalid_request", [
    "IN-FLIGHT-FREED-BAD-JSON",
    "IN-FLIGHT-FREED-UNKNOWN-ACTION",
  ]),
  leaks("conflict", "with another revision than the flow's", "revision_conflict", ["IN-FLIGHT-FREED-CONFLICT"]),
  leaks("pending-cancel", "that was answered with 202", "cancel_pending", ["IN-FLIGHT-FREED-PENDING-CANCEL"]),
  leaks("not-stored", "that could not be stored", "persist_failed", ["IN-FLIGHT-FREED-NOT-STORED"]),
  leaks("not-found", "for an absent flow", "not_found", ["IN-FLIGHT-FREED-ABSENT-FLOW"]),
  leaks("too-large", "with a body that is too large", "payload_too_large", ["IN-FLIGHT-FREED-TOO-LARGE"]),
  leaks("timeout", "whose body ran out of time", "request_timeout", ["IN-FLIGHT-FREED-TIMEOUT"]),
  ...subjectsOf<Subject>({
    "in-flight-lost-while-uploading": {
      bug: "The slot of a request that is refused for its secret while its body is still to come is never freed.",
      kills: ["IN-FLIGHT-FREED-WRONG-SECRET"],
      change: withStage("authentication", ({ run }) => async (exchange) => {
        const outcome = await run(exchange);
        const { context, request } = exchange;
        if (outcome !== undefined && !hasArrived(request))
          context.inFlightLimiter.take(context.parts.clientKey(context.route, request));
        return outcome;
      }),
    },
    "in-flight-leaks-abort-in-body": {
      bug: "A client that breaks off within its body keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-IN-BODY", "IN-FLIGHT-FREED-ABORT-IN-CHUNKS"],
      change: leaksAtAbort((received) => received > 0),
    },
    "in-flight-leaks-abort-in-chunks": {
      bug: "A client that breaks off within a body in chunks keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-IN-CHUNKS"],
      change: leaksAtAbort((received, isChunked) => isChunked && received > 0),
    },
    "in-flight-leaks-abort-before-body": {
      bug: "A client that breaks off before its body keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-BEFORE-BODY"],
      change: leaksAtAbort((received) => received === 0),
    },
    "in-flight-leaks-abort-after-body": {
      bug: "A client that goes away before the answer is written keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-AFTER-BODY"],
      change: {
        parts: (standard) => {
          const parts = leaky(standard);
          return {
            ...parts,
            stages: parts.stages.map((stage) => {
              if (stage.name !== "action") return stage;
              return {
                name: stage.name,
                run: async (exchange) => {
                  await sleep(20);
                  const { context, request } = exchange;
                  if (request.socket.destroyed) parts.leak(parts.clientKey(context.route, request));
                  return stage.run(exchange);
                },
              };
            }),
          };
        },
      },
    },
    "in-flight-held-after-413": {
      bug: "After a 413 the slot stays taken for two more seconds.",
      kills: ["IN-FLIGHT-FREED-AT-413"],
      change: {
        parts: (standard) => {
          const parts = leaky(standard);
          return {
            ...parts,
            writeAnswer: (request, response, route, answer, wording) => {
              const key = parts.clientKey(routeAt(request), request);
              // Deferred until the request's own slot was freed.
              const hold = () => {
                const free = parts.take(key);
                setTimeout(() => free?.(), 2000).unref();
              };
              if (answer.code === "payload_too_large") setImmediate(hold);
              parts.writeAnswer(request, response, route, answer, wording);
            },
          };
        },
      },
    },
  }),
];
