/** `run` with more than one seed: what each process is asked to do, and the one report made from theirs. */
import { cases } from "../catalogue.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Case } from "../harness/case.ts";
import type { BaselineEntry } from "../report/baseline/baseline.ts";
import { interruptedReport } from "../report/make-report.ts";
import { mergeReports } from "../report/merge.ts";
import type { Report } from "../report/report.ts";
import type { Selection } from "../run/selection.ts";
import { canRestart, type Target } from "../targets/target-file.ts";
import { EXIT, wholeNumber } from "./command.ts";
import { interruptible } from "./interrupt.ts";
import { tell } from "./print.ts";
import { runSeeds, type SeedPlan } from "./seed-processes.ts";

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Options for this process, not for those that it starts. */
const own = new Set(["seed", "runs", "minutes", "workers", "baseline", "report", "verbose", "keep"]);
/** Options that choose cases. */
const filters = new Set(["section", "clause", "case", "capability", "shard", "replays"]);
/** Each process ends within three seconds after its own interrupt, ms. */
const LAST_MS = 5000;

/** What to run if the options ask for several seeds; else undefined. Throws `UsageError`. */
export function seedPlan(values: Values, first: number, chosen: readonly Case[], target: Target): SeedPlan | undefined {
  const { runs = "1", minutes, quick, shard } = values;
  const count = wholeNumber("--runs", String(runs), 1);
  const workers = wholeNumber("--workers", String(values["workers"]), 1);
  if (minutes !== undefined && count > 1) throw new UsageError("--runs and --minutes exclude each other");
  const forMs = minutes === undefined ? Infinity : wholeNumber("--minutes", String(minutes), 1) * 60_000;
  if (count === 1 && minutes === undefined) {
    if (workers > 1) throw new UsageError("--workers needs more than one seed: add --runs N or --minutes N");
    return undefined;
  }
  if (values["bail"] !== undefined || values["live"] === true) throw new UsageError(NOT_WITH_SEEDS);
  if (quick === true) throw new UsageError("--quick leaves out the PROPERTY cases, which --runs and --minutes are for");
  if (minutes !== undefined && shard !== undefined) throw new UsageError(NO_MINUTES_IN_SHARDS);
  const ids = chosen.map(({ id }) => id).filter((id) => id.startsWith("PROPERTY-"));
  // A shard without a property is run once, but has to merge with shards that were run with every seed.
  const runsOnce = ids.length === 0 && shard !== undefined;
  if (ids.length === 0 && !runsOnce)
    throw new UsageError("--runs and --minutes are for the PROPERTY cases, and none is chosen");
  if (workers > 1 && !canRestart(target)) {
    throw new UsageError("--workers needs a target file with a start command: each process starts a target of its own");
  }
  const argumentsFor = (seed: number) => {
    // Only the properties differ from seed to seed: the other cases run with the first one.
    const asked = argumentsOf(values, (name) => !own.has(name) && (seed === first || !filters.has(name)));
    return [...asked, ...(seed === first ? [] : ids.flatMap((id) => ["--case", id])), "--seed", String(seed)];
  };
  const plan = { first, forMs, workers, argumentsFor };
  if (!runsOnce) return { ...plan, count: minutes === undefined ? count : Infinity };
  return { ...plan, count: 1, reportedSeeds: Array.from({ length: count }, (_, index) => first + index) };
}

const NOT_WITH_SEEDS =
  "--bail and --live are for a run with one seed: leave them out, or leave out --runs and --minutes";
const NO_MINUTES_IN_SHARDS =
  "--minutes and --shard exclude each other: merge takes shards that ran with the same seeds; give --runs N";

function argumentsOf(values: Values, isWanted: (name: string) => boolean): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false || !isWanted(name)) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().flatMap((word) => [`--${name}`, word]);
  });
}

interface ManySeeds {
  readonly selection: Selection;
  readonly entries: readonly BaselineEntry[] | undefined;
  /** Delivers the report; returns its exit code. */
  readonly finish: (report: Report) => Promise<number>;
}

/** Returns the exit code. */
export async function runManySeeds(plan: SeedPlan, { selection, entries, finish }: ManySeeds): Promise<number> {
  const { outcome, interrupted } = await interruptible(({ signal }) => runSeeds(plan, signal, tell), {
    lastMs: LAST_MS,
  });
  const { reports = [], failure } = outcome ?? {};
  let code: number | undefined;
  if (reports.length > 0) {
    const asked = reports.map(({ file, report }) => ({ file, report: { ...report, selection } }));
    const merged = mergeReports("seed", asked, cases, entries);
    const { reportedSeeds: seeds } = plan;
    const whole = seeds === undefined ? merged : { ...merged, depth: { seeds } };
    const looked = `${whole.depth?.seeds.length ?? 0} seeds were judged`;
    code = await finish(interrupted !== undefined ? interruptedReport(whole, looked, interrupted) : whole);
  }
  if (interrupted !== undefined) return interrupted;
  if (failure !== undefined) tell(failure.stderr);
  // A seed that could not be run must not pass for one without a fault, nor hide a fault that another one found.
  return code === EXIT.notConformant ? code : (failure?.code ?? code ?? EXIT.unreachable);
}
