/** The difference of two reports as text of 80 columns. */
import { changeKinds, changeTitles, type Change, type ChangeKind, type ReportDiff } from "./diff.ts";
import type { Report } from "./report.ts";
import { wrap } from "./wrap.ts";

export function renderDiffConsole(before: Report, after: Report, { changes, same, notes }: ReportDiff): string {
  const blocks = changeKinds.flatMap((kind) => (changes[kind].length === 0 ? [] : [block(kind, changes[kind])]));
  const counts = changeKinds.flatMap((kind) => (changes[kind].length === 0 ? [] : [`${changes[kind].length} ${kind}`]));
  const end = [
    ...notes.flatMap((note) => wrap(note, "note: ", 6)),
    ...wrap(headline(before), "before: ", 8),
    ...wrap(headline(after), "after:  ", 8),
    ...wrap([...counts, `${same} alike`].join(", "), "", 2),
  ];
  return `${[...blocks, end.join("\n")].join("\n\n")}\n`;
}

export function headline({ target, profile, suite, startedAt, verdict }: Report): string {
  const partial = verdict.partial ? "partial: " : "";
  return `${target.name}, profile ${profile}, suite ${suite.version}, ${startedAt.slice(0, 16).replace("T", " ")} UTC: ${partial}${verdict.judgement}`;
}

function block(kind: ChangeKind, changes: readonly Change[]): string {
  return [`${changeTitles[kind]}: ${changes.length}`, ...changes.flatMap((change) => linesOf(kind, change))].join("\n");
}

function linesOf(kind: ChangeKind, { id, before, after }: Change): string[] {
  const outcomes = [before?.outcome, after?.outcome].filter((outcome) => outcome !== undefined).join(" -> ");
  const lines = wrap(`${id} (${outcomes})`, "  ", 4);
  if (kind === "broken" || (kind === "new" && after?.expected !== undefined)) {
    lines.push(...wrap(after?.expected ?? "", "    expected  "), ...wrap(after?.actual ?? "", "    actual    "));
  }
  if (kind === "changed") {
    lines.push(...wrap(before?.actual ?? "", "    before    "), ...wrap(after?.actual ?? "", "    now       "));
  }
  if (kind === "unjudged") lines.push(...wrap(after?.reason ?? "", "    why       "));
  return lines;
}
