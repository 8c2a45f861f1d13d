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
const half = Math.ceil(open.length / 2);

/** Two in one, each of another theme where the interface alone judges them: half the runs, and freedoms that meet. */
const pairs = open.slice(0, half).map((one, index): Different => {
  const other = open[index + half];
  if (other === undefined) return one;
  const [id, freedom] = [`${one.id}+${other.id}`, `${one.freedom}; ${other.freedom}`];
  const warns = [...(one.warns ?? []), ...(other.warns ?? [])];
  return { id, freedom, warns, change: together(one.change, other.change) };
});

export const inPairs: readonly Different[] = [...pairs, ...bound];
