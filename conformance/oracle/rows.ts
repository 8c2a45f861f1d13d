/**
 * Covering arrays: rows in which every pair of factors' values that the constraints allow stands at least once, and every
 * triple of the factors named. Few factors cause most faults (NIST SP 800-142), so pairs in a few rows see what examples miss.
 */

import type { Combination, Coverage } from "../harness/outcome.ts";

/** Each factor with its values; the first one is the usual value. */
export type Factors = Readonly<Record<string, readonly [string, ...string[]]>>;

export type Row<F extends Factors = Factors> = { readonly [Name in keyof F]: F[Name][number] };

export interface Table<F extends Factors = Factors> {
  readonly factors: F;
  /** False for values that cannot stand in one row; asked of unfinished rows too, and true of what may still become one. */
  readonly allows?: (row: Partial<Row<F>>) => boolean;
  /** Factors of which every triple of values stands in a row. */
  readonly triples?: readonly (readonly [keyof F & string, keyof F & string, keyof F & string])[];
}

/** Allows what none of these excludes. */
export const unless =
  <R>(...excluded: readonly ((row: Partial<R>) => boolean)[]) =>
  (row: Partial<R>): boolean =>
    !excluded.some((isExcluded) => isExcluded(row));

type Loose = Record<string, string>;
/** The rest of a row, by the first values that fit; undefined where there is none. */
function completed(row: Partial<Loose>, table: Table): Loose | undefined {
  if (table.allows?.(row) === false) return undefined;
  const next = Object.keys(table.factors).find((name) => row[name] === undefined);
  if (next === undefined) return row as Loose;
  for (const value of table.factors[next] ?? []) {
    const whole = completed({ ...row, [next]: value }, table);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

/** One text for the values that these factors have; each group of factors always comes in the table's order. */
const keyOf = (row: Partial<Loose>, names: readonly string[]): string =>
  names.map((name) => `${name}=${row[name]}`).join("\n");

function product(factors: Factors, names: readonly string[]): Loose[] {
  return names.reduce<Loose[]>(
    (parts, name) => parts.flatMap((part) => (factors[name] ?? []).map((value) => ({ ...part, [name]: value }))),
    [{}],
  );
}

/** Sets of factors' names that have to meet in all values. */
function groupsOf(table: Table, what: "pairs" | "triples"): readonly (readonly string[])[] {
  const names = Object.keys(table.factors);
  if (what === "triples") return table.triples ?? [];
  return names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]));
}

const holds = (row: Loose, part: Loose): boolean => Object.entries(part).every(([name, value]) => row[name] === value);

/** What of a table rows have met, and the values that stand in none of them. */
export function coverageOf(table: Table, rows: readonly Row[]): Coverage {
  const metOf = (what: "pairs" | "triples") => {
    const groups = groupsOf(table, what);
    const partsIn = (some: readonly Row[]) => new Set(some.flatMap((row) => groups.map((names) => keyOf(row, names))));
    // The table's own rows hold each that can be.
    const [met, all] = [partsIn(rows), partsIn(rowsOf(table))];
    return { met: [...met].filter((part) => all.has(part)).length, of: all.size };
  };
  const without = Object.entries(table.factors).flatMap(([factor, values]) => {
    const isLeft = (value: string) => !rows.some((row) => row[factor] === value);
    const left = values.filter((value) => isLeft(value) && completed({ [factor]: value }, table) !== undefined);
    return left.length === 0 ? [] : [{ factor, values: left }];
  });
  return { pairs: metOf("pairs"), triples: metOf("triples"), without };
}

/**
 * Rows that together hold every pair, and the triples asked for. Each row begins with a combination that no row has yet, and
 * takes for each other factor, those of most values first, the value that brings in most of those that are left. The same
 * table gives the same rows.
 */
export function rowsOf<F extends Factors>(table: Table<F>): readonly Row<F>[] {
  const made = known.get(table) ?? makeRows(table as unknown as Table);
  known.set(table, made);
  return made as readonly Row<F>[];
}

/** Several cases may have one table. */
const known = new WeakMap<object, readonly Row[]>();

function makeRows(asked: Table): readonly Row[] {
  const groups = [...groupsOf(asked, "triples"), ...groupsOf(asked, "pairs")];
  const parts = groups.flatMap((names) => product(asked.factors, names));
  const left = new Map(parts.map((part) => [keyOf(part, Object.keys(part)), part]));
  const isIn = (row: Partial<Loose>, names: readonly string[]): boolean =>
    names.every((name) => row[name] !== undefined);

  const sizeOf = (name: string): number => asked.factors[name]?.length ?? 0;
  const largestFirst = Object.keys(asked.factors).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const rows: Loose[] = [];
  for (const part of left.values()) {
    if (completed(part, asked) === undefined) continue;
    let row: Partial<Loose> = part;
    for (const name of largestFirst) {
      if (row[name] !== undefined) continue;
      const met = groups.filter((names) => names.includes(name) && isIn({ ...row, [name]: "" }, names));
      const tries = (asked.factors[name] ?? []).map((value) => {
        const one = { ...row, [name]: value };
        return { one, gain: met.filter((names) => left.has(keyOf(one, names))).length };
      });
      const best = tries.toSorted((a, b) => b.gain - a.gain).find(({ one }) => completed(one, asked) !== undefined);
      row = best?.one ?? row;
    }
    for (const names of groups) left.delete(keyOf(row, names));
    rows.push(row as Loose);
  }
  return rows;
}

/**
 * The smallest part of a failing row that fails by itself: each value that can be the usual one without mending the row is
 * made so. What is left is the combination to tell; nothing where even the usual row fails.
 */
export async function narrowed<F extends Factors>(
  row: Row<F>,
  { factors, allows = () => true }: Table<F>,
  fails: (row: Row<F>) => Promise<boolean>,
): Promise<Partial<Row<F>>> {
  let smallest = row;
  const names = Object.keys(factors) as (keyof F)[];
  for (let before: Row<F> | undefined; before !== smallest;) {
    before = smallest;
    for (const name of names) {
      const usual = { ...smallest, [name]: factors[name]?.[0] } as Row<F>;
      // What the constraints do not allow now they may allow once another value is the usual one.
      if (smallest[name] === usual[name] || !allows(usual)) continue;
      if (await fails(usual)) smallest = usual;
    }
  }
  const unusual = Object.entries(smallest).filter(([name, value]) => value !== factors[name]?.[0]);
  return Object.fromEntries(unusual) as Partial<Row<F>>;
}

/** Of rows that were all judged at once: the fewest values that those that fail have in common, and no other row has. */
export function combinationOf(failing: readonly Row[], all: readonly Row[], { factors }: Table): Combination[] {
  const [first] = failing;
  if (first === undefined || failing.length === all.length) return [];
  const explains = (part: Loose): boolean =>
    all.every((row) => !holds(row, part) || failing.includes(row)) && failing.some((row) => holds(row, part));
  const varied = Object.keys(factors).filter((name) => (factors[name]?.length ?? 0) > 1);
  const groups = [...varied.map((name) => [name]), ...groupsOf({ factors }, "pairs")];
  const group = groups.find((one) => explains(Object.fromEntries(one.map((name) => [name, first[name] ?? ""]))));
  const chosen = Object.fromEntries((group ?? varied).map((name) => [name, first[name] ?? ""]));
  return Object.keys(chosen).map((factor) => {
    const values = (factors[factor] ?? []).filter((value) => explains({ ...chosen, [factor]: value }));
    return { factor, values, right: (factors[factor]?.length ?? 0) - values.length };
  });
}
