import { cases } from "../catalogue.ts";
import { capabilities } from "../harness/capability.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { gaps } from "../interface/gaps.ts";
import { safeJson } from "../foundation/safe-text.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { clauseIds, ledger } from "../interface/clauses/index.ts";
import { atWidth, wrap } from "../report/wrap.ts";
import { selectCases } from "../run/selection.ts";
import { readOptions } from "./command.ts";
import { print, styled } from "./print.ts";

export const options = {
  json: { type: "boolean", default: false },
  clauses: { type: "boolean", default: false },
} as const;

export async function command(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("list", args, options, true);
  if (values.json && values.clauses) throw new UsageError("list takes --json or --clauses, not both");
  const listed = positionals.length === 0 ? cases : selectCases(cases, { cases: positionals, quick: false });
  if (values.json) styled.print(`${safeJson(listed.map(described))}\n`);
  else {
    const { columns } = process.stdout;
    const lines = values.clauses ? atWidth(columns, () => clauseLines(listed)) : caseLines(listed, columns);
    print(`${lines.join("\n")}\n`);
  }
  return 0;
}

/** Id, level, requests and title of each case, in columns; on a terminal that is too narrow for that the titles stand below. */
export function caseLines(listed: readonly Case[], columns = Infinity): string[] {
  const longest = Math.max(...listed.map(({ id }) => id.length));
  const rows = listed.map((item) => {
    const { id, requests, title } = item;
    return [`${id.padEnd(longest)}  ${levelOf(item).padEnd(6)}  ${String(requests).padStart(4)}`, title] as const;
  });
  if (rows.every(([head, title]) => head.length + 2 + title.length <= columns))
    return rows.map((row) => row.join("  "));
  return atWidth(columns, () => rows.flatMap(([head, title]) => [head, ...wrap(title, "  ")]));
}

/** Each clause with the cases that judge it, or why none can, in the order of the interface's sections; of some cases, their clauses. */
function clauseLines(listed: readonly Case[]): string[] {
  const named = clauseIds.filter((id) => listed === cases || listed.some(({ clauses }) => clauses.includes(id)));
  const bySection = named.toSorted((a, b) => ledger[a].section - ledger[b].section);
  return bySection.flatMap((id) => {
    const { section, level, text, excluded } = ledger[id];
    const judges = listed.filter(({ clauses }) => clauses.includes(id)).map((item) => item.id);
    const judged = excluded === undefined ? judges.join(" ") : `none: ${excluded}`;
    return [`${id} (${level}, section ${section})`, ...wrap(text, "  "), ...wrap(judged, "  cases    ")];
  });
}

/**
 * A case as data, for `list --json` and `explain --json`.
 * `seconds`: how long the case waits where no clock is driven; `clock`: with which one it sees more; `requests`: the most
 * that it sends with one key.
 */
export function described(item: Case) {
  const { id, title, clauses, gaps: bound = [], needs = [], seconds, clock, requests, factors, reading } = item;
  return {
    id,
    level: levelOf(item),
    title,
    clauses: clauses.map((clause) => ({ id: clause, section: ledger[clause].section, text: ledger[clause].text })),
    gaps: bound.map((gap) => ({ id: gap, title: gaps[gap].title })),
    needs: needs.map((need) => ({ id: need, title: capabilities[need] })),
    seconds,
    clock,
    requests,
    factors,
    reading,
  };
}
