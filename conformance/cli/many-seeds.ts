/** `run` with more than one seed: what each process is asked for, and the one report of them all. */
import type { BaselineEntry } from "../report/baseline/baseline.ts";
import type { Case } from "../harness/case.ts";
import { cases } from "../catalogue.ts";
import { mergeReports } from "../report/merge.ts";
import type { Report } from "../report/report.ts";
import type { Selection } from "../run/selected.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { canRestart, type Target } from "../targets/target-file.ts";
import { EXIT, wholeNumber } from "./command.ts";
import { judged } from "./judged.ts";
import { runSeeds, type SeedPlan } from "./seeds.ts";

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Options that this process answers for, not those that it starts. */
const own = new Set(["seed", "runs", "minutes", "workers", "baseline", "format", "out", "keep"]);
/** Options that choose cases. */
const filters = new Set(["section", "clause", "case", "capability", "shard", "replays"]);
/** Each process ends within three seconds of its own, ms. */
const LAST_MS = 5000;

/** The seeds that a user asks for; undefined where it is one. Throws `UsageError`. */
export function seedsOf(values: Values, first: number, chosen: readonly Case[], target: Target): SeedPlan | undefined {
  const { runs = "1", minutes } = values;
  const count = wholeNumber("--runs", String(runs), 1);
  const workers = wholeNumber("--workers", String(values["workers"]), 1);
  if (minutes !== undefined && count > 1) throw new UsageError("--runs and --minutes exclude each other");
  const forMs = minutes === undefined ? undefined : wholeNumber("--minutes", String(minutes), 1) * 60_000;
  if (count === 1 && forMs === undefined) {
    if (workers > 1) throw new UsageError("--workers needs more than one seed: add --runs N or --minutes N");
    return undefined;
  }
  if (values["quick"] === true)
    throw new UsageError("--quick leaves out the PROPERTY cases, which --runs and --minutes are for");
  if (forMs !== undefined && values["shard"] !== undefined) throw new UsageError(NO_MINUTES_IN_SHARDS);
  const ids = chosen.map(({ id }) => id).filter((id) => id.startsWith("PROPERTY-"));
  // Merged with the others, a shard that holds no property counts as looked at with every seed.
  const isBare = ids.length === 0 && values["shard"] !== undefined;
  if (ids.length === 0 && !isBare)
    throw new UsageError("--runs and --minutes are for the PROPERTY cases, and none is chosen");
  if (workers > 1 && !canRestart(target)) {
    throw new UsageError("--workers needs a target file with a start command: each process starts a target of its own");
  }
  const wordsFor = (seed: number) => {
    // What follows an example is the same with every seed.
    const asked = wordsOf(values, (name) => !own.has(name) && (seed === first || !filters.has(name)));
    return [...asked, ...(seed === first ? [] : ids.flatMap((id) => ["--case", id])), "--seed", String(seed)];
  };
  if (isBare) return { first, until: { count: 1 }, workers, wordsFor, told: seedsFrom(first, count) };
  return { first, until: forMs === undefined ? { count } : { ms: forMs }, workers, wordsFor };
}

const NO_MINUTES_IN_SHARDS =
  "--minutes and --shard exclude each other: merge takes shards that looked with the same seeds; give --runs N";

const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

function wordsOf(values: Values, isWanted: (name: string) => boolean): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false || !isWanted(name)) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().flatMap((word) => [`--${name}`, word]);
  });
}

interface ManySeeds {
  readonly selection: Selection;
  readonly entries: readonly BaselineEntry[] | undefined;
  /** Delivers the report; gives its exit code. */
  readonly finish: (report: Report) => Promise<number>;
}

const tell = (line: string) => void process.stderr.write(line);

/** Gives the exit code. */
export async function runManySeeds(plan: SeedPlan, { selection, entries, finish }: ManySeeds): Promise<number> {
  const { outcome, interrupted } = await judged(({ signal }) => runSeeds(plan, signal, tell), LAST_MS);
  const { reports = [], failure } = outcome ?? {};
  let code: number | undefined;
  if (reports.length > 0) {
    const asked = reports.map(({ file, report }) => ({ file, report: { ...report, selection } }));
    const merged = mergeReports("seed", asked, cases, entries);
    code = await finish(plan.told === undefined ? merged : { ...merged, depth: { seeds: plan.told } });
  }
  if (interrupted) return EXIT.interrupted;
  if (failure !== undefined) process.stderr.write(failure.said);
  // A seed that could not be looked at may not pass for one without a fault, nor hide the fault that another one found.
  return code === EXIT.notConformant ? code : (failure?.code ?? code ?? EXIT.unreachable);
}
