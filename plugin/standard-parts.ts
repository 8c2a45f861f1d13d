import { actions } from "./actions/index.ts";
import { readBody } from "./body.ts";
import { clientKey } from "./client-key.ts";
import { messages, statuses } from "./codes.ts";
import { readRoutes } from "./config.ts";
import type { Parts } from "./contract.ts";
import { createInFlightLimiter } from "./in-flight-limiter.ts";
import { parseJsonObject } from "./json.ts";
import { limits } from "./limits.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { writeAnswer } from "./respond.ts";
import { createSecretCheck, presentedSecret } from "./secret.ts";
import { stages } from "./stages.ts";
import { views } from "./views.ts";

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
