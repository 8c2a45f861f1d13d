/**
 * Finds the runs of characters that a text shares with the forms of secrets, in time that grows with the text alone.
 *
 * A run is found by one of its grams, a short piece of fixed length: of a form only every n-th gram is kept, n as large
 * as it can be so that the shortest run to find holds one of them. A rolling hash over the text is compared with those
 * that are kept, first in a table of slots, which most places of a text find empty.
 */
import { grouped } from "../foundation/grouped.ts";

interface Sought {
  readonly text: string;
  /** The shortest run of it that counts. */
  readonly least: number;
}

/** A run that a text shares with a sought one, as long as it goes in both directions. */
export interface SharedRun {
  /** The index of the sought text. */
  readonly sought: number;
  /** Where the run begins in it. */
  readonly from: number;
  /** Where it begins in the searched text. */
  readonly start: number;
  readonly end: number;
}

/** Lengths of grams: few, as each costs a pass over the text; long, as other texts hold few of the long ones. */
const GRAMS = [24, 8, 4];
/** The hash's base: any odd number whose powers spread. */
const BASE = 0x01000193;
const MOST_BITS = 19;

/** The grams of one length, as numbers: there are half a million, and objects would take longer to make than to search. */
interface Level {
  readonly gram: number;
  /** Of each gram its hash, the index of the sought text that holds it, where, and the place of the one before in its slot. */
  readonly grams: Int32Array;
  /** By the hash's upper part, its slot: the place of the last gram there, or -1, which most places of a text come to. */
  readonly last: Int32Array;
  /** How far a hash is shifted to give its slot. */
  readonly by: number;
}

/** Of each sought text the last run that was found: later grams of the same run would only find it again. */
interface Seen {
  readonly end: Int32Array;
  /** From a place in the searched text to that in the sought one. */
  readonly shift: Int32Array;
}

export class SecretIndex {
  readonly #sought: readonly Sought[];
  readonly #levels: readonly Level[];
  readonly #seen: Seen;

  /** `oneGram`: the length of every gram, where no text is shorter: a single pass over what is searched. */
  constructor(sought: readonly Sought[], oneGram?: number) {
    this.#sought = sought;
    const byGram = grouped(sought.keys(), (index) => oneGram ?? gramOf((sought[index] as Sought).least));
    this.#seen = { end: new Int32Array(sought.length), shift: new Int32Array(sought.length) };
    this.#levels = [...byGram].map(([gram, indexes]) => levelOf(gram, indexes, sought));
  }

  /** Every run, in the order of their starts. */
  runsIn(text: string): SharedRun[] {
    const runs: SharedRun[] = [];
    for (const level of this.#levels) scan(text, level, this.#sought, this.#seen, runs);
    for (const { sought } of runs) this.#seen.end[sought] = 0;
    return runs.sort((a, b) => a.start - b.start || b.end - a.end || a.sought - b.sought);
  }
}

/** At most three quarters of the shortest run: with longer ones a form would have more grams to keep. */
function gramOf(least: number): number {
  return GRAMS.find((gram) => gram * 4 <= least * 3) ?? least;
}

function levelOf(gram: number, indexes: readonly number[], sought: readonly Sought[]): Level {
  const countIn = ({ text, least }: Sought) => Math.ceil((text.length - least + 1) / (least - gram + 1));
  const count = indexes.reduce((sum, index) => sum + countIn(sought[index] as Sought), 0);
  const grams = new Int32Array(4 * count);
  const by = Math.max(32 - MOST_BITS, Math.clz32(grams.length));
  const last = new Int32Array(2 ** (32 - by)).fill(-1);
  let place = 0;
  for (const index of indexes) {
    const { text, least } = sought[index] as Sought;
    // Many secrets may begin with the same characters, none goes on with them: the first gram of a text is the last
    // that its first run allows.
    for (let at = least - gram; at + gram <= text.length; at += least - gram + 1, place += 4) {
      const hash = hashOf(text, at, gram);
      const slot = hash >>> by;
      grams[place] = hash;
      grams[place + 1] = index;
      grams[place + 2] = at;
      grams[place + 3] = last[slot]!;
      last[slot] = place;
    }
  }
  return { gram, grams, last, by };
}

function hashOf(text: string, at: number, length: number): number {
  let hash = 0;
  for (let index = at; index < at + length; index += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
  return hash;
}

function scan(text: string, level: Level, sought: readonly Sought[], seen: Seen, runs: SharedRun[]): void {
  const { gram, grams, last, by } = level;
  if (text.length < gram) return;
  // The weight of the character that leaves the gram.
  let weight = 1;
  for (let index = 1; index < gram; index += 1) weight = Math.imul(weight, BASE);
  let hash = hashOf(text, 0, gram);
  for (let at = 0; ; at += 1) {
    for (let place = last[hash >>> by]!; place >= 0; place = grams[place + 3]!) {
      if (grams[place] !== hash) continue;
      const index = grams[place + 1]!;
      const shift = grams[place + 2]! - at;
      if (at < seen.end[index]! && shift === seen.shift[index]) continue;
      const run = runAround(text, at, shift, sought[index] as Sought);
      if (run === undefined) continue;
      [seen.end[index], seen.shift[index]] = [run.end, shift];
      runs.push({ sought: index, from: run.start + shift, ...run });
    }
    if (at + gram >= text.length) return;
    hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), weight), BASE) + text.charCodeAt(at + gram)) | 0;
  }
}

/** The run around one place of the text that is alike to a place of the sought one, if it is long enough. */
function runAround(text: string, at: number, shift: number, { text: wanted, least }: Sought) {
  let [start, end] = [at, at];
  const longest = Math.min(text.length, wanted.length - shift);
  while (end < longest && text.charCodeAt(end) === wanted.charCodeAt(end + shift)) end += 1;
  const first = Math.max(0, -shift);
  while (start > first && text.charCodeAt(start - 1) === wanted.charCodeAt(start + shift - 1)) start -= 1;
  return end - start < least ? undefined : { start, end };
}
