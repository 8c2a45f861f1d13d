/** Merges the reports of one run's parts, its shards or its seeds, into the report that the whole run would have written. */
import { asItFailed, isAbout } from "./baseline/apply.ts";
import type { BaselineEntry } from "./baseline/baseline.ts";
import type { Case } from "../harness/case.ts";
import { grouped } from "../foundation/grouped.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { selectCases } from "../run/selection.ts";
import { firstNames } from "./facts.ts";
import { firstOfEach, findingKey } from "./findings.ts";
import { conclude } from "./make-report.ts";
import type { Report, ReportDraft, ReportedResult } from "./report.ts";
import { suiteIdentity, suiteName } from "./suite-identity.ts";
import { tailOf } from "../foundation/tail.ts";
import { UsageError } from "../foundation/usage-error.ts";

/** A report and the file that it came from. */
export interface ReportFile {
  readonly file: string;
  readonly report: Report;
}

/** `shard`: each report holds some of the cases. `seed`: each holds all, judged with other seeds. */
type MergeBy = "shard" | "seed";

const kinds = {
  shard: {
    whole: "the shards of one run",
    numbersOf: ({ selection }: Report) => (selection.shard === undefined ? [] : [selection.shard.index]),
    unnumbered: "is no shard: it was not written by run --shard i/n",
  },
  seed: {
    whole: "one run with several seeds",
    numbersOf: ({ depth }: Report) => depth?.seeds ?? [],
    unnumbered: "names no seed",
  },
} as const;

/**
 * The order of the reports does not matter. `entries`: a baseline in place of the one that the reports were held
 * against. Throws `UsageError` naming every report that does not belong, and every part that is missing or there twice.
 */
export function mergeReports(
  given: readonly ReportFile[],
  suite: readonly Case[],
  entries?: readonly BaselineEntry[],
): Report {
  const by = partsBy(given.map(({ report }) => report));
  const { whole, numbersOf, unnumbered } = kinds[by];
  const parts = given.toSorted((a, b) => (numbersOf(a.report)[0] ?? 0) - (numbersOf(b.report)[0] ?? 0));
  const [first] = parts;
  if (first === undefined) throw new UsageError("merge needs the reports of all shards");
  const refuse = (faults: readonly string[]) => {
    if (faults.length > 0)
      throw new UsageError(`these reports are not ${whole}:\n  ${faults.map(safeLine).join("\n  ")}`);
  };
  refuse(parts.flatMap(({ file, report }) => (numbersOf(report).length === 0 ? [`${file} ${unnumbered}`] : [])));
  const cutShort = parts.filter(({ report }) => report.verdict.judgement === "interrupted");
  refuse(cutShort.map(({ file }) => `${file} is of a run that was interrupted`));
  refuse([...otherRuns(parts, first, by), ...otherSuite(first, suite)]);
  refuse([...doubles(parts, by), ...(by === "shard" ? missing(parts, first) : [])]);
  if (by === "shard") refuse(parts.flatMap((part) => wrongCases(part, suite)));

  const reports = parts.map(({ report }) => report);
  const times = reports.map(({ ms }) => ms);
  const { verdict: _, baseline, ...rest } = first.report;
  const { shard: __, ...unsharded } = rest.selection;
  const stopped = reports.find((report) => report.stopped !== undefined)?.stopped;
  const known = entries ?? baseline?.entries;
  const draft: ReportDraft = {
    ...rest,
    stopped,
    ...(by === "shard"
      ? { selection: unsharded, ms: Math.max(...times) }
      : { depth: { seeds: reports.flatMap(numbersOf).toSorted((a, b) => a - b) }, ms: sumOf(times) }),
    startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0] ?? rest.startedAt,
    clock: reports.every(({ clock }) => clock === rest.clock) ? rest.clock : "both",
    capabilities: rest.capabilities.filter((name) => reports.every((one) => one.capabilities.includes(name))),
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
    results: mergedResults(reports, suite, known),
    stderrTail: tailOf(reports.map(({ stderrTail }) => stderrTail).join("")),
  };
  return conclude(draft, known);
}

function partsBy(reports: readonly Report[]): MergeBy {
  const shards = new Set(reports.map(({ selection }) => selection.shard?.index));
  const seeds = reports.flatMap(({ depth }) => depth?.seeds ?? []);
  // One shard with other seeds, as `run --shard 1/2 --runs 3` makes them.
  const isOneShard =
    shards.size === 1 && reports.length > 1 && new Set(seeds).size === seeds.length && seeds.length > 0;
  return [...shards].every((index) => index === undefined) || isOneShard ? "seed" : "shard";
}

/** Reports that differ from the first in more than their shard or seeds. */
function otherRuns(parts: readonly ReportFile[], first: ReportFile, by: MergeBy): string[] {
  const expected = Object.entries(identityOf(first.report, by));
  return parts.slice(1).flatMap(({ file, report }) => {
    const own = identityOf(report, by);
    return expected.flatMap(([what, value]) =>
      own[what] === value ? [] : [`${file} has ${what} ${own[what]}, ${first.file} has ${value}`],
    );
  });
}

