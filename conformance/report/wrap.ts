/** Text for a terminal or a log of 80 columns. */

export const WIDTH = 80;

/** Breaks text at spaces to 80 columns; following lines are indented by `hang` spaces. */
export function wrap(text: string, first: string, hang = first.length): string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text
    .trim()
    .split(/\s+/)
    .flatMap((long) => pieces(long, WIDTH - Math.max(hang, first.length)))) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = " ".repeat(hang);
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}

/** Breaks stories, headers and bodies to 80 columns, after a comma or a space where there is one; only spaces at a line's end are lost. */
export function cut(text: string, first: string, hang = first.length): string[] {
  const width = WIDTH - Math.max(hang, first.length);
  const lines: string[] = [];
  let rest = text.trimEnd();
  while (rest.length > width) {
    const gap = Math.max(rest.lastIndexOf(",", width - 1), rest.lastIndexOf(" ", width - 1));
    const end = gap < width / 2 ? wholeCharacters(rest, width) : gap + 1;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...lines, rest].map((line, index) => `${index === 0 ? first : " ".repeat(hang)}${line}`.trimEnd());
}

/** Cuts a word that is longer than a line. */
function pieces(word: string, width: number): string[] {
  return word.length <= width ? [word] : (word.match(new RegExp(`.{1,${width}}`, "gsu")) ?? []);
}

/** Where to cut so that no surrogate pair is cut in two. */
function wholeCharacters(text: string, width: number): number {
  return (text.codePointAt(width - 1) ?? 0) > 0xffff ? width - 1 : width;
}
