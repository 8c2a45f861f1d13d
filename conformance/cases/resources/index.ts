import type { Case } from "../../harness/case.ts";
import { connectionCases } from "./connection.ts";
import { creationCases } from "./creations.ts";
import { envelopeCases } from "./envelope.ts";
import { envelopeOfOddRequests } from "./envelope-of-odd-requests.ts";
import { envelopeOfStates } from "./envelope-of-states.ts";
import { goalCases } from "./goals.ts";
import { leakageCases } from "./leakage.ts";
import { leakageOfStates } from "./leakage-of-states.ts";

export const resourcesCases: readonly Case[] = [
  ...envelopeCases,
  ...envelopeOfStates,
  ...envelopeOfOddRequests,
  ...connectionCases,
  ...creationCases,
  ...goalCases,
  ...leakageCases,
  ...leakageOfStates,
];
