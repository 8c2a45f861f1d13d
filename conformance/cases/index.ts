/** The catalogue: every case of the suite, theme by theme. */
import type { Case } from "../case.ts";
import { bodyCases } from "./body.ts";
import { envelopeCases } from "./envelope.ts";
import { inFlightCases } from "./in-flight.ts";
import { orderCases } from "./order.ts";
import { rateLimitCases } from "./rate-limit.ts";

export const cases: readonly Case[] = [
  ...rateLimitCases,
  ...inFlightCases,
  ...orderCases,
  ...bodyCases,
  ...envelopeCases,
];
