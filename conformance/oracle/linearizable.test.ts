import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endsOf, type Sequential, type Timed } from "./linearizable.ts";

/** A counter that is raised by one if it has the value named. */
type Operation = { readonly expects: number; readonly applied: boolean } | { readonly shows: number };

const counter: Sequential<number, Operation> = {
  initial: [0],
  after: (value, operation) => {
    if ("shows" in operation) return operation.shows === value ? [value] : [];
    if (!operation.applied) return operation.expects === value ? [] : [value];
    return operation.expects === value ? [value + 1] : [];
  },
  keyOf: String,
};

const at = (start: number, end: number, operation: Operation): Timed<Operation> => ({ operation, start, end });

test("a search through more orders than can be tried gives up, and says so", () => {
  /** Each may add its own power of two, so no two of the ways lead to the same state. */
  const subsets: Sequential<number, number> = {
    initial: [0],
    after: (sum, power) => (power < 0 ? [] : [sum, sum + power]),
    keyOf: String,
  };
  const powers = Array.from({ length: 30 }, (_, index) => ({ operation: 2 ** index, start: index, end: 99 }));
  const history = [...powers, { operation: -1, start: 50, end: 99 }];
  expect(endsOf(history, subsets)).toBeUndefined();
  expect(endsOf(powers.slice(0, 3), subsets)?.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

/** The plain search: where every order ends that keeps to the times. */
function everyEnd(history: readonly Timed<Operation>[], value = 0): number[] {
  if (history.length === 0) return [value];
  return history.flatMap((first, index) => {
    if (history.some(({ end }) => end < first.start)) return [];
    const rest = history.toSpliced(index, 1);
    return counter.after(value, first.operation).flatMap((then) => everyEnd(rest, then));
  });
}

test("gives what trying every order gives", () => {
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    fc.record({ expects: fc.nat(2), applied: fc.boolean() }),
    fc.record({ shows: fc.nat(2) }),
  );
  const timed = fc
    .record({ operation, start: fc.nat(8), length: fc.nat(4) })
    .map(({ operation: what, start, length }) => at(start, start + length, what));
  const histories = fc.array(timed, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(histories, (history) => {
      expect(new Set(endsOf(history, counter))).toEqual(new Set(everyEnd(history)));
    }),
    { numRuns: 2000, seed: 1 },
  );
});
