import type { Case } from "../../harness/case.ts";
import { gapRefusalCases } from "./gaps-refusals.ts";
import { notStoredCases } from "./not-stored.ts";
import { refusedCases } from "./refused.ts";

export const errorsCases: readonly Case[] = [...gapRefusalCases, ...notStoredCases, ...refusedCases];
