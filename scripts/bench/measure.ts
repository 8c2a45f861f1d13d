/** What a measure of `npm run bench` is. */

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The `what` of another figure of the same run and unit, which this one is compared with. */
  readonly against?: string;
}

export interface Measure {
  /** What is measured, and how, in a sentence or two. */
  readonly about: string;
  measure(): Promise<readonly Figure[]>;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
