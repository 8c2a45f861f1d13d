import type { Case } from "../../harness/case.ts";
import { cancellationCases } from "./cancellation.ts";
import { gapActionCases } from "./gaps-actions.ts";
import { stateRows } from "./rows.ts";
import { revisionRows } from "./revision-rows.ts";
import { simultaneousCases } from "./simultaneous.ts";

export const statesCases: readonly Case[] = [
  ...stateRows,
  ...revisionRows,
  ...simultaneousCases,
  ...cancellationCases,
  ...gapActionCases,
];
