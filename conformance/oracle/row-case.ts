/** A case made of rows: each is played, and one that fails is narrowed to the smallest combination that fails by itself. */
import { perObject } from "../foundation/per-object.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Case } from "../harness/case.ts";
import { Failure, failureIn, failureOf, NotApplicable, Unreached } from "../harness/case-errors.ts";
import type { Combination } from "../harness/outcome.ts";
import type { Trial } from "../harness/trial.ts";
import { coverageOf, narrowed, rowsOf, type Factors, type Row, type Table } from "./rows.ts";

export interface RowCase<F extends Factors, Run = undefined> extends Omit<Case, "run" | "factors"> {
  readonly table: Table<F>;
  /** The rows of the table with the values that the target has; those that hold every pair if absent. */
  readonly rows?: (there: Table<F>) => readonly Row<F>[];
  /** All rows come from one client address, whose past may matter, or from a few; else each from one of its own. */
  readonly client?: "one" | "few";
  readonly begin?: (trial: Trial) => Run | Promise<Run>;
  /** Values that not every target has, by factor: those that this one has. Rows with the others are not covered. */
  readonly valuesOf?: (trial: Trial, run: Run) => Promise<{ readonly [Name in keyof F]?: readonly string[] }>;
  /** Judges one row. Throws as a case does; `NotApplicable`: not on this target. */
  play(trial: Trial, row: Row<F>, run: Run): Promise<void>;
  /** Judges what shows only when rows have been played: all of them, and again the one that it finds to fail. */
  look?(
    trial: Trial,
    rows: readonly Row<F>[],
  ): Promise<{ readonly row: Row<F>; readonly failure: Failure } | undefined>;
  /** Judges what the rows have left behind together. */
  end?(trial: Trial, run: Run): Promise<void>;
}

/** Combinations that a case looks for before it ends: each takes some dozens of rows. */
const MOST_NARROWED = 5;
/** How often the smallest row is played once more, until it fails again. */
const AGAIN = 3;
/** Rows played beside the one that fails, at most, and for how long, ms: of a slow target fewer neighbours are looked at. */
const MOST_NEIGHBOURS = 40;
const NEIGHBOURS_MS = 15_000;

/** Of a few addresses another one is taken after so many requests: no row has as many. */
const MOST_REQUESTS = 60;

/** Where the next row comes from. */
function clientsOf(trial: Trial, client: "one" | "few" | undefined): () => Trial {
  let [from, since] = [client === undefined ? undefined : trial, trial.requests];
  return () => {
    const isSpent = client !== "one" && trial.requests - since >= MOST_REQUESTS;
    if (from !== undefined && !isSpent) return from;
    const fresh = trial.fresh();
    if (client !== undefined) [from, since] = [fresh, trial.requests];
    return fresh;
  };
}

export function rowCase<const F extends Factors, Run = undefined>(given: RowCase<F, Run>): Case {
  const { table, rows, client, begin, valuesOf, play, look, end, ...about } = given;
  return {
    ...about,
    factors: table.factors,
    allRows: () => rowsOf(table),
    withRow: (values) => rowCase({ ...given, rows: onlyRow(table, values) }),
    async run(trial) {
      const from = clientsOf(trial, client);
      const run = (await begin?.(trial)) as Run;
      const playAlone = async (row: Row<F>) => {
        await play(from(), row, run);
        const seen = await look?.(from(), [row]);
        if (seen !== undefined) throw seen.failure;
      };
      const there = valuesOf === undefined ? table : restricted(table, await valuesOf(trial, run));
      const met: Row<F>[] = [];
      const failing: (readonly Combination[])[] = [];
      let unreached: Unreached | undefined;
      const failed = async (error: unknown, row: Row<F>) => {
        if (error instanceof Unreached) unreached ??= error;
        if (error instanceof Unreached || error instanceof NotApplicable) return;
        const smallest = await smallestFailure(failureIn(error), row, there, playAlone);
        const { combination = [], seen } = smallest.finding;
        // Where every row fails there is nothing to go on with.
        const isEvery = combination.length === 0 && seen?.where !== ONCE;
        if (isEvery || trial.record.found.length + 1 >= MOST_NARROWED) throw smallest;
        if (combination.length > 0) failing.push(combination);
        trial.record.find(smallest);
      };
      for (const row of (rows ?? rowsOf)(there)) {
        if (failing.some((parts) => isOf(row, parts))) continue;
        await play(from(), row, run).then(
          () => met.push(row),
          (error: unknown) => failed(error, row),
        );
      }
      const seen = await look?.(from(), met);
      if (seen !== undefined) throw await smallestFailure(seen.failure, seen.row, there, playAlone);
      await end?.(from(), run);
      if (rows === undefined) trial.coverage = coverageOf(table as unknown as Table, met);
      if (unreached !== undefined) throw unreached;
      if (met.length === 0) throw new NotApplicable("the target supports no value that a row could be made of");
    },
  };
}

const isOf = (row: Row, parts: readonly Combination[]): boolean =>
  parts.every(({ factor, values }) => values.includes(row[factor] ?? ""));

