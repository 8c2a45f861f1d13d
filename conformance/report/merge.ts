/** Puts the shards of one run together: the report, verdict and exit code that the whole run would have had. */
import { asItFailed } from "./baseline/apply.ts";
import type { BaselineEntry } from "./baseline/baseline.ts";
import type { Case } from "../harness/case.ts";
import { conclude, suiteOf, type Findings, type Report } from "./report.ts";
import { selectCases } from "../run/selection.ts";
import { tailOf } from "../foundation/tail.ts";
import { UsageError } from "../foundation/usage-error.ts";

const WHAT = "these reports are not the shards of one run";

/** A report and the file that it came from. */
export interface Shard {
  readonly file: string;
  readonly report: Report;
}

/**
 * `entries`: a baseline in place of the one that the shards were held against. Throws `UsageError` naming every file
 * that does not belong, and every shard that is there twice or not at all.
 */
export function mergeShards(
  shards: readonly Shard[],
  suite: readonly Case[],
  entries?: readonly BaselineEntry[],
): Report {
  const [first] = shards;
  if (first === undefined) throw new UsageError("merge needs the reports of all shards");
  refuse(
    WHAT,
    shards.flatMap(({ file, report }) => (report.selection.shard === undefined ? [noShard(file)] : [])),
  );
  refuse(WHAT, [...strangers(shards, first), ...strangersToSuite(first, suite)]);
  refuse(WHAT, [...doubles(shards), ...missing(shards, first)]);
  refuse(
    WHAT,
    shards.flatMap((shard) => holes(shard, suite)),
  );

  const order = new Map(suite.map(({ id }, index) => [id, index]));
  const results = shards.flatMap(({ report }) => report.results.map(asItFailed));
  const reports = shards.map(({ report }) => report);
  const { verdict: _, baseline, ...rest } = first.report;
  const { shard: __, ...selection } = rest.selection;
  const findings: Findings = {
    ...rest,
    selection,
    startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0] ?? rest.startedAt,
    ms: Math.max(...reports.map(({ ms }) => ms)),
    capabilities: rest.capabilities.filter((name) => reports.every((one) => one.capabilities.includes(name))),
    notes: [...new Set(reports.flatMap(({ notes }) => notes)), ...capabilityNotes(shards)],
    results: results.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
    stderrTail: tailOf(reports.map(({ stderrTail }) => stderrTail).join("")),
  };
  return conclude(findings, entries ?? baseline?.entries);
}

/** Throws `UsageError` with all of some faults. */
export function refuse(what: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new UsageError(`${what}:\n  ${faults.join("\n  ")}`);
}

function noShard(file: string): string {
  return `${file} is no shard: it was not written by run --shard i/n`;
}

/** Reports that tell of another suite, target, profile or selection than the first. */
export function strangers(shards: readonly Shard[], first: Shard, identity = identityOf): string[] {
  const expected = Object.entries(identity(first.report));
  return shards.slice(1).flatMap(({ file, report }) => {
    const own: Readonly<Record<string, string>> = identity(report);
    return expected.flatMap(([what, value]) => {
      return own[what] === value ? [] : [`${file} has ${what} ${own[what]}, ${first.file} has ${value}`];
    });
  });
}

/** The ledger decides what is covered, so it has to be the one that the shards were judged by. */
export function strangersToSuite({ file, report }: Shard, suite: readonly Case[]): string[] {
  const here = suiteOf(suite);
  const { version, ledger, catalogue } = report.suite;
  const same = version === here.version && ledger === here.ledger && catalogue === here.catalogue;
  if (same) return [];
  const [theirs, ours] = [report.suite, here].map(
    (one) => `${one.version} (ledger ${one.ledger}, cases ${one.catalogue})`,
  );
  return [`${file} was judged by suite ${theirs}, this is ${ours}: merge with the suite that judged`];
}

function doubles(shards: readonly Shard[]): string[] {
  return shards.flatMap(({ file, report }, index) => {
    const same = shards.findIndex((other) => other.report.selection.shard?.index === report.selection.shard?.index);
    return same === index
      ? []
      : [`shard ${report.selection.shard?.index} is there twice: ${shards[same]?.file}, ${file}`];
  });
}

function missing(shards: readonly Shard[], { report }: Shard): string[] {
  const of = report.selection.shard?.of ?? 0;
  const there = new Set(shards.map((shard) => shard.report.selection.shard?.index));
  const absent = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !there.has(index));
  return absent.map((index) => `shard ${index} of ${of} is missing`);
}

/** Cases that a shard has to have and has not, or the other way round: it was changed, or cut short. */
function holes({ file, report }: Shard, suite: readonly Case[]): string[] {
  const expected = selectCases(suite, report.selection).map(({ id }) => id);
  const there = new Set(report.results.map(({ id }) => id));
  const lacking = expected.filter((id) => !there.has(id));
  const strange = [...there].filter((id) => !expected.includes(id));
  return [
    ...(lacking.length > 0 ? [`${file} lacks results of its shard: ${shortly(lacking)}`] : []),
    ...(strange.length > 0 ? [`${file} has results of another shard: ${shortly(strange)}`] : []),
  ];
}

function shortly(ids: readonly string[]): string {
  return ids.length > 5 ? `${ids.slice(0, 5).join(", ")} and ${ids.length - 5} more` : ids.join(", ");
}

/** What the shards of one run have in common, in words that a complaint can use. */
export function identityOf({
  suite,
  target,
  profile,
  profileHash,
  selection,
  ...more
}: Report): Record<string, string> {
  const { shard, ...filters } = selection;
  return {
    "the suite": `${suite.version} (ledger ${suite.ledger}, cases ${suite.catalogue})`,
    "the target": `"${target.name}"`,
    "the product": `"${target.product}"`,
    "the profile": `"${profile}" (${profileHash})`,
    "the filters": JSON.stringify(filters),
    "a number of shards": `${shard?.of}`,
    "--fail-on": more.failOn,
    "a clock": more.clock,
    "a depth": more.depth === undefined ? "none" : JSON.stringify(more.depth),
    notCovered: JSON.stringify(more.notCovered),
    "a baseline": JSON.stringify(more.baseline?.entries ?? "none"),
  };
}

function capabilityNotes(shards: readonly Shard[]): string[] {
  const sets = new Set(shards.map(({ report }) => report.capabilities.toSorted().join(", ")));
  return sets.size === 1 ? [] : [`the shards found different capabilities: ${[...sets].join(" | ")}`];
}
