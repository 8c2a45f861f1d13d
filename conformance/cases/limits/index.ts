import type { Case } from "../../harness/case.ts";
import { arrivalCases } from "./arrivals.ts";
import { clientCases } from "./clients.ts";
import { inFlightCases } from "./in-flight.ts";
import { inFlightAtOnceCases } from "./in-flight-at-once.ts";
import { inFlightFreedCases } from "./in-flight-freed.ts";
import { inFlightWindowCases } from "./in-flight-windows.ts";
import { limitKeyCases } from "./limit-keys.ts";
import { rateLimitCases } from "./rate-limit.ts";
import { rateWindowCases } from "./rate-window.ts";
import { spentBudgetCases } from "./spent-budget.ts";
import { trackedKeysCases } from "./tracked-keys.ts";

export const limitsCases: readonly Case[] = [
  ...rateLimitCases,
  ...trackedKeysCases,
  ...rateWindowCases,
  ...spentBudgetCases,
  ...limitKeyCases,
  ...inFlightAtOnceCases,
  ...inFlightCases,
  ...inFlightFreedCases,
  ...inFlightWindowCases,
  ...arrivalCases,
  ...clientCases,
];
