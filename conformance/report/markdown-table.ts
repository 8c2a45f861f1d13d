/** Tables of Markdown whose cells hold texts of a target: each on one line, all markup escaped. */

const LONGEST_CELL = 300;

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => "---")), ...rows.map((cells) => row(cells.map(cell)))];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A target's text on one line, all markup escaped. */
export function cell(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ").trim();
  const short = line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL).replace(/\p{Cs}$/u, "")}...` : line;
  // A dot between words makes a link of www.example.org.
  return short.replaceAll(/[\\`*_{}[\]<>#!|&~:@$"]|(?<=www)\./gi, (mark) => `&#${mark.charCodeAt(0)};`);
}
