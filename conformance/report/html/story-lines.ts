/** The lines of a story as data, as `properties/tell.ts` writes them; what is no such line stays a text. */

export interface RaceBar {
  /** From 0 to 1 of the time that all took. */
  readonly from: number;
  readonly to: number;
  readonly said: string;
}

export interface StoryLine {
  readonly number: number;
  readonly what: string;
  readonly answer?: string;
  /** The last, where the story broke. */
  readonly isHere: boolean;
  /** Requests that were under way at the same time. */
  readonly bars: readonly RaceBar[];
}

const NUMBERED = /^ *(\d+)\. (.*)$/s;
const HERE = "   <- here";
const ARROW = " -> ";
const BAR = /^ *\|([ =]+)\| (.*)$/s;

export function storyLines(lines: readonly string[]): readonly StoryLine[] {
  const found: StoryLine[] = [];
  for (const line of lines) {
    const [, number, rest = ""] = NUMBERED.exec(line) ?? [];
    if (number !== undefined) {
      const isHere = rest.endsWith(HERE);
      const text = isHere ? rest.slice(0, -HERE.length) : rest;
      const cut = text.lastIndexOf(ARROW);
      const answer = cut < 0 ? {} : { answer: text.slice(cut + ARROW.length) };
      found.push({ number: Number(number), what: cut < 0 ? text : text.slice(0, cut), ...answer, isHere, bars: [] });
      continue;
    }
    const [, bar = "", said] = BAR.exec(line) ?? [];
    const last = found.at(-1);
    if (said === undefined || last === undefined) continue;
    const drawn = { from: bar.indexOf("=") / bar.length, to: (bar.lastIndexOf("=") + 1) / bar.length, said };
    if (drawn.from >= 0) found[found.length - 1] = { ...last, bars: [...last.bars, drawn] };
  }
  return found;
}
