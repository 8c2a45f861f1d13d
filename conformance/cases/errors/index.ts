import type { Case } from "../../harness/case.ts";
import { absentRows } from "./absent-rows.ts";
import { gapRefusalCases } from "./gaps-refusals.ts";
import { notStoredCases } from "./not-stored.ts";
import { refusedAgainCases } from "./refused-again.ts";

export const errorsCases: readonly Case[] = [
  ...gapRefusalCases,
  ...notStoredCases,
  ...absentRows,
  ...refusedAgainCases,
];
