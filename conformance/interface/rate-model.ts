/**
 * The model of the limits (section 8) as plain data. The interface does not say when a window opens, so the model keeps
 * every lawful way of counting in mind and drops those that the target's answers rule out: none left, a departure.
 */
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "./limits.ts";

/** A moment that is known to be not before `from` and not after `to`, ms on the target's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Tolerance for a clock that is read late, ms. */
const LATE_MS = 1000;

/** Requests of one key counted in the running window, at least and at most. */
interface Count {
  readonly low: number;
  readonly high: number;
}

/** One lawful state of the counting for keys that share their windows. */
interface Counting {
  /** The running window ends after `from` and not after `to` ms past some minute; else a minute after it opened. */
  readonly clock?: Span;
  /** When the running window opened, or (where it ends by the clock) a moment within it; absent where none has. */
  readonly opened?: Span;
  readonly counts: ReadonlyMap<string, Count>;
}

/** A lawful way of counting. */
interface Way {
  /** Keys of one group share their windows. */
  readonly groupOf: (key: string) => string;
  /** What may be known of a group of which nothing was seen. */
  readonly first: readonly Counting[];
  /** The next window follows at once; else it begins with the first request after the last one's end. */
  readonly follows: boolean;
  /** How long before that request it may have begun, ms; 0 if absent. */
  readonly beforeMs?: number;
}

const none: Counting = { counts: new Map() };
/** Whatever was sent before: the running window may end at any moment of the next minute. */
const running: Counting = { clock: { from: 0, to: WINDOW_MS }, counts: new Map() };

/** `isRested`: nothing was sent to the target for a minute, so that no window runs. */
const waysOf = (isRested: boolean): readonly Way[] => [
  { groupOf: (key) => key, first: [none], follows: false },
  // Counted in whole seconds.
  { groupOf: (key) => key, first: [none], follows: false, beforeMs: 1000 },
  { groupOf: () => "all", first: [running], follows: true },
  // A shared window that was running before ends by the clock: the way above covers it.
  { groupOf: () => "all", first: [none], follows: false },
  { groupOf: pathOf, first: isRested ? [none] : [none, running], follows: false },
];

/** Whether the in-flight limit lets a request through: `maybe` while a slot may come free at any moment. */
export type Slot = "free" | "taken" | "maybe";

/** What became of requests of one key, sent at the same time. */
export interface Batch {
  /** The path, a space, the client. */
  readonly key: string;
  readonly at: Span;
  readonly sent: number;
  /** How many both limits let in; absent where the answers do not show it. */
  readonly letIn?: number;
  readonly slot: Slot;
}

function pathOf(key: string): string {
  return key.split(" ")[0] ?? "";
}

export class RateModel {
  /** The ways that are left, each with the states that are left for each group of keys. */
  #left: readonly { readonly way: Way; readonly groups: ReadonlyMap<string, readonly Counting[]> }[];

  /** `isRested`: nothing was sent to the target for a minute before. */
  constructor(isRested: boolean) {
    this.#left = waysOf(isRested).map((way) => ({ way, groups: new Map() }));
  }

  /** Takes in what became of some requests; false when there is no lawful way of counting that gives it. */
  observe(batch: Batch): boolean {
    const left = this.#left.flatMap(({ way, groups }) => {
      const group = way.groupOf(batch.key);
      const before = tellApart(groups.get(group) ?? way.first, batch.at);
      const after = before.flatMap((counting) => counted(counting, way, batch));
      return after.length === 0 ? [] : [{ way, groups: new Map(groups).set(group, after) }];
    });
    if (left.length === 0) return false;
    this.#left = left;
    return true;
  }

  /** Whether the budget has room for one more request: `maybe` where lawful ways of counting differ. */
  hasRoom(key: string, at: Span): boolean | "maybe" {
    const ranges = this.#left.flatMap(({ way, groups }) =>
      tellApart(groups.get(way.groupOf(key)) ?? way.first, at).map((counting) => roomIn(counting, key, at, 1)),
    );
    if (ranges.every(({ least }) => least === 1)) return true;
    return ranges.some(({ most }) => most === 1) ? "maybe" : false;
  }

  /** The fewest requests that the key's running window has counted, by the first way of counting that is left. */
  spent(key: string, at: Span): number {
    const counting = this.#firstOf(key);
    return counting !== undefined && relation(counting, at) === "same" ? countOf(counting, key).low : 0;
  }

  /** When the key's running window opened; undefined where none has. */
  opened(key: string): Span | undefined {
    return this.#firstOf(key)?.opened;
  }

  #firstOf(key: string): Counting | undefined {
    const [first] = this.#left;
    return first?.groups.get(first.way.groupOf(key))?.[0];
  }
}

