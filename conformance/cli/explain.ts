import { cases } from "../catalogue.ts";
import type { Case } from "../harness/case.ts";
import { atWidth, wrap } from "../report/wrap.ts";
import { selectCases } from "../run/selection.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions } from "./command.ts";
import { described } from "./list.ts";
import { print, styled } from "./print.ts";
import { safeJson } from "../foundation/safe-text.ts";

export const options = { json: { type: "boolean", default: false } } as const;

export async function command(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("explain", args, options, true);
  if (positionals.length === 0)
    throw new UsageError("explain needs a case id or a pattern; webhooks-conformance list shows the ids");
  const chosen = selectCases(cases, { cases: positionals, quick: false });
  const isOne = chosen.length === 1 && chosen[0]?.id === positionals[0];
  if (values.json) styled.print(`${safeJson(isOne ? described(chosen[0] as Case) : chosen.map(described))}\n`);
  else {
    const told = atWidth(process.stdout.columns, () => chosen.map((item) => linesOf(item).join("\n")));
    print(`${told.join("\n\n")}\n`);
  }
  return 0;
}

/** How `--row` names a row. */
const ROW = " plays only the row with this value and the first one of each other factor";

export function linesOf(item: Case): string[] {
  const { id, level, title, clauses, gaps, needs, seconds, clock, factors = {}, reading } = described(item);
  const hosted = item.mustInOwnGateway === true ? "; must for a plugin that the kit hosts" : "";
  return [
    `${id} (${level}${hosted})`,
    ...wrap(title, "  "),
    ...clauses.flatMap((one) => wrap(`${one.id}, section ${one.section}: ${one.text}`, "  clause   ")),
    ...gaps.flatMap((gap) => wrap(`${gap.id}: ${gap.title}`, "  gap      ")),
    ...needs.flatMap((need) => wrap(`${need.id}: ${need.title}`, "  needs    ")),
    ...(seconds === undefined ? [] : [`  takes    ${seconds} s, or drives the clock`]),
    ...(clock === undefined ? [] : ["  clock    detects more where the target's clock can be driven"]),
    ...Object.entries(factors).flatMap(([factor, values]) => wrap(`${factor}: ${values.join("; ")}`, "  factor   ")),
    ...(item.withRow === undefined ? [] : wrap(`run --case ${id} --row FACTOR=VALUE${ROW}`, "  row      ")),
    ...(reading === undefined ? [] : wrap(reading, "  reading  ")),
  ];
}
