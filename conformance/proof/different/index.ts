/** The lawful subjects that differ from the kit's own plugin, one for each freedom that the interface leaves. */
import type { Different } from "../subject.ts";
import { freeChoices } from "../choices.ts";
import { answers } from "./answers.ts";
import { behaviour } from "./behaviour.ts";
import { limits } from "./limits.ts";
import { requests } from "./requests.ts";
import { shapes } from "./results.ts";
import { statuses } from "./statuses.ts";
import { transitions } from "./transitions.ts";

export const different: readonly Different[] = [
  ...statuses,
  ...shapes,
  ...answers,
  ...behaviour,
  ...transitions,
  ...freeChoices,
  ...limits,
  ...requests,
];