/** The row with these values, and the usual ones of the other factors; none where the table does not allow it. */
export function rowWith<F extends Factors>({ factors, allows }: Table<F>, values: Row): readonly Row<F>[] {
  const usual = Object.entries(factors).map(([factor, [first]]) => [factor, first]);
  const row = { ...Object.fromEntries(usual), ...values } as Row<F>;
  return allows?.(row) === false ? [] : [row];
}

/** The rows in place of all. Throws `UsageError` where the values cannot stand in one row, whatever the target has. */
export function onlyRow<F extends Factors>(table: Table<F>, values: Row): (there: Table<F>) => readonly Row<F>[] {
  if (rowWith(table, values).length === 0)
    throw new UsageError(
      `no row has ${Object.values(values).join(" and ")} together; explain says which factors there are`,
    );
  return (there) => rowWith(there, values);
}

/** The table with the values that a target has. */
export function restricted<F extends Factors>(
  table: Table<F>,
  values: { readonly [Name in keyof F]?: readonly string[] },
): Table<F> {
  const isThere = ([name, value]: [string, string]): boolean => values[name]?.includes(value) ?? true;
  const left = Object.entries(table.factors).map(([name, all]) => all.filter((value) => isThere([name, value])));
  if (left.flat().length === Object.values(table.factors).flat().length) return table;
  const known = restrictionsOf(table);
  const made: Table<F> = {
    ...table,
    allows: (row) => (table.allows?.(row) ?? true) && Object.entries<string>(row as Row).every(isThere),
  };
  const there = (known.get(JSON.stringify(left)) ?? made) as Table<F>;
  known.set(JSON.stringify(left), there);
  return there;
}

/** By the values that are left: where many targets are judged, the rows of each restriction are made once. */
const restrictionsOf = perObject((_table: object) => new Map<string, unknown>());

/**
 * The failure of the smallest combination, with the other values that fail in its place. Where that row does not fail again
 * it is not due to its values alone, but to what was sent before or beside it: then there is no combination.
 */
export async function smallestFailure<F extends Factors>(
  first: Failure,
  row: Row<F>,
  table: Table<F>,
  play: (row: Row<F>) => Promise<void>,
): Promise<Failure> {
  const until = performance.now() + NEIGHBOURS_MS;
  let played = 0;
  const judged: Judging<F> = async (neighbour) => {
    if (played >= MOST_NEIGHBOURS || performance.now() > until) return undefined;
    played += 1;
    try {
      await play(neighbour);
      return "right";
    } catch (error) {
      return error instanceof Failure ? error : undefined;
    }
  };

  let smallest = first;
  let at = row;
  const part = await narrowed(row, table, async (neighbour) => {
    const found = await judged(neighbour);
    if (found instanceof Failure) [smallest, at] = [found, neighbour];
    return found instanceof Failure;
  });
  if (!(await failsAgain(at, judged))) {
    const { actual, seen = { what: actual } } = smallest.finding;
    return failureOf({ ...smallest.finding, seen: { ...seen, where: ONCE } });
  }
  const isAlike = (found: Awaited<ReturnType<typeof judged>>) =>
    found === "right" || found?.message === smallest.message ? found : undefined;
  const combination = await combinationAt(at, part, table, async (neighbour) => isAlike(await judged(neighbour)));
  return failureOf({ ...smallest.finding, combination });
}

const ONCE = "not again with the same row";

/** Undefined where it could not be judged. */
type Judging<F extends Factors> = (row: Row<F>) => Promise<Failure | "right" | undefined>;

/** What could not be judged counts as failing: nothing speaks against it. */
async function failsAgain<F extends Factors>(row: Row<F>, judged: Judging<F>): Promise<boolean> {
  for (let tries = 0; tries < AGAIN; tries += 1) if ((await judged(row)) !== "right") return true;
  return false;
}

/** The values of a row that matter to its failure, with those that fail, and pass, in their place; undefined if no other was judged. */
async function combinationAt<F extends Factors>(
  at: Row<F>,
  part: Partial<Row<F>>,
  table: Table<F>,
  judged: Judging<F>,
): Promise<Combination[] | undefined> {
  const tried: Required<Combination>[] = [];
  // Where the usual row fails, too, it may be for one of the usual values.
  const isUsual = Object.keys(part).length === 0;
  for (const [factor, value] of Object.entries<string>((isUsual ? at : part) as Row)) {
    const values = [value];
    const passing: string[] = [];
    for (const other of table.factors[factor] ?? []) {
      const neighbour = { ...at, [factor]: other };
      if (other === value || table.allows?.(neighbour) === false) continue;
      const found = await judged(neighbour);
      if (found !== undefined) (found === "right" ? passing : values).push(other);
    }
    tried.push({ factor, values, right: passing.length, passing });
  }
  if (isUsual && tried.every(({ values, right }) => values.length + right === 1)) return undefined;
  return tried.flatMap(({ factor, values, right, passing }) => {
    // A factor of which each value fails says nothing.
    const isOpen = values.length === table.factors[factor]?.length;
    return isOpen || (isUsual && right === 0) ? [] : [{ factor, values, right, ...(right > 0 && { passing }) }];
  });
}
