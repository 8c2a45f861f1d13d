/** Section 8: the in-flight limit gone wrong. */
import { add, limiting } from "../../limit-books.ts";
import { routeAt, withInFlightLimiter } from "../../limit-changes.ts";
import { both, withLimits, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Each refusal before the in-flight limit gives a slot back, though the request never had one. */
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
      change: freedByEveryRefusal,
    },
    "in-flight-7": {
      bug: "The eighth request in flight is refused.",
      kills: ["IN-FLIGHT-8-ACCEPTED"],
      change: withLimits({ inFlight: 7 }),
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
      change: both(
        withInFlightLimiter((limits) => {
          const active = new Map<string, number>();
          const add = (key: string, more: number) => active.set(key, Math.max(0, (active.get(key) ?? 0) + more));
          return (key) => {
            if ((active.get(key) ?? 0) >= limits.inFlight) return undefined;
            add(key, 1);
            return () => void add(key, -1);
          };
        }),
        withStage("in-flight", ({ run }) => async (exchange) => {
          const outcome = await run(exchange);
          exchange.response.once("close", () => exchange.releaseSlot?.());
          return outcome;
        }),
      ),
    },
    "in-flight-freed-by-refusal": {
      bug: "A refused request gives back a slot that it never had.",
      kills: ["IN-FLIGHT-9-REFUSED"],
      change: limiting(() => ({ full: (key, books) => add(books, key, -1) })),
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
  }),
];
