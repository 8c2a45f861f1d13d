import type { Case } from "../../harness/case.ts";
import { creationCases } from "./creations.ts";
import { envelopeCases } from "./envelope.ts";
import { logCases } from "./log.ts";

export const resourcesCases: readonly Case[] = [...envelopeCases, ...creationCases, ...logCases];
