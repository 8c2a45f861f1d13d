import { actions } from "./actions/index.ts";
import type { Action } from "./actions/action.ts";
import { readBody } from "./body.ts";
import { clientKey } from "./client-key.ts";
import { messages, statuses } from "./codes.ts";
import type { Code } from "./codes.ts";
import { readRoutes } from "./config.ts";
import type { Stage } from "./exchange.ts";
import { createInFlightLimiter } from "./in-flight-limiter.ts";
import { parseJsonObject } from "./json.ts";
import { limits } from "./limits.ts";
import type { Limits } from "./limits.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { writeAnswer } from "./respond.ts";
import { createSecretCheck, presentedSecret } from "./secret.ts";
import { stages } from "./stages/index.ts";
import { views } from "./views.ts";
import type { Views } from "./views.ts";

/** Every piece the plugin is put together from; a plugin that differs in one thing replaces one of them. */
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

export const standardParts: Parts = {
  limits,
  stages,
  actions,
  statuses,
  messages,
  views,
  readRoutes,
  clientKey,
  createRateLimiter,
  createInFlightLimiter,
  presentedSecret,
  createSecretCheck,
  readBody,
  parseBody: parseJsonObject,
  writeAnswer,
};
