/** Puts runs of different seeds together: visits add up, what any of them found is found. */
import { asItFailed } from "./baseline/apply.ts";
import type { BaselineEntry } from "./baseline/baseline.ts";
import type { Case } from "./case.ts";
import { identityOf, refuse, strangers, strangersToSuite, type Shard } from "./merge.ts";
import { conclude, type Report, type ReportedResult } from "./reports/report.ts";

const WHAT = "these reports are not one run with several seeds";

/**
 * The report that holds all the seeds; the order of the reports does not matter. `entries`: a baseline in place of the one
 * that they were held against. Throws `UsageError` naming every file that does not belong, and every seed that is there twice.
 */
export function mergeSeeds(
  given: readonly Shard[],
  suite: readonly Case[],
  entries?: readonly BaselineEntry[],
): Report {
  const runs = given.toSorted((a, b) => (seedsOf(a)[0] ?? 0) - (seedsOf(b)[0] ?? 0));
  const [first] = runs;
  if (first === undefined) throw new RangeError("there is nothing to merge");
  refuse(
    WHAT,
    runs.flatMap(({ file, report }) => (report.depth === undefined ? [`${file} names no seed`] : [])),
  );
  refuse(WHAT, [...strangers(runs, first, seedIdentityOf), ...strangersToSuite(first, suite)]);
  refuse(WHAT, doubles(runs));

  const reports = runs.map(({ report }) => report);
  const { verdict: _, baseline, ...rest } = first.report;
  const results = suite.flatMap(({ id }) => united(reports.flatMap((report) => resultsOf(report, id))));
  const findings = {
    ...rest,
    depth: { seeds: runs.flatMap(seedsOf).toSorted((a, b) => a - b) },
    startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0] ?? rest.startedAt,
    ms: reports.reduce((sum, { ms }) => sum + ms, 0),
    capabilities: rest.capabilities.filter((name) => reports.every((one) => one.capabilities.includes(name))),
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
    // Replay cases are none of the suite's.
    results: [...results, ...rest.results.filter(({ id }) => !suite.some((item) => item.id === id))],
    stderrTail: reports.map(({ stderrTail }) => stderrTail).join(""),
  };
  return conclude(findings, entries ?? baseline?.entries);
}

const seedsOf = ({ report }: Shard): readonly number[] => report.depth?.seeds ?? [];

const resultsOf = ({ results }: Report, id: string) => results.filter((result) => result.id === id).map(asItFailed);

function seedIdentityOf(report: Report): Record<string, string> {
  const { "a number of shards": _, "a depth": __, ...identity } = identityOf(report);
  return identity;
}

function doubles(runs: readonly Shard[]): string[] {
  const files = new Map<number, string>();
  return runs.flatMap((run) =>
    seedsOf(run).flatMap((seed) => {
      const known = files.get(seed);
      files.set(seed, run.file);
      return known === undefined ? [] : [`seed ${seed} is there twice: ${known}, ${run.file}`];
    }),
  );
}

/** What a case came to with all seeds: the worst, but for a state that another seed has reached. */
const worstFirst = ["fail", "warn", "error", "pass", "unreached", "not-applicable"];

function united(results: readonly ReportedResult[]): ReportedResult[] {
  const [worst, ...others] = results.toSorted((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome));
  if (worst === undefined) return [];
  const known = new Set([worst.signature]);
  const stories = others.flatMap(({ signature, story, otherStories = [] }) => {
    const isNew = story !== undefined && !known.has(signature);
    known.add(signature);
    return isNew ? [story, ...otherStories] : otherStories;
  });
  const told = [...(worst.otherStories ?? []), ...stories];
  return [
    {
      ...worst,
      ms: results.reduce((sum, { ms }) => sum + ms, 0),
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      ...(told.length > 0 && { otherStories: told }),
      ...(results.some(({ visits }) => visits !== undefined) && { visits: added(results) }),
    },
  ];
}

type Table = NonNullable<ReportedResult["visits"]>;

function added(results: readonly ReportedResult[]): Table {
  const sum: Table = {};
  for (const { visits = {} } of results) {
    for (const [action, row] of Object.entries(visits)) {
      const cells = (sum[action] ??= {});
      for (const [column, count] of Object.entries(row)) cells[column] = (cells[column] ?? 0) + count;
    }
  }
  return sum;
}
