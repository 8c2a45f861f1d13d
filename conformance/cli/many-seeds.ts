/** `run` with more than one seed: the properties run with one after the other, and their reports become one. */
import { cases } from "../catalogue.ts";
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Case } from "../harness/case.ts";
import { neutral } from "../http/exchange.ts";
import { number } from "../report/facts.ts";
import { mergeReports } from "../report/merge.ts";
import type { Report } from "../report/report.ts";
import { wholeNumber } from "./command.ts";

export const isProperty = ({ id }: Pick<Case, "id">): boolean => id.startsWith("PROPERTY-");

/** How many seeds the options ask for. Throws `UsageError`. */
export function seedCount(
  { runs, quick, shard }: { readonly runs: string; readonly quick: boolean; readonly shard?: string | undefined },
  chosen: readonly Case[],
): number {
  const count = wholeNumber("--runs", runs, 1);
  if (count === 1) return count;
  if (quick) throw new UsageError("--quick leaves out the PROPERTY cases, which --runs is for");
  // A shard without a property has to merge with those that have one.
  if (shard === undefined && !chosen.some(isProperty))
    throw new UsageError("--runs is for the PROPERTY cases, and none is chosen");
  return count;
}

interface Loop {
  /** The report of one seed; of the properties alone after the first one. */
  readonly judge: (seed: number) => Promise<Report>;
  readonly isStopped: () => boolean;
  readonly onProgress: (line: string) => void;
}

/** Judges `count` seeds, one after the other. Rejects as `judge` does for the first one; a later one that cannot be judged is an error of each property. */
export async function judgeSeeds(first: number, count: number, loop: Loop): Promise<Report> {
  const { judge, isStopped, onProgress } = loop;
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  let report = await judge(first);
  if (count === 1) return report;
  if (!report.results.some(isProperty)) {
    return { ...report, depth: { seeds: Array.from({ length: count }, (_, index) => first + index) } };
  }
  onProgress(progressOf(report, count, elapsed()));
  for (let seed = first + 1; seed < first + count && !isStopped(); seed += 1) {
    try {
      report = merged([report, await judge(seed)]);
    } catch (error) {
      if (isStopped()) break;
      if (!(error instanceof StartError)) throw error;
      return { ...merged([report, unjudged(report, seed, error)]), depth: report.depth };
    }
    if (!isStopped()) onProgress(progressOf(report, count, elapsed()));
  }
  return report;
}

const merged = (reports: readonly Report[]): Report =>
  mergeReports(
    reports.map((report) => ({ file: "the seeds", report })),
    cases,
  );

/** The report of a seed with which the target did not start: an error of each property, so that it cannot pass. */
function unjudged(report: Report, seed: number, { message, stderrTail }: StartError): Report {
  const results = report.results.filter(isProperty).map(({ id, title, clauses, level }) => {
    const reason = `with the seed ${seed}: ${neutral(message)}`;
    return { id, title, clauses, level, outcome: "error" as const, reason, exchanges: [], ms: 0, requests: 0 };
  });
  return { ...report, depth: { seeds: [seed] }, results, stderrTail };
}

/** `3 of 20 seeds, 1.5 min left, failed: PROPERTY-STATES`. */
function progressOf({ results, depth }: Report, count: number, ms: number): string {
  const judged = depth?.seeds.length ?? 1;
  const failed = results.flatMap(({ id, outcome }) => (outcome === "fail" ? [id] : []));
  const left = (ms / judged) * (count - judged);
  const red = failed.length === 0 ? "" : `, failed: ${failed.join(" ")}`;
  return `${judged} of ${number(count, "seed")}, ${(left / 60_000).toFixed(1)} min left${red}`;
}

export function seedsJudged({ depth }: Report): string {
  const count = depth?.seeds.length ?? 0;
  return `${number(count, "seed")} ${count === 1 ? "was" : "were"} judged`;
}
