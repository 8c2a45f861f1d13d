/** A command for bash, broken to 80 columns by backslashes, so that it can still be pasted. */
import { columns, WIDTH } from "./wrap.ts";

/** Quoted text, escapes and a comment at the end, which need care where a line is broken; and plain text between them. */
const SEGMENT = /\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|\\.|(?<= )#.*$| |[^ '"\\$]+|\$/gsu;

/**
 * Breaks a command at spaces outside quotes; following lines are indented by `hang`. A word longer than a line is
 * continued in the first column, where bash joins it; its quotes are closed and opened again.
 */
export function shellLines(command: string, first: string, hang = first.length): string[] {
  const lines: string[] = [];
  let line = first;
  const room = () => WIDTH - 2 - columns(line);
  for (const [index, word] of wordsOf(command).entries()) {
    if (index > 0) line += " ";
    const length = columns(word.join(""));
    if (index > 0 && length > room()) {
      lines.push(`${line}\\`);
      line = " ".repeat(hang);
    }
    const pieces = length > room() ? word.flatMap((segment) => piecesOf(segment, WIDTH - 2 - hang)) : word;
    for (const piece of pieces) {
      if (columns(piece) > room()) {
        lines.push(`${line}\\`);
        line = "";
      }
      line += piece;
    }
  }
  return [...lines, line];
}

/** The segments of each word. */
function wordsOf(command: string): string[][] {
  const words: string[][] = [[]];
  for (const [segment] of command.matchAll(SEGMENT)) {
    if (segment === " ") words.push([]);
    else words.at(-1)?.push(segment);
  }
  return words;
}

/** Splits a segment into several of at most `width` columns that mean the same. Double quotes hold variables and stay whole. */
function piecesOf(segment: string, width: number): string[] {
  if (columns(segment) <= width || segment.startsWith('"') || segment.startsWith("#")) return [segment];
  const open = /^\$?'/.exec(segment)?.[0] ?? "";
  const close = open === "" ? "" : "'";
  // Between plain single quotes a backslash is a character like any other.
  const unit = open === "'" ? /./gsu : /\\x[0-9a-f]{2}|\\.|./gsu;
  const units = segment.slice(open.length, segment.length - close.length).match(unit) ?? [];
  const pieces: string[] = [];
  let [piece, used] = ["", open.length + close.length];
  for (const text of units) {
    const more = columns(text);
    if (used + more > width) {
      pieces.push(`${open}${piece}${close}`);
      [piece, used] = ["", open.length + close.length];
    }
    piece += text;
    used += more;
  }
  return [...pieces, `${open}${piece}${close}`];
}
