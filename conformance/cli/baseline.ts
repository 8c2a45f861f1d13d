import { existsSync } from "node:fs";
import { applyBaseline, asItFailed, entryInWords, isAbout, type FoundResult } from "../report/baseline/apply.ts";
import type { BaselineEntry } from "../report/baseline/baseline.ts";
import { readBaseline } from "../library/suite-baseline.ts";
import { baselineFrom, type Written } from "../report/baseline/write.ts";
import { number } from "../report/facts.ts";
import { readReport } from "../report/read.ts";
import { wrap } from "../report/wrap.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { print } from "./print.ts";
import { readOptions } from "./command.ts";
import { deliverText } from "./deliver.ts";

export const options = {
  out: { type: "string" },
  reason: { type: "string" },
  baseline: { type: "string" },
} as const;

export async function command(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("baseline", args, options, true);
  const [verb, report, ...more] = positionals;
  if (more.length === 0 && verb === "write") return write({ ...values, report });
  if (more.length === 0 && verb === "check") return check({ ...values, report });
  throw new UsageError("baseline needs one of: write, check (see: webhooks-conformance baseline --help)");
}

type Values = { readonly [Name in keyof typeof options | "report"]?: string | undefined };

async function write({ report: from, out, reason, baseline }: Values): Promise<number> {
  if (from === undefined || out === undefined)
    throw new UsageError(
      "baseline write needs REPORT and --out FILE; webhooks-conformance run --report json=FILE writes a report",
    );
  if (baseline !== undefined)
    throw new UsageError("baseline write reads the existing entries from --out FILE: leave --baseline out");
  const report = await readReport(from);
  const existing = existsSync(out) ? await readBaseline(out, { profile: report.profile, unfinished: true }) : undefined;
  const written = baselineFrom(report, existing, reason);
  await deliverText(`${JSON.stringify(written.baseline, null, 2)}\n`, out);
  print(`${summaryOf(written, out).join("\n")}\n`);
  return 0;
}

function summaryOf({ baseline, added, kept, dropped, leftOut }: Written, out: string): string[] {
  const { entries } = baseline;
  const counts = `${added.length} new, ${kept.length} kept, ${dropped.length} dropped`;
  const blank = entries.filter(({ reason }) => reason.trim() === "").length;
  return [
    `wrote ${out}: ${number(entries.length, "entry")} (${counts})`,
    ...dropped.flatMap((entry) =>
      wrap(`dropped: ${entry.case} no longer shows ${entryInWords(entry)}; its reason was: ${entry.reason}`, "  ", 4),
    ),
    ...leftOut.flatMap((id) =>
      wrap(
        `left out: ${id} is a replay file, not a case of the suite: fix the target, or run without the file`,
        "  ",
        4,
      ),
    ),
    ...(blank > 0 ? [`${blank} without a reason: fill them in, a run refuses the file until then`] : []),
  ];
}

async function check({ baseline: file, report: from, out, reason }: Values): Promise<number> {
  if (file === undefined)
    throw new UsageError("baseline check needs --baseline FILE; webhooks-conformance baseline write makes one");
  if (out !== undefined || reason !== undefined)
    throw new UsageError("baseline check writes nothing: no --out, no --reason");
  const report = from === undefined ? undefined : await readReport(from);
  const { entries } = await readBaseline(file, report === undefined ? {} : { profile: report.profile });
  const today = new Date().toISOString().slice(0, 10);
  // Without a report every case is assumed to fail as its entry says.
  const results: readonly FoundResult[] = report?.results.map(asItFailed) ?? entries.map(failingAsKnown);
  const { faults, untested } = applyBaseline(entries, results, today, report?.verdict.partial);
  const lines = faults.flatMap(({ case: id, fault, said }) => [
    `${fault.toUpperCase().padEnd(9)} ${id}`,
    ...wrap(said, "  "),
  ]);
  for (const { id, findings = [] } of report === undefined ? [] : results)
    for (const one of findings.filter((found) => !entries.some((entry) => entry.case === id && isAbout(entry, found))))
      lines.push(`NEW       ${id}`, ...wrap(one.signature, "  "));
  if (untested.length > 0) lines.push(...wrap(`not tested by the report: ${untested.join(", ")}`, "", 2));
  lines.push(`${number(entries.length, "entry")}, ${faults.length} no longer true`);
  print(`${lines.join("\n")}\n`);
  return faults.length > 0 ? 1 : 0;
}

function failingAsKnown({ case: id, signature, combination }: BaselineEntry): FoundResult {
  return { id, clauses: [], level: "must", outcome: "fail", findings: [{ signature, combination }] };
}
