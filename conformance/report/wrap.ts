/** Text for a terminal or a log of 80 columns. A wide character counts as one column: a terminal breaks such a line itself. */
export const WIDTH = 80;

/** The beginning of a text, cut between two characters. */
const beginning = (text: string, width: number): string => text.slice(0, width).replace(/[\ud800-\udbff]$/, "");

/** A text on one line of 80 columns; what is cut off is marked. */
export function oneLine(text: string, width = WIDTH): string {
  return text.length <= width ? text : `${beginning(text, width - 3).trimEnd()}...`;
}

/** Breaks text at spaces to 80 columns, a word only where it is longer than a line; following lines are indented by `hang` spaces. */
export function wrap(text: string, first: string, hang = first.length): string[] {
  return broken(text.trim().replaceAll(/\s+/g, " "), first, hang, (rest, width) => rest.lastIndexOf(" ", width));
}

/** Breaks stories, headers and bodies to 80 columns, after a comma or a space where there is one; only spaces at a line's end are lost. */
export function cut(text: string, first: string, hang = first.length): string[] {
  return broken(text.trimEnd(), first, hang, (rest, width) => {
    const gap = Math.max(rest.lastIndexOf(",", width - 1), rest.lastIndexOf(" ", width - 1));
    return gap < width / 2 ? -1 : gap;
  });
}

/** `gapIn`: behind which character a line of at most `width` columns ends; where it finds none, the line is cut. */
function broken(text: string, first: string, hang: number, gapIn: (rest: string, width: number) => number): string[] {
  const lines: string[] = [];
  let [start, rest] = [first, text];
  while (rest.length > WIDTH - start.length) {
    const width = WIDTH - start.length;
    const gap = gapIn(rest, width);
    const head = gap > 0 ? rest.slice(0, gap + 1) : beginning(rest, width);
    lines.push(`${start}${head}`.trimEnd());
    [start, rest] = [" ".repeat(hang), rest.slice(head.length)];
  }
  return [...lines, `${start}${rest}`.trimEnd()];
}
