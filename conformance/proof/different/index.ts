/** The lawful subjects that differ from the kit's own plugin, one for each freedom that the interface leaves. */
import { freeChoices } from "../choices.ts";
import type { Different } from "../subject.ts";
import { behaviour } from "./behaviour.ts";
import { limits } from "./limits.ts";
import { requests } from "./requests.ts";
import { results } from "./results.ts";
import { transitions } from "./transitions.ts";

export const different: readonly Different[] = [
  ...results,
  ...behaviour,
  ...transitions,
  ...freeChoices,
  ...limits,
  ...requests,
];
