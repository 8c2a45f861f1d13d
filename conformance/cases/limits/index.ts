import type { Case } from "../../harness/case.ts";
import { clientCases } from "./clients.ts";
import { heldRowCases } from "./held-rows.ts";
import { inFlightAtOnceCases, inFlightCases } from "./in-flight.ts";
import { inFlightFreedCases } from "./in-flight-freed.ts";
import { limitKeyCases } from "./keys.ts";
import { rateLimitCases } from "./rate-limit.ts";
import { rateRowCases } from "./rate-rows.ts";
import { rateWindowCases } from "./rate-window.ts";
import { trackedKeysCases } from "./tracked-keys.ts";

export const limitsCases: readonly Case[] = [
  ...rateLimitCases,
  ...limitKeyCases,
  ...rateRowCases,
  ...trackedKeysCases,
  ...rateWindowCases,
  ...heldRowCases,
  ...inFlightAtOnceCases,
  ...inFlightCases,
  ...inFlightFreedCases,
  ...clientCases,
];
