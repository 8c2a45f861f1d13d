import type { Case } from "../../harness/case.ts";
import { creationCases } from "./creations.ts";
import { envelopeCases } from "./envelope.ts";
import { creationRows } from "./creation-rows.ts";
import { logCases } from "./log.ts";

export const resourcesCases: readonly Case[] = [...envelopeCases, ...creationRows, ...creationCases, ...logCases];
