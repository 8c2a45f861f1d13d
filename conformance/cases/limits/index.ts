import type { Case } from "../../harness/case.ts";
import { heldRowCases } from "./held-rows.ts";
import { inFlightCases } from "./in-flight.ts";
import { inFlightFreedCases } from "./in-flight-freed.ts";
import { clientCases, limitKeyCases } from "./keys.ts";
import { rateLimitCases, rateWindowCases } from "./rate-limit.ts";
import { rateRowCases } from "./rate-rows.ts";
import { trackedKeysCases } from "./tracked-keys.ts";

export const limitsCases: readonly Case[] = [
  ...rateLimitCases,
  ...limitKeyCases,
  ...rateRowCases,
  ...trackedKeysCases,
  ...rateWindowCases,
  ...heldRowCases,
  ...inFlightCases,
  ...inFlightFreedCases,
  ...clientCases,
];
