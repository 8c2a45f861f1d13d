/** The types that the plugin's parts share: a route, a request on its way, a stage, an action, and the table of parts. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Answer } from "./answer.ts";
import type { readBody } from "./body.ts";
import type { clientKey } from "./client-key.ts";
import type { Code } from "./codes.ts";
import type { readRoutes, Route } from "./config.ts";
import type { createInFlightLimiter, InFlightLimiter } from "./in-flight-limiter.ts";
import type { JsonObject, parseJsonObject } from "./json.ts";
import type { Limits } from "./limits.ts";
import type { BoundFlows, Clock, Logger, MaybePromise } from "./ports.ts";
import type { createRateLimiter, RateLimiter } from "./rate-limiter.ts";
import type { writeAnswer } from "./respond.ts";
import type { createSecretCheck, presentedSecret } from "./secret.ts";
import type { Views } from "./views.ts";

/** What one registered route keeps between requests. */
export interface RouteContext {
  readonly route: Route;
  /** The flows of the route's session, and of no other. */
  readonly flows: BoundFlows;
  /** The gateway's whole configuration document. */
  readonly cfg: unknown;
  readonly parts: Parts;
  readonly clock: Clock;
  readonly product: string;
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly inFlightLimiter: InFlightLimiter;
  readonly secretMatches: (presented: string | undefined) => boolean;
}

/** One request on its way through the stages. */
export interface Exchange {
  readonly context: RouteContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Frees the in-flight slot; set by the stage that took it. */
  releaseSlot?: () => void;
  /** Set by the stage that read it. */
  body?: JsonObject;
}

/** Undefined: go on. An answer: write it, and run no later stage. `aborted`: write nothing, the connection is gone. */
export type StageOutcome = Answer | "aborted" | undefined;

export interface Stage {
  readonly name: string;
  run(exchange: Exchange): MaybePromise<StageOutcome>;
}

/** One entry of the table of actions. */
export interface Action {
  readonly name: string;
  /** The request's fields beside `action`. */
  readonly schema: z.ZodObject;
  /** `fields`: as the schema returned them. */
  run(fields: Record<string, unknown>, context: RouteContext): Promise<Answer>;
}

/** Everything the plugin is made of; a test that needs a plugin with one difference replaces one part. */
export interface Parts {
  readonly limits: Limits;
  readonly stages: readonly Stage[];
  readonly actions: readonly Action[];
  readonly statuses: Readonly<Record<Code, number>>;
  readonly messages: Readonly<Record<Code, string>>;
  readonly views: Views;
  readonly readRoutes: typeof readRoutes;
  readonly clientKey: typeof clientKey;
  readonly createRateLimiter: typeof createRateLimiter;
  readonly createInFlightLimiter: typeof createInFlightLimiter;
  readonly presentedSecret: typeof presentedSecret;
  readonly createSecretCheck: typeof createSecretCheck;
  readonly readBody: typeof readBody;
  readonly parseBody: typeof parseJsonObject;
  readonly writeAnswer: typeof writeAnswer;
}
