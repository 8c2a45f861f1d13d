/** Section 8: the in-flight limit gone wrong. */
import { setTimeout as sleep } from "node:timers/promises";
import type { IncomingMessage } from "node:http";
import type { Code } from "../../../../plugin/codes.ts";
import type { Route } from "../../../../plugin/config.ts";
import type { InFlightLimiter } from "../../../../plugin/in-flight-limiter.ts";
import type { Parts } from "../../../../plugin/contract.ts";
import { withInFlightLimiter, withLimits, withStage, withStageKey, withoutStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** As much of the route that was asked as its key is made of. */
const routeAt = (request: IncomingMessage) => ({ canonicalPath: request.url ?? "" }) as Route;

/** Parts whose in-flight limiter can be reached, to take slots that nobody frees. */
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
    // By then the request's own slot is free again, or will be.
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

/** The slot stays taken when the client goes away while the body is read. */
function leaksAtAbort(leaks: (received: number) => boolean): Change {
  return {
    parts: (standard) => {
      const parts = leaky(standard);
      return {
        ...parts,
        readBody: async (request, limits, clock) => {
          let received = 0;
          request.on("data", (chunk: Buffer) => (received += chunk.byteLength));
          const outcome = await parts.readBody(request, limits, clock);
          if (outcome === "aborted" && leaks(received)) parts.leak(parts.clientKey(routeAt(request), request));
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

/** Whatever is refused before the in-flight limit gives a slot back, as if it had had one. */
const freedByEveryRefusal: Change = {
  parts: (parts) => {
    const releases = new Map<string, (() => void)[]>();
    const heldOf = (key: string) => releases.get(key) ?? [];
    return {
      ...parts,
      createInFlightLimiter: (limits) => {
        const limiter = parts.createInFlightLimiter(limits);
        return {
          ...limiter,
          take: (key) => {
            const release = limiter.take(key);
            if (release !== undefined) releases.set(key, [...heldOf(key), release]);
            return release;
          },
        };
      },
      writeAnswer: (request, response, route, answer, wording) => {
        parts.writeAnswer(request, response, route, answer, wording);
        const isEarly = answer.code === "method_not_allowed" || answer.code === "unsupported_media_type";
        if (isEarly) heldOf(parts.clientKey(routeAt(request), request)).shift()?.();
      },
    };
  },
};

export const inFlight: readonly Subject[] = [
  ...subjectsOf<Subject>({
    "in-flight-freed-by-refusals": {
      bug: "A request refused for its method or content type gives back a slot that another request has.",
      kills: ["IN-FLIGHT-REFUSED-FREE-NOTHING"],
      alsoFails: "any",
      change: freedByEveryRefusal,
    },
    "in-flight-none": {
      bug: "The in-flight limit is not applied at all.",
      kills: ["IN-FLIGHT-9-REFUSED"],
      change: withoutStage("in-flight"),
    },
    "in-flight-7": {
      bug: "The eighth request in flight is refused.",
      kills: ["IN-FLIGHT-8-ACCEPTED", "IN-FLIGHT-8TH-ACCEPTED"],
      alsoFails: ["IN-FLIGHT-9-REFUSED"],
      change: withLimits({ inFlight: 7 }),
    },
    "in-flight-9": {
      bug: "A ninth request in flight is let in.",
      kills: ["IN-FLIGHT-9-REFUSED"],
      change: withLimits({ inFlight: 9 }),
    },
    "in-flight-freed-before-body": {
      bug: "A request counts as in flight only until its headers are checked, not while its body is read.",
      kills: ["IN-FLIGHT-9-REFUSED"],
      change: withStage("body", ({ run }) => (exchange) => {
        exchange.releaseSlot?.();
        return run(exchange);
      }),
    },
    "in-flight-freed-twice": {
      bug: "A slot is given back at the end of the answer and again when the connection closes.",
      kills: ["IN-FLIGHT-ONE-FREED"],
      change: withInFlightLimiter((limits) => {
        const active = new Map<string, number>();
        const add = (key: string, more: number) => active.set(key, Math.max(0, (active.get(key) ?? 0) + more));
        return (key) => {
          if ((active.get(key) ?? 0) >= limits.inFlight) return undefined;
          add(key, 1);
          return () => void add(key, -1);
        };
      }),
    },
    "in-flight-freed-by-refusal": {
      bug: "A refused request gives back a slot that it never had.",
      kills: ["IN-FLIGHT-9-REFUSED"],
      alsoFails: [
        "IN-FLIGHT-ONE-FREED",
        "IN-FLIGHT-FORWARDED-HEADERS",
        ...["BEFORE-AUTH", "BEFORE-BODY", "BEFORE-BODY-SIZE", "BEFORE-AUTH-AND-BODY", "ANSWERED-EARLY"].map(
          (name) => `ORDER-IN-FLIGHT-${name}`,
        ),
      ],
      change: withInFlightLimiter((limits) => {
        const active = new Map<string, number>();
        const add = (key: string, more: number) => active.set(key, Math.max(0, (active.get(key) ?? 0) + more));
        return (key) => {
          if ((active.get(key) ?? 0) >= limits.inFlight) {
            add(key, -1);
            return undefined;
          }
          add(key, 1);
          let held = true;
          return () => {
            if (held) add(key, -1);
            held = false;
          };
        };
      }),
    },
    "in-flight-keys-never-dropped": {
      bug: "The table of requests in flight keeps every key for ever: after 4,096 clients everybody else is refused.",
      kills: ["IN-FLIGHT-4096-KEYS"],
      // Whatever comes after it.
      alsoFails: "any",
      change: withInFlightLimiter((limits) => {
        const active = new Map<string, number>();
        return (key) => {
          const count = active.get(key) ?? 0;
          if (count >= limits.inFlight) return undefined;
          if (active.size >= limits.trackedKeys && !active.has(key)) return undefined;
          active.set(key, count + 1);
          let held = true;
          return () => {
            if (held) active.set(key, (active.get(key) ?? 0) - 1);
            held = false;
          };
        };
      }),
    },
    "in-flight-forgets-oldest": {
      bug: "The table of requests in flight holds 4,096 keys and drops the oldest for a new one, busy or not.",
      kills: ["IN-FLIGHT-4096-KEYS"],
      change: withInFlightLimiter((limits) => {
        const active = new Map<string, number>();
        return (key) => {
          const count = active.get(key) ?? 0;
          if (count >= limits.inFlight) return undefined;
          const [oldest] = active.keys();
          if (active.size >= limits.trackedKeys && !active.has(key) && oldest !== undefined) active.delete(oldest);
          active.set(key, count + 1);
          let held = true;
          return () => {
            if (held) active.set(key, Math.max(0, (active.get(key) ?? 0) - 1));
            held = false;
          };
        };
      }),
    },
    "in-flight-skips-localhost": {
      bug: "The in-flight limit does not hold for 127.0.0.1.",
      kills: ["IN-FLIGHT-HOME-ADDRESS"],
      change: withStage(
        "in-flight",
        ({ run }) =>
          (exchange) =>
            exchange.request.socket.remoteAddress?.endsWith("127.0.0.1") === true ? undefined : run(exchange),
      ),
    },
    "in-flight-key-address-only": {
      bug: "The in-flight limit counts a client's requests over all routes together.",
      kills: ["IN-FLIGHT-KEY-PATH"],
      change: withStageKey("in-flight", (_route, request) => request.socket.remoteAddress ?? ""),
    },
    "in-flight-key-path-only": {
      bug: "All clients of a route share eight slots.",
      kills: ["IN-FLIGHT-KEY-ADDRESS"],
      change: withStageKey("in-flight", (route) => route.canonicalPath),
    },
    "in-flight-forwarded": {
      bug: "The in-flight limit takes the client's address from X-Real-IP.",
      kills: ["IN-FLIGHT-FORWARDED-HEADERS"],
      change: withStageKey("in-flight", (route, request, key) => {
        const forwarded = request.headers["x-real-ip"];
        return forwarded === undefined ? key : `${route.path} ${String(forwarded)}`;
      }),
    },
    "in-flight-leaks-abort-in-body": {
      bug: "A client that breaks off within its body keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-IN-BODY"],
      change: leaksAtAbort((received) => received > 0),
    },
    "in-flight-leaks-abort-before-body": {
      bug: "A client that breaks off before its body keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-BEFORE-BODY"],
      change: leaksAtAbort((received) => received === 0),
    },
    "in-flight-leaks-abort-after-body": {
      bug: "A client that goes away before the answer is written keeps the slot for ever.",
      kills: ["IN-FLIGHT-FREED-ABORT-AFTER-BODY"],
      alsoFails: ["IN-FLIGHT-ONE-FREED"],
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
              // By then the request's own slot is free again.
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
];
