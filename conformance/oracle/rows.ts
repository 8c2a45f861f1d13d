/**
 * Covering arrays: rows in which every pair of factors' values that the constraints allow stands at least once, and every
 * triple of the factors named. Few factors cause most faults (NIST SP 800-142), so pairs in a few rows see what examples miss.
 */

import { perObject } from "../foundation/per-object.ts";
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
  /** The rows, where they are not those that hold every pair: each of these is a combination of its own. */
  readonly listed?: readonly Row<F>[];
}

export const unless =
  <R>(...excluded: readonly ((row: Partial<R>) => boolean)[]) =>
  (row: Partial<R>): boolean =>
    !excluded.some((isExcluded) => isExcluded(row));

type Loose = Record<string, string>;
function canBecome(row: Partial<Loose>, { factors, allows }: Table): boolean {
  if (allows === undefined) return true;
  const names = Object.keys(factors);
  const isWithRest = (from: Partial<Loose>): boolean => {
    if (!allows(from)) return false;
    const next = names.find((name) => from[name] === undefined);
    return next === undefined || (factors[next] ?? []).some((value) => isWithRest({ ...from, [next]: value }));
  };
  return isWithRest(row);
}

function product(factors: Factors, names: readonly string[]): Loose[] {
  return names.reduce<Loose[]>(
    (parts, name) => parts.flatMap((part) => (factors[name] ?? []).map((value) => ({ ...part, [name]: value }))),
    [{}],
  );
}

/** Sets of factors' names that have to meet in all values. */
function groupsOf(table: Table, what: "pairs" | "triples"): readonly (readonly string[])[] {
  const names = Object.keys(table.factors);
  if (table.listed !== undefined) return what === "pairs" ? [names] : [];
  if (what === "triples") return table.triples ?? [];
  return names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]));
}

interface Numbered {
  readonly names: readonly string[];
  /** The number of the values that a row has for these factors: those of a table have one each, in the order of `product`. */
  numberOf(row: Partial<Loose>): number;
}

/** Combinations as numbers: comparing them as texts takes most of the time. */
function numbered({ factors }: Table, groups: readonly (readonly string[])[]): readonly Numbered[] {
  const placesOf = (name: string) => new Map(factors[name]?.map((value, place) => [value, place]));
  const places = new Map(Object.keys(factors).map((name) => [name, placesOf(name)]));
  let first = 0;
  return groups.map((names) => {
    const parts = names.map((name) => ({ name, placeOf: places.get(name) ?? new Map<string, number>() }));
    const base = first;
    first += parts.reduce((size, { placeOf }) => size * placeOf.size, 1);
    const numberOf = (row: Partial<Loose>) =>
      base + parts.reduce((sum, { name, placeOf }) => sum * placeOf.size + (placeOf.get(row[name] ?? "") ?? 0), 0);
    return { names, numberOf };
  });
}

const holds = (row: Loose, part: Loose): boolean => Object.entries(part).every(([name, value]) => row[name] === value);

/** What of a table rows have met, and the values that stand in none of them. */
export function coverageOf(table: Table, rows: readonly Row[]): Coverage {
  const metOf = (what: "pairs" | "triples") => {
    const groups = numbered(table, groupsOf(table, what));
    const partsIn = (some: readonly Row[]) => new Set(some.flatMap((row) => groups.map((one) => one.numberOf(row))));
    // The rows of the whole table contain every combination that the constraints allow.
    const [met, all] = [partsIn(rows), partsIn(rowsOf(table))];
    return { met: [...met].filter((part) => all.has(part)).length, of: all.size };
  };
  const without = Object.entries(table.factors).flatMap(([factor, values]) => {
    const isLeft = (value: string) => !rows.some((row) => row[factor] === value);
    // In listed rows every factor but one has its usual value, so that one is always covered.
    const told = table.listed === undefined ? values : values.slice(1);
    const left = told.filter((value) => isLeft(value) && canBecome({ [factor]: value }, table));
    return left.length === 0 ? [] : [{ factor, values: left }];
  });
  return { pairs: metOf("pairs"), triples: metOf("triples"), without };
}

/**
 * Rows that together hold every pair, and the triples asked for. Each row begins with a combination that no row has yet, and
 * takes for each other factor, those of most values first, the value that brings in most of those that are left. A row
 * of which the others hold every combination goes again. The same table gives the same rows.
 */
export function rowsOf<F extends Factors>(table: Table<F>): readonly Row<F>[] {
  if (table.listed !== undefined) return table.listed.filter((row) => table.allows?.(row) !== false);
  return madeRows(table as unknown as Table) as readonly Row<F>[];
}

const madeRows = perObject(makeRows);

function makeRows(asked: Table): readonly Row[] {
  const groups = numbered(asked, [...groupsOf(asked, "triples"), ...groupsOf(asked, "pairs")]);
  const parts = groups.flatMap(({ names }) => product(asked.factors, names));
  /** By the numbers of the parts: whether no row has met it. */
  const left = parts.map(() => true);
  const sizeOf = (name: string): number => asked.factors[name]?.length ?? 0;
  const largestFirst = Object.keys(asked.factors).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const rows: Loose[] = [];
  for (const [number, part] of parts.entries()) {
    if (!left[number] || !canBecome(part, asked)) continue;
    let row: Partial<Loose> = part;
    for (const name of largestFirst) {
      if (row[name] !== undefined) continue;
      const isIn = (other: string): boolean => other === name || row[other] !== undefined;
      const met = groups.filter(({ names }) => names.includes(name) && names.every(isIn));
      const tries = (asked.factors[name] ?? []).map((value) => {
        const one = { ...row, [name]: value };
        return { one, gain: met.filter((group) => left[group.numberOf(one)]).length };
      });
      const best = tries.toSorted((a, b) => b.gain - a.gain).find(({ one }) => canBecome(one, asked));
      row = best?.one ?? row;
    }
    for (const group of groups) left[group.numberOf(row)] = false;
    rows.push(row as Loose);
  }
  const rowsWith = parts.map(() => 0);
  const count = (row: Loose, by: number) => groups.forEach((group) => (rowsWith[group.numberOf(row)]! += by));
  for (const row of rows) count(row, 1);
  return rows.filter((row) => {
    const isNeeded = groups.some((group) => rowsWith[group.numberOf(row)] === 1);
    if (!isNeeded) count(row, -1);
    return isNeeded;
  });
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

/** The first item with which something is wrong, found by bisection. */
export async function culpritIn<Item>(
  items: readonly Item[],
  isWrong: (some: readonly Item[]) => Promise<boolean>,
): Promise<Item | undefined> {
  let suspects = items;
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    suspects = (await isWrong(half)) ? half : suspects.slice(half.length);
  }
  return suspects[0];
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
