/**
 * Which orders of overlapping operations explain their answers: each seems to happen at one moment between its start and
 * its end. The search of Wing and Gong, which remembers where it has been.
 */

/** An operation with its answer, and when it began and ended, on any clock. */
export interface Timed<Operation> {
  readonly operation: Operation;
  readonly start: number;
  readonly end: number;
}

/** What the operations do one after the other. */
export interface Sequential<State, Operation> {
  readonly initial: readonly State[];
  /**
   * The states that an operation may lead to when it was answered as it was; none where that answer is impossible. An
   * operation that changes nothing returns the very state that it was given.
   */
  after(state: State, operation: Operation): readonly State[];
  keyOf(state: State): string;
}

/** The search gives up after this many positions: with some answers almost every order is possible. */
const MOST_PLACES = 20_000;

/**
 * The states in which an order may end that explains all answers: none where no order does, undefined where there are too
 * many orders to try. Time grows with the square of the history where requests name the revision that they change.
 */
export function endsOf<State, Operation>(
  history: readonly Timed<Operation>[],
  { initial, after, keyOf }: Sequential<State, Operation>,
): State[] | undefined {
  const all = history
    .toSorted((a, b) => a.start - b.start)
    .map((one, index) => ({ ...one, index, kind: JSON.stringify(one.operation) }));
  type Entry = (typeof all)[number];
  const places = new Set<string>();
  const ends = new Map<string, State>();

  /** Goes through the orders of what is left, behind those that led to the state. */
  const search = (open: readonly Entry[], state: State): void => {
    if (open.length === 0) return void ends.set(keyOf(state), state);
    const firstEnd = Math.min(...open.map(({ end }) => end));
    // No other open operation ended before these began.
    const candidates = open.filter(({ start }) => start <= firstEnd);
    // An operation that keeps the state can go first: its place makes no difference.
    const idle = candidates.filter(({ operation }) => {
      const [then, ...others] = after(state, operation);
      return others.length === 0 && then === state;
    });
    if (idle.length > 0) return search(without(open, ...idle), state);
    const key = `${keyOf(state)} ${open.map(({ index }) => index).join(" ")}`;
    if (places.has(key) || places.size > MOST_PLACES) return;
    places.add(key);
    // Of equal operations the one that ends first is enough: in any order where another comes first the two can be swapped.
    const byKind = new Map(candidates.toSorted((a, b) => b.end - a.end).map((one) => [one.kind, one]));
    for (const one of candidates.filter((candidate) => byKind.get(candidate.kind) === candidate))
      for (const then of after(state, one.operation)) search(without(open, one), then);
  };
  for (const state of initial) search(all, state);
  return places.size > MOST_PLACES ? undefined : [...ends.values()];
}

const without = <Item>(items: readonly Item[], ...gone: readonly Item[]): Item[] =>
  items.filter((item) => !gone.includes(item));
