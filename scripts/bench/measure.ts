/** What a measure of `npm run bench` is. */

/** Figures by name, all of the measure's unit. Each is compared with the first. */
export type Row = Readonly<Record<string, number>>;

export interface Measure {
  /** What is measured, in which unit, and how, in a sentence or two. */
  readonly about: string;
  /** By what each row is about. */
  measure(): Promise<Readonly<Record<string, Row>>>;
}

/** What is measured in batches, in turns with others. */
export interface Batches {
  /** Of each batch. */
  readonly costs: number[];
}

/** Batches of each that are not counted: the engine has not compiled yet what is measured. */
export const WARM_UP = 2;

export function mediansOf(measured: Iterable<readonly [name: string, batches: Batches]>): Row {
  return Object.fromEntries(Array.from(measured, ([name, { costs }]) => [name, median(costs.slice(WARM_UP))]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