/** Windows by the clock may begin right before or right after a moment: from now on these are two states. */
function tellApart(countings: readonly Counting[], { from, to }: Span): readonly Counting[] {
  let apart = countings;
  for (const moment of new Set([from, to])) {
    const cut = ((moment % WINDOW_MS) + WINDOW_MS) % WINDOW_MS || WINDOW_MS;
    apart = apart.flatMap((counting) => {
      const { clock } = counting;
      if (clock === undefined || cut <= clock.from || cut >= clock.to) return [counting];
      return [
        { ...counting, clock: { from: clock.from, to: cut } },
        { ...counting, clock: { from: cut, to: clock.to } },
      ];
    });
  }
  return apart;
}

/** Whether a moment falls into the running window or into a later one. */
function relation({ clock, opened }: Counting, at: Span): "same" | "later" | "either" {
  if (clock !== undefined) {
    const indexOf = (moment: number) => Math.floor((moment - clock.to) / WINDOW_MS);
    if (indexOf(at.from) !== indexOf(at.to)) return "either";
    return opened !== undefined && indexOf(opened.from) === indexOf(at.to) ? "same" : "later";
  }
  if (opened === undefined || at.from >= opened.to + WINDOW_MS + LATE_MS) return "later";
  return at.to < opened.from + WINDOW_MS ? "same" : "either";
}

const countOf = ({ counts }: Counting, key: string): Count => counts.get(key) ?? { low: 0, high: 0 };

/** How many of `sent` requests the budget lets through, at least and at most. */
function roomIn(counting: Counting, key: string, at: Span, sent: number): { least: number; most: number } {
  const { low, high } = countOf(counting, key);
  const is = relation(counting, at);
  const left = (count: number) => Math.min(sent, REQUESTS_PER_WINDOW - count);
  if (is === "later") return { least: left(0), most: left(0) };
  return { least: left(high), most: is === "same" ? left(low) : sent };
}

const capped = (count: number): number => Math.min(REQUESTS_PER_WINDOW, count);

/** The states that a batch may leave; none where the state does not give what was seen. */
function counted(
  counting: Counting,
  { follows, beforeMs = 0 }: Way,
  { key, at, sent, letIn, slot }: Batch,
): Counting[] {
  const { clock, opened, counts } = counting;
  const is = relation(counting, at);
  const { least, most } = roomIn(counting, key, at, sent);
  if (letIn !== undefined && letIn > most) return [];
  if (letIn !== undefined && slot === "free" && letIn < least) return [];
  const isUsedUp = letIn !== undefined && slot === "free" && letIn < sent;
  const full = { low: REQUESTS_PER_WINDOW, high: REQUESTS_PER_WINDOW };
  // A window that ran before the first request continues to its end.
  const next = clock !== undefined && (follows || opened === undefined) ? { clock } : {};
  // A new window would have let some of them in, so the running one continues.
  const goesOn = is === "either" && clock === undefined && isUsedUp && letIn === 0;
  if (is === "same" || goesOn) {
    const { low, high } = countOf(counting, key);
    const count = isUsedUp ? full : { low: capped(low + sent), high: capped(high + sent) };
    return [{ ...counting, counts: new Map(counts).set(key, count) }];
  }
  if (is === "later") {
    const count = isUsedUp ? full : { low: capped(sent), high: capped(sent) };
    return [{ ...next, opened: { from: at.from - beforeMs, to: at.to }, counts: new Map([[key, count]]) }];
  }
  if (clock !== undefined) {
    // The window ended in between: some of these requests, or all, may belong to the next one.
    const some = new Map([[key, { low: 0, high: capped(sent) }]]);
    return follows
      ? [{ clock, opened: { from: at.to, to: at.to }, counts: some }]
      : [{ opened: at, counts: some }, none];
  }
  // Each of the others' counts may have begun anew.
  const others = [...counts].map(([other, { high }]): [string, Count] => [other, { low: 0, high }]);
  const count = { low: isUsedUp ? REQUESTS_PER_WINDOW : 0, high: REQUESTS_PER_WINDOW };
  return [{ opened: { from: opened?.from ?? at.from, to: at.to }, counts: new Map(others).set(key, count) }];
}

/** Whether one more request finds a slot, beside `held` ones and `ended` ones whose slots may not be free yet. */
export function slotFor(held: number, ended: number): Slot {
  if (held >= IN_FLIGHT) return "taken";
  return held + ended >= IN_FLIGHT ? "maybe" : "free";
}
