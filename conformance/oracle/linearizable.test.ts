import * as fc from "fast-check";
import { expect, test } from "vitest";
import { linearize, type Sequential, type Timed } from "./linearizable.ts";

/** A counter that is raised by one if it has the value named. */
type Operation = { readonly expects: number; readonly applied: boolean } | { readonly shows: number };

const counter: Sequential<number, Operation> = {
  initial: 0,
  after: (value, operation) => {
    if ("shows" in operation) return operation.shows === value ? [value] : [];
    if (!operation.applied) return operation.expects === value ? [] : [value];
    return operation.expects === value ? [value + 1] : [];
  },
  keyOf: String,
};

const at = (start: number, end: number, operation: Operation): Timed<Operation> => ({ operation, start, end });
const raise = (expects: number, applied: boolean): Operation => ({ expects, applied });

test("what cannot be explained leaves the state as far as it could", () => {
  const { order, state } = linearize([at(0, 1, raise(0, true)), at(2, 3, { shows: 0 })], counter);
  expect({ order, state }).toEqual({ order: undefined, state: 1 });
});

test("a search through more orders than can be tried gives up, and says so", () => {
  /** Each may add its own power of two, so no two of the ways lead to the same state. */
  const subsets: Sequential<number, number> = {
    initial: 0,
    after: (sum, power) => (power < 0 ? [] : [sum, sum + power]),
    keyOf: String,
  };
  const powers = Array.from({ length: 30 }, (_, index) => ({ operation: 2 ** index, start: index, end: 99 }));
  const history = [...powers, { operation: -1, start: 50, end: 99 }];
  expect(linearize(history, subsets).gaveUp).toBe(true);
  expect(linearize(powers, subsets).gaveUp).toBeUndefined();
});

/** The plain search: every order that keeps to the times. */
function anyOrder(history: readonly Timed<Operation>[], value = 0): boolean {
  if (history.length === 0) return true;
  return history.some((first, index) => {
    if (history.some(({ end }) => end < first.start)) return false;
    const rest = history.toSpliced(index, 1);
    return counter.after(value, first.operation).some((then) => anyOrder(rest, then));
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
      const { order } = linearize(history, counter);
      expect(order !== undefined).toBe(anyOrder(history));
      if (order !== undefined) expect(order).toHaveLength(history.length);
    }),
    { numRuns: 2000, seed: 1 },
  );
});
