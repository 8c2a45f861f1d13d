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

interface Linearization<State, Operation> {
  /** An order that explains all answers; absent if no order does. */
  readonly order?: readonly Timed<Operation>[];
  /** Too many orders are possible to try them all: no verdict. */
  readonly gaveUp?: true;
  /** The state after that order, or after as much of the longest as was explained. */
  readonly state: State;
}

/** A point at which several orders are possible. */
interface Fork<State> {
  /** Operations in order before it. */
  readonly length: number;
  readonly options: readonly { readonly index: number; readonly state: State }[];
  next: number;
}

/** Backtracks before the search gives up: some targets answer so that almost every order seems possible. */
const MAX_RETURNS = 20_000;

/** Looks for an order. Time grows with the square of the history where requests name the revision that they change. */
export function linearize<State, Operation>(
  history: readonly Timed<Operation>[],
  { initial, after, keyOf }: Sequential<State, Operation>,
): Linearization<State, Operation> {
  const entries = history.toSorted((a, b) => a.start - b.start);
  const kinds = entries.map(({ operation }) => JSON.stringify(operation));
  const open = new Set(entries.keys());
  const order: number[] = [];
  const forks: Fork<State>[] = [];
  const inVain = new Set<string>();
  let state = initial;
  let furthest = { length: 0, state };

  const endOf = (index: number): number => (entries[index] as Timed<Operation>).end;
  const take = (index: number, then: State) => {
    open.delete(index);
    order.push(index);
    state = then;
  };

  /** The open operations that may come next: none of the others ended before they began. In the order of their starts. */
  const candidates = (): number[] => {
    const found: number[] = [];
    let firstEnd = Number.POSITIVE_INFINITY;
    for (const index of open) {
      const { start, end } = entries[index] as Timed<Operation>;
      if (start > firstEnd) break;
      found.push(index);
      firstEnd = Math.min(firstEnd, end);
    }
    return found;
  };

  /** Takes every candidate that does not change the state: its place makes no difference. Returns those that change it. */
  const advance = (): Fork<State>["options"] => {
    for (;;) {
      const changing = new Map<string, { index: number; states: readonly State[] }>();
      let moved = false;
      for (const index of candidates()) {
        const states = after(state, (entries[index] as Timed<Operation>).operation);
        if (states.length === 1 && states[0] === state) {
          take(index, state);
          moved = true;
          continue;
        }
        // Of equal operations the one that ends first is enough: in any order where another comes first the two can be swapped.
        const [kind, alike] = [kinds[index] as string, changing.get(kinds[index] as string)];
        if (alike === undefined || endOf(index) < endOf(alike.index)) changing.set(kind, { index, states });
      }
      if (moved) continue;
      return [...changing.values()].flatMap(({ index, states }) => states.map((then) => ({ index, state: then })));
    }
  };

  /** Backtracks to the last point with an untried candidate; false if none is left. */
  const goBack = (): boolean => {
    for (let fork = forks.at(-1); fork !== undefined; fork = forks.at(-1)) {
      // Sorted again, so that the order of starts is kept.
      const back = order.splice(fork.length);
      const left = [...open, ...back].sort((a, b) => a - b);
      open.clear();
      for (const index of left) open.add(index);
      const option = fork.options[fork.next++];
      if (option !== undefined) {
        take(option.index, option.state);
        return true;
      }
      forks.pop();
    }
    return false;
  };

  for (let returns = 0; ; returns += 1) {
    const options = advance();
    if (order.length > furthest.length) furthest = { length: order.length, state };
    if (open.size === 0) return { order: order.map((index) => entries[index] as Timed<Operation>), state };
    const known = options.length > 1 ? `${keyOf(state)} ${[...open].join(" ")}` : "";
    const isNew = known === "" || !inVain.has(known);
    if (known !== "") inVain.add(known);
    if (options.length > 0 && isNew) forks.push({ length: order.length, options, next: 0 });
    if (returns > MAX_RETURNS + entries.length) return { gaveUp: true, state: furthest.state };
    if (!goBack()) return { state: furthest.state };
  }
}
