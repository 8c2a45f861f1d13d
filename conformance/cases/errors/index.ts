import type { Case } from "../../harness/case.ts";
import { gapRefusalCases } from "./gaps-refusals.ts";
import { notStoredCases } from "./not-stored.ts";
import { absentRows, refusedAgainCases } from "./refused.ts";

export const errorsCases: readonly Case[] = [
  ...gapRefusalCases,
  ...notStoredCases,
  ...absentRows,
  ...refusedAgainCases,
];
