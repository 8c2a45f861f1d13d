import type { Case } from "../../harness/case.ts";
import { connectionCases } from "./connection.ts";
import { creationCases } from "./creations.ts";
import { envelopeCases } from "./envelope.ts";
import { goalCases } from "./goals.ts";
import { logCases } from "./log.ts";

export const resourcesCases: readonly Case[] = [
  ...envelopeCases,
  ...connectionCases,
  ...creationCases,
  ...goalCases,
  ...logCases,
];
