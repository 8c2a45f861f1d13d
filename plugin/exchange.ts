import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import type { Route } from "./config.ts";
import type { InFlightLimiter } from "./in-flight-limiter.ts";
import type { JsonObject } from "./json.ts";
import type { Parts } from "./parts.ts";
import type { BoundFlows, Clock, Logger, MaybePromise } from "./ports.ts";
import type { RateLimiter } from "./rate-limiter.ts";

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

/** Undefined: go on; an answer: it is given and no later stage runs; `aborted`: nobody is left to answer. */
export type StageOutcome = Answer | "aborted" | undefined;

export interface Stage {
  readonly name: string;
  run(exchange: Exchange): MaybePromise<StageOutcome>;
}
