/** Text for a terminal of 60 to 160 columns, in colour; for a file, a pipe or a log of 80. */
import { styleText } from "node:util";
import { eastAsianWidth } from "get-east-asian-width";

const WIDTH = 80;
const [NARROWEST, WIDEST] = [60, 160];

let width = WIDTH;

/** Columns of a line. */
export const lineWidth = () => width;

/**
 * Renders for a terminal of so many columns; of 80 where they are not known; unbroken for `Infinity`. `render` must not wait
 * for anything.
 */
export function atWidth<T>(terminal: number | undefined, render: () => T): T {
  const before = width;
  width = terminal === Infinity ? Infinity : Math.min(WIDEST, Math.max(NARROWEST, terminal || WIDTH));
  try {
    return render();
  } finally {
    width = before;
  }
}

const ASCII = /^[\u0020-\u007e]*$/;
let segmenter: Intl.Segmenter | undefined;
/** Made when a text needs it: each start would wait for the language data, and most print ASCII alone. */
const graphemesOf = (text: string) => (segmenter ??= new Intl.Segmenter()).segment(text);

/** How many columns a text takes: two for a wide character or an emoji, none for a mark on another character. */
export function columns(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemesOf(text)) sum += widthOf(segment);
  return sum;
}

function widthOf(grapheme: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(grapheme)) return 0;
  // A sign of text that a variation selector or a keycap makes an emoji.
  if (/[\ufe0f\u20e3]/u.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

/** The beginning of a text that takes at most so many columns; cuts no character in two. */
export function fitting(text: string, most: number): string {
  if (ASCII.test(text)) return text.slice(0, most);
  let [end, used] = [0, 0];
  for (const { segment, index } of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > most) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** A text on one line; what is cut off is marked. */
export function oneLine(text: string, most = width): string {
  return columns(text) <= most ? text : `${fitting(text, most - 3).trimEnd()}...`;
}

/** Breaks text at spaces; following lines are indented by `hang` spaces. */
export function wrap(text: string, first: string, hang = first.length): string[] {
  const lines: string[] = [];
  const room = width - Math.max(hang, first.length);
  let [line, used, empty] = [first, first.length, true];
  for (const long of text.trim().split(/\s+/)) {
    for (const word of pieces(long, room)) {
      const wide = columns(word);
      if (!empty && used + 1 + wide > width) {
        lines.push(line);
        [line, used, empty] = [" ".repeat(hang), hang, true];
      }
      line += empty ? word : ` ${word}`;
      used += wide + (empty ? 0 : 1);
      empty = false;
    }
  }
  return [...lines, line];
}

/** Breaks stories, headers and bodies, after a comma or a space where there is one; only spaces at a line's end are lost. */
export function cut(text: string, first: string, hang = first.length): string[] {
  const room = width - Math.max(hang, first.length);
  const lines = pieces(text.trimEnd(), room, (head) => {
    const gap = Math.max(head.lastIndexOf(","), head.lastIndexOf(" "));
    return gap < room / 2 ? head.length : gap + 1;
  });
  return lines.map((line, index) => `${index === 0 ? first : " ".repeat(hang)}${line}`.trimEnd());
}

/** Cuts what is longer than a line. `endOf`: how much of what fits a line takes; by default all. */
function pieces(text: string, room: number, endOf = (head: string) => head.length): string[] {
  const found: string[] = [];
  let rest = text;
  for (let head = headOf(rest, room); head.length < rest.length; head = headOf(rest, room)) {
    const end = endOf(head);
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...found, rest];
}

/** As much as fits; a character that is wider than the line all the same, or nothing would ever end. */
function headOf(text: string, room: number): string {
  // Only as far as a line can go: to look at all of a long text for each of its lines would take too long.
  const near = text.slice(0, 4 * room);
  const head = fitting(near, room);
  if (head !== "" || text === "") return head;
  return near.slice(0, (near.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}

/** The text as Markdown: nothing in indented lines can end the block, or be markup. */
export const codeBlock = (text: string): string => text.replaceAll(/^(?=.)/gm, "    ");

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Colour for a terminal, none for a log. */
export function painter(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}
