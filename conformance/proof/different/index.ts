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

const open = different.filter(({ profile }) => profile === undefined);
const half = Math.ceil(open.length / 2);

/** The same two and two, each with one of another theme: half the runs, and freedoms that meet. */
export const inPairs: readonly Different[] = different
  .filter((one) => open.indexOf(one) < half)
  .map((one) => {
    const other = open[open.indexOf(one) + half];
    if (one.profile !== undefined || other === undefined) return one;
    const [id, freedom] = [`${one.id}+${other.id}`, `${one.freedom}; ${other.freedom}`];
    const warns = [...(one.warns ?? []), ...(other.warns ?? [])];
    return { id, freedom, warns, change: together(one.change, other.change) };
  });
