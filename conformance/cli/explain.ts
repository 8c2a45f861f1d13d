import { capabilities } from "../harness/capability.ts";
import { cases } from "../catalogue.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { ledger } from "../interface/clauses/index.ts";
import { gaps } from "../interface/gaps.ts";
import { wrap } from "../report/wrap.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions, type Command } from "./command.ts";
import { described } from "./described.ts";
import { print, styled } from "./print.ts";
import { safeJson } from "../foundation/safe-text.ts";
import { nearestOf } from "../foundation/nearest.ts";

export const options = { json: { type: "boolean", default: false } } as const;

export const command: Command = {
  async run(args) {
    const { values, positionals } = readOptions("explain", args, options, true);
    const [id] = positionals;
    if (id === undefined || positionals.length > 1)
      throw new UsageError("explain needs one case id; webhooks-conformance list shows them");
    const item = cases.find((candidate) => candidate.id === id);
    if (item === undefined) {
      const known = cases.map((candidate) => candidate.id);
      throw new UsageError(
        `there is no case "${id}"${nearestOf(id, known) || " (webhooks-conformance list shows them)"}`,
      );
    }
    if (values.json) {
      styled.print(`${safeJson(described(item))}\n`);
      return 0;
    }
    print(`${linesOf(item).join("\n")}\n`);
    return 0;
  },
};

/** What a case judges, and how its clauses were read. */
export function linesOf(item: Case): string[] {
  const lines = [`${item.id} (${levelOf(item)})`, ...wrap(item.title, "  ")];
  for (const clauseId of item.clauses) {
    const { section, text } = ledger[clauseId];
    lines.push(...wrap(`${clauseId}, section ${section}: ${text}`, "  clause   ", 11));
  }
  for (const gap of item.gaps ?? []) lines.push(...wrap(`${gap}: ${gaps[gap].title}`, "  gap      ", 11));
  for (const need of item.needs ?? []) lines.push(...wrap(`${need}: ${capabilities[need]}`, "  needs    ", 11));
  if (item.seconds !== undefined) lines.push(`  takes    ${item.seconds} s, or drives the clock`);
  if (item.reading !== undefined) lines.push(...wrap(item.reading, "  reading  ", 11));
  return lines;
}