/** What all parts of one run have in common, named as a message names it. */
function identityOf(report: Report, by: MergeBy): Readonly<Record<string, string>> {
  const { suite, target, profile, profileHash, selection, failOn, depth, notCovered, baseline } = report;
  const { shard, ...filters } = selection;
  return {
    "the suite": suiteName(suite),
    "the target": `"${target.name}"`,
    "the product": `"${target.product}"`,
    "the profile": `"${profile}" (${profileHash})`,
    "the filters": JSON.stringify(filters),
    ...(by === "shard" && {
      "a number of shards": `${shard?.of}`,
      "a depth": depth === undefined ? "none" : JSON.stringify(depth),
    }),
    "--fail-on": failOn,
    notCovered: JSON.stringify(notCovered),
    "a baseline": JSON.stringify(baseline?.entries ?? "none"),
  };
}

/** The ledger decides what is covered, so merging needs the suite that judged. */
function otherSuite({ file, report }: ReportFile, suite: readonly Case[]): string[] {
  const [theirs, ours] = [suiteName(report.suite), suiteName(suiteIdentity(suite))];
  if (theirs === ours) return [];
  return [`${file} was judged by suite ${theirs}, this is ${ours}: merge with the suite that judged`];
}

function doubles(parts: readonly ReportFile[], by: MergeBy): string[] {
  const files = new Map<number, string>();
  return parts.flatMap(({ file, report }) =>
    kinds[by].numbersOf(report).flatMap((number) => {
      const before = files.get(number);
      files.set(number, before ?? file);
      return before === undefined ? [] : [`${by} ${number} is there twice: ${before}, ${file}`];
    }),
  );
}

function missing(parts: readonly ReportFile[], { report }: ReportFile): string[] {
  const of = report.selection.shard?.of ?? 0;
  const there = new Set(parts.map((part) => part.report.selection.shard?.index));
  const absent = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !there.has(index));
  return absent.map((index) => `shard ${index} of ${of} is missing`);
}

/** Results that a shard should have and has not, or the other way round: the report was edited or cut short. */
function wrongCases({ file, report }: ReportFile, suite: readonly Case[]): string[] {
  const expected = selectCases(suite, report.selection).map(({ id }) => id);
  const there = new Set(report.results.map(({ id }) => id));
  const wrong = [...expected.filter((id) => !there.has(id)), ...[...there].filter((id) => !expected.includes(id))];
  return wrong.length === 0 ? [] : [`${file} lacks results of its shard, or has others: ${firstNames(wrong, 5)}`];
}

/** One result a case, in the suite's order; replay files' cases, which are not in the suite, come last. */
function mergedResults(
  reports: readonly Report[],
  suite: readonly Case[],
  known: readonly BaselineEntry[] = [],
): ReportedResult[] {
  const places = new Map(suite.map(({ id }, place) => [id, place]));
  const placeOf = ([id]: readonly [string, unknown]) => places.get(id) ?? suite.length;
  const byId = grouped(
    reports.flatMap(({ results }) => results.map(asItFailed)),
    ({ id }) => id,
  );
  return [...byId]
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .flatMap(([id, results]) =>
      mergedResult(
        results,
        known.filter((entry) => entry.case === id),
      ),
    );
}

/**
 * The merged outcome is the first of these that occurs: a pass outranks `unreached`, since one seed reached the state, but
 * not one that no time was left for.
 */
const outcomesByRank = ["fail", "warn", "error", "late", "pass", "unreached", "not-applicable"];

/** `known`: the case's entries in the baseline. A result with any other finding comes first, or a known one would hide it. */
function mergedResult(results: readonly ReportedResult[], known: readonly BaselineEntry[]): ReportedResult[] {
  const isKnown = ({ findings = [] }: ReportedResult): boolean =>
    findings.length > 0 && findings.every((one) => known.some((entry) => isAbout(entry, one)));
  const rank = (result: ReportedResult) =>
    2 * outcomesByRank.indexOf(result.late === true ? "late" : result.outcome) + (isKnown(result) ? 1 : 0);
  const sorted = results.toSorted((a, b) => rank(a) - rank(b));
  const [worst] = sorted;
  if (worst === undefined) return [];
  const failing = sorted.filter(({ findings }) => findings !== undefined);
  const findings = firstOfEach(
    failing.flatMap((one) => one.findings ?? []),
    findingKey,
  );
  const seenIn = [...new Set(failing.flatMap((one) => one.seenIn ?? []))];
  return [
    {
      ...worst,
      ...(worst.findings !== undefined && { findings }),
      seenIn: seenIn.length > 0 ? seenIn : undefined,
      ms: sumOf(results.map(({ ms }) => ms)),
      requests: sumOf(results.map(({ requests }) => requests)),
    },
  ];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
