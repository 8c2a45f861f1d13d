/** The lawful subjects that differ from the kit's own plugin, one for each freedom that the interface leaves. */
import { freeChoices } from "../choices.ts";
import { together } from "../changes.ts";
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

const [open, bound] = [
  different.filter(({ profile }) => profile === undefined),
  different.filter(({ profile }) => profile !== undefined),
];
/** So that no two of a group are about the same thing: those could not both be seen. */
const GROUPS = 14;

/** Some nine in one, each of another theme where the interface alone judges them: fewer runs, and freedoms that meet. */
const joined = open.slice(0, GROUPS).map((_, place): Different => {
  const members = open.filter((_, index) => index % GROUPS === place);
  return {
    id: members.map(({ id }) => id).join("+"),
    freedom: members.map(({ freedom }) => freedom).join("; "),
    warns: members.flatMap(({ warns }) => warns ?? []),
    change: together(...members.map(({ change }) => change)),
  };
});

export const inGroups: readonly Different[] = [...joined, ...bound];
