/** Checks a baseline and reports its faults, all kinds at once. */
import { z } from "zod";
import { nearestOf } from "../../foundation/nearest.ts";
import { safeLine } from "../../foundation/safe-text.ts";
import { checkedBy, faultList, schemaFaults } from "../../foundation/schema-faults.ts";
import { UsageError } from "../../foundation/usage-error.ts";
import { entryInWords } from "./apply.ts";
import { baselineSchema, entrySchema, type Baseline } from "./baseline.ts";

export interface BaselineContext {
  readonly caseIds: readonly string[];
  /** The profile of the run; any where it is not given. */
  readonly profile?: string;
  /** Accept blank reasons, as `baseline write` does for a file that it writes anew. */
  readonly unfinished?: boolean;
}

const OLD_FORMAT =
  "its entries name cases (baseline@1), and an entry names one finding of a case now. Write a new file from the report of " +
  "a run without a baseline (webhooks-conformance baseline write REPORT --out NEW-FILE), and copy the reasons that still hold";

const unfinishedSchema = baselineSchema.extend({
  entries: z.array(entrySchema.extend({ reason: z.string().default("") })),
});

/** `origin` names the file in errors. Throws `UsageError` with the faults. */
export function checkBaseline(value: unknown, origin: string, context: BaselineContext): Baseline {
  const complaint = `${origin} cannot be used as a baseline`;
  if ((value as { format?: unknown } | null)?.format === "webhooks-conformance/baseline@1")
    throw new UsageError(`${complaint}: ${OLD_FORMAT}`);
  const schema = context.unfinished ? unfinishedSchema : baselineSchema;
  const baseline = checkedBy(schema, value, complaint, (error) =>
    schemaFaults(error).replace(/^ {2}entries\.(\d+)/gm, (where, index) => `${where}${caseOf(value, index)}`),
  );
  const faults = faultList(faultsOfMeaning(baseline, context));
  if (faults !== "") throw new UsageError(`${complaint}:\n${faults}`);
  return baseline;
}

/** ` (AUTH-BEARER)` where the entry names a case. */
function caseOf(value: unknown, index: string): string {
  const id: unknown = (value as { entries: { case?: unknown }[] }).entries[Number(index)]?.case;
  return typeof id === "string" ? ` (${safeLine(id.slice(0, 100))})` : "";
}

/** What the schema cannot see: another profile, unknown cases, two entries for one finding. */
function* faultsOfMeaning({ entries, profile }: Baseline, context: BaselineContext): Generator<string> {
  const { caseIds, profile: held = profile } = context;
  if (profile !== held) yield `profile: it was written for "${profile}", the run is held to "${held}"`;
  const known = new Set(caseIds);
  const seen = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const finding = `${entry.case} ${entryInWords(entry)}`;
    const before = seen.get(finding);
    if (!known.has(entry.case))
      yield `entries.${index}: there is no case "${entry.case}"${nearestOf(entry.case, caseIds)}`;
    else if (before !== undefined)
      yield `entries.${index}: this finding of ${entry.case} has an entry already, entries.${before}`;
    seen.set(finding, before ?? index);
  }
}
