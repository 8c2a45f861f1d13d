/**
 * Whether some order of overlapping operations explains their answers: each seems to happen at one moment between its
 * start and its end. The search of Wing and Gong, which remembers dead ends.
 */

/** An operation with its answer, and when it began and ended, on any clock. */
export interface Timed<Operation> {
  readonly operation: Operation;
  readonly start: number;
  readonly end: number;
}

/** What the operations do one after the other. */
export interface Sequential<State, Operation> {
  readonly initial: State;
  /**
   * The states that an operation may lead to when it was answered as it was; none where that answer is impossible. An
   * operation that changes nothing returns the very state that it was given.
   */
  after(state: State, operation: Operation): readonly State[];
  /** The same text for the same state. */
  keyOf(state: State): string;
}

/** `too many orders`: to try them all; no verdict. */
type Explained = "by an order" | "by none" | "too many orders";

/** Dead ends before the search gives up: some targets answer so that almost every order seems possible. */
const MOST_DEAD_ENDS = 20_000;

/** Looks for an order. Time grows with the square of the history where requests name the revision that they change. */
export function explained<State, Operation>(
  history: readonly Timed<Operation>[],
  { initial, after, keyOf }: Sequential<State, Operation>,
): Explained {
  const all = history
    .toSorted((a, b) => a.start - b.start)
    .map((one, index) => ({ ...one, index, kind: JSON.stringify(one.operation) }));
  type Entry = (typeof all)[number];
  const deadEnds = new Set<string>();

  /** Whether an order of these is left, behind those that led to the state. */
  const search = (open: readonly Entry[], state: State): boolean => {
    if (open.length === 0) return true;
    const firstEnd = Math.min(...open.map(({ end }) => end));
    // None of the others ended before they began.
    const candidates = open.filter(({ start }) => start <= firstEnd);
    // What does not change the state comes at once: its place makes no difference.
    const idle = candidates.filter(({ operation }) => {
      const [then, ...others] = after(state, operation);
      return others.length === 0 && then === state;
    });
    if (idle.length > 0) return search(without(open, ...idle), state);
    const key = `${keyOf(state)} ${open.map(({ index }) => index).join(" ")}`;
    if (deadEnds.has(key) || deadEnds.size > MOST_DEAD_ENDS) return false;
    // Of equal operations the one that ends first is enough: in any order where another comes first the two can be swapped.
    const byKind = new Map(candidates.toSorted((a, b) => b.end - a.end).map((one) => [one.kind, one]));
    const next = candidates.filter((one) => byKind.get(one.kind) === one);
    const isExplained = next.some((one) =>
      after(state, one.operation).some((then) => search(without(open, one), then)),
    );
    if (!isExplained) deadEnds.add(key);
    return isExplained;
  };
  if (search(all, initial)) return "by an order";
  return deadEnds.size > MOST_DEAD_ENDS ? "too many orders" : "by none";
}

const without = <Item>(items: readonly Item[], ...gone: readonly Item[]): Item[] =>
  items.filter((item) => !gone.includes(item));
