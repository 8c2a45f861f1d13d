/** Puts runs of different seeds together: visits add up, what any of them found is found. */
import { asItFailed } from "./baseline/apply.ts";
import type { BaselineEntry } from "./baseline/baseline.ts";
import { signatureOf } from "./baseline/signature.ts";
import type { Case } from "../harness/case.ts";
import { neutral } from "../http/exchange.ts";
import { identityOf, refuse, strangers, strangersToSuite, type Shard } from "./merge.ts";
import { answeredOtherwise } from "../properties/tell.ts";
import { conclude, type Report, type ReportedResult } from "./report.ts";
import { tailOf } from "../foundation/tail.ts";

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
  const known = entries ?? baseline?.entries;
  // Replay cases are none of the suite's.
  const ids = new Set([suite, ...reports.map(({ results }) => results)].flat().map(({ id }) => id));
  const results = [...ids].flatMap((id) => {
    const signature = known?.find((entry) => entry.case === id)?.signature;
    return united(
      reports.flatMap((report) => resultsOf(report, id)),
      signature,
    );
  });
  const findings = {
    ...rest,
    depth: { seeds: runs.flatMap(seedsOf).toSorted((a, b) => a - b) },
    startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0] ?? rest.startedAt,
    ms: reports.reduce((sum, { ms }) => sum + ms, 0),
    capabilities: rest.capabilities.filter((name) => reports.every((one) => one.capabilities.includes(name))),
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
    results,
    stderrTail: tailOf(reports.map(({ stderrTail }) => stderrTail).join("")),
  };
  return conclude(findings, known);
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

/** `known`: the signature of the failure that the baseline knows; another one comes first, so that it does not hide behind that. */
function united(results: readonly ReportedResult[], known: string | undefined): ReportedResult[] {
  const rank = ({ outcome, signature }: ReportedResult) =>
    2 * worstFirst.indexOf(outcome) + (signature !== undefined && signature === known ? 1 : 0);
  const [worst, ...others] = results.flatMap(apart).toSorted((a, b) => rank(a) - rank(b));
  if (worst === undefined) return [];
  const told = new Set([worst.signature]);
  const otherStories = others.flatMap(({ signature, story }) => {
    if (story === undefined || told.has(signature)) return [];
    told.add(signature);
    return [story];
  });
  return [
    {
      ...worst,
      ms: results.reduce((sum, { ms }) => sum + ms, 0),
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      ...(otherStories.length > 0 && { otherStories }),
      ...(results.some(({ visits }) => visits !== undefined) && { visits: added(results) }),
    },
  ];
}

/** A result that tells of several faults as one for each. */
function apart({ otherStories = [], ...own }: ReportedResult): ReportedResult[] {
  const others = otherStories.map((story) => {
    const { expected, actual } = story.replay ?? answeredOtherwise;
    const signature = signatureOf(neutral(expected, 1000), neutral(actual, 1000));
    return { ...own, reason: `expected ${expected}; got ${actual}`, expected, actual, signature, story, exchanges: [] };
  });
  return [own, ...others];
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
