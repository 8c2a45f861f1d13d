import type { Case } from "../../harness/case.ts";
import { anyStateCases } from "./any-state.ts";
import { cancellationCases } from "./cancellation.ts";
import { changeCases } from "./changes.ts";
import { gapActionCases } from "./gaps-actions.ts";
import { repeatedCases } from "./repeated.ts";
import { revisionCases } from "./revisions.ts";
import { simultaneousCases } from "./simultaneous.ts";

export const statesCases: readonly Case[] = [
  ...changeCases,
  ...anyStateCases,
  ...revisionCases,
  ...repeatedCases,
  ...simultaneousCases,
  ...cancellationCases,
  ...gapActionCases,
];
