import { capabilities } from "../harness/capability.ts";
import { cases } from "../catalogue.ts";
import { ledger } from "../interface/clauses/index.ts";
import { gaps } from "../interface/gaps.ts";
import { wrap } from "../report/wrap.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions, type Command } from "./command.ts";
import { print } from "./print.ts";
import { nearest } from "../foundation/nearest.ts";

export const command: Command = {
  summary: "say what a case judges and how its clause was read",
  usage: "usage: webhooks-conformance explain CASE",
  async run(args) {
    const { positionals } = readOptions("explain", args, {}, true);
    const [id] = positionals;
    if (id === undefined || positionals.length > 1)
      throw new UsageError("explain needs one case id; webhooks-conformance list shows them");
    const item = cases.find((candidate) => candidate.id === id);
    if (item === undefined) {
      const known = cases.map((candidate) => candidate.id);
      throw new UsageError(`there is no case "${id}"; nearest: ${nearest(id, known).join(", ")}`);
    }
    const lines = [`${item.id} (${item.level})`, ...wrap(item.title, "  ")];
    for (const clauseId of item.clauses) {
      const { section, text } = ledger[clauseId];
      lines.push(...wrap(`${clauseId}, section ${section}: ${text}`, "  clause   ", 11));
    }
    for (const gap of item.gaps ?? []) lines.push(...wrap(`${gap}: ${gaps[gap].title}`, "  gap      ", 11));
    for (const need of item.needs ?? []) lines.push(...wrap(`${need}: ${capabilities[need]}`, "  needs    ", 11));
    if (item.seconds !== undefined) lines.push(`  takes    ${item.seconds} s, or drives the clock`);
    if (item.reading !== undefined) lines.push(...wrap(item.reading, "  reading  ", 11));
    print(`${lines.join("\n")}\n`);
    return 0;
  },
};
