/** Section 4: the order of the five checks gone wrong, pair by pair. */
import { reject } from "../../../../plugin/answer.ts";
import type { Stage } from "../../../../plugin/contract.ts";
import { withHandler, withStageBefore, type StageName, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** The first check's refusal is given only when the later check passes. */
function refusedAfter(first: StageName, later: StageName): Change {
  return {
    parts: (parts) => {
      const second = parts.stages.find(({ name }) => name === later);
      const change = (stage: Stage): Stage => ({
        name: stage.name,
        run: async (exchange) => {
          const outcome = await stage.run(exchange);
          return outcome === undefined ? undefined : ((await second?.run(exchange)) ?? outcome);
        },
      });
      return { ...parts, stages: parts.stages.map((stage) => (stage.name === first ? change(stage) : stage)) };
    },
  };
}

/** The first check's refusal waits for the whole body. */
function refusedAfterBody(first: StageName): Change {
  return {
    parts: (parts) => ({
      ...parts,
      stages: parts.stages.map((stage) => ({
        name: stage.name,
        run: async (exchange) => {
          const outcome = await stage.run(exchange);
          if (outcome !== undefined && stage.name === first) {
            await parts.readBody(exchange.request, parts.limits, exchange.context.clock);
          }
          return outcome;
        },
      })),
    }),
  };
}

/** A request refused by an early check holds a slot until its body arrived. */
function holdsSlot(first: StageName): Change {
  return {
    parts: (parts) => {
      const inFlight = parts.stages.find(({ name }) => name === "in-flight");
      return {
        ...parts,
        stages: parts.stages.map((stage) => ({
          name: stage.name,
          run: async (exchange) => {
            const outcome = await stage.run(exchange);
            if (outcome !== undefined && stage.name === first) {
              await inFlight?.run(exchange);
              await parts.readBody(exchange.request, parts.limits, exchange.context.clock);
            }
            return outcome;
          },
        })),
      };
    },
  };
}

const words: Readonly<Record<StageName, string>> = {
  method: "METHOD",
  "content-type": "CONTENT-TYPE",
  "rate-limit": "RATE",
  "in-flight": "IN-FLIGHT",
  authentication: "AUTH",
  body: "BODY",
  action: "",
};

/** The case with both defects in one request. */
function caseFor(first: StageName, later: StageName): string {
  if (first === "rate-limit" || first === "in-flight") return "ORDER-LIMITS-FIRST";
  if (later === "rate-limit" || later === "in-flight") return "ORDER-LIMITS-AFTER";
  return first === "authentication" ? "REQUEST-SECRET" : `REQUEST-${words[first]}`;
}

const firsts = ["method", "content-type"] as const;
const refusing = [...firsts, "rate-limit", "in-flight", "authentication"] as const;

const pairs: readonly Subject[] = (
  [
    ...firsts.flatMap((first) =>
      (["rate-limit", "in-flight", "authentication", "body"] as const).map((later) => [first, later] as const),
    ),
    ["rate-limit", "authentication"],
    ["rate-limit", "body"],
    ["in-flight", "authentication"],
    ["in-flight", "body"],
    ["authentication", "body"],
  ] as const
).map(([first, later]) => ({
  id: `order-${later}-before-${first}`,
  bug: `A request that fails both the ${first} and the ${later} check is answered for ${later}.`,
  kills: [caseFor(first, later)],
  change: refusedAfter(first, later),
}));

const late: readonly Subject[] = refusing.map((first) => ({
  id: `order-${first}-answered-late`,
  bug: `A request refused by the ${first} check is answered only when its whole body has come.`,
  kills: [`ORDER-${words[first]}-ANSWERED-EARLY`],
  change: refusedAfterBody(first),
}));

const holding: readonly Subject[] = [...firsts, "rate-limit" as const].map((first) => ({
  id: `order-${first}-holds-slot`,
  bug: `A request refused by the ${first} check counts as in flight while its body is owed.`,
  kills: [`ORDER-${words[first]}-HOLDS-NO-SLOT`],
  change: holdsSlot(first),
}));

/** The announced size of a body is checked in an earlier stage. */
const sizeFirst = (stage: StageName): Subject => ({
  id: `order-body-size-before-${stage}`,
  bug: `A Content-Length that is too large is refused before ${stage} is checked.`,
  kills: [caseFor(stage, "body")],
  change: withStage(stage, ({ run }) => (exchange) => {
    const announced = Number(exchange.request.headers["content-length"] ?? 0);
    return announced > exchange.context.parts.limits.bodyBytes ? reject("payload_too_large") : run(exchange);
  }),
});

export const order: readonly Subject[] = [
  ...pairs,
  ...late,
  ...holding,
  sizeFirst("method"),
  sizeFirst("content-type"),
  sizeFirst("rate-limit"),
  sizeFirst("in-flight"),
  sizeFirst("authentication"),
  ...subjectsOf<Subject>({
    "order-in-flight-before-rate-limit": {
      bug: "The in-flight limit is checked before the rate limit, so its refusals spend no budget.",
      kills: ["ORDER-RATE-BEFORE-IN-FLIGHT", "PROPERTY-LIMITS"],
      change: withStageBefore("in-flight", "rate-limit"),
    },
    "order-unauthorized-first": {
      bug: "The secret is checked first of all, before method, content type and limits.",
      kills: ["PROPERTY-ORDER", "REQUEST-METHOD", "ORDER-LIMITS-FIRST"],
      change: withStageBefore("authentication", "method"),
    },
    "order-continue-before-checks": {
      bug: "100 Continue is sent as soon as the head has been read.",
      kills: ["ORDER-CONTINUE-AFTER-CHECKS"],
      change: withHandler((handler) => (request, response) => {
        if (request.headers.expect !== undefined) response.writeContinue();
        return handler(request, response);
      }),
    },
    "order-rate-limit-first": {
      bug: "The rate limit comes first of all, so requests with a wrong method or content type spend its budget.",
      kills: ["RATE-EVERY-REQUEST", "ORDER-LIMITS-AFTER"],
      change: withStageBefore("rate-limit", "method"),
    },
  }),
];
