/**
 * The model of the limits (section 8) as plain data. The interface does not say when a window opens, so the model keeps
 * every lawful way of counting in mind and drops those that the target's answers rule out: none left, a departure.
 */
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "./target/lanes.ts";

/** A moment that is known to be not before `from` and not after `to`, ms on the target's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A clock that is read a little late makes no other window, ms. */
const LATE_MS = 1000;

/** What is known of a key's running window. `low` and `high`: requests counted in it, at least and at most. */
interface Window {
  /** When it opened, or (for windows aligned to the clock) a moment within it. */
  readonly opened: Span;
  readonly low: number;
  readonly high: number;
}

/** One lawful way of counting. */
interface Counting {
  /** Windows of all keys begin together, after `from` and not after `to` ms past a minute; else with a key's first request. */
  readonly aligned?: Span;
  readonly windows: ReadonlyMap<string, Window>;
}

/** Whether the in-flight limit lets a request through: `maybe` while a slot may come free at any moment. */
export type Slot = "free" | "taken" | "maybe";

/** What became of requests of one key, sent at the same time. */
export interface Batch {
  readonly key: string;
  readonly at: Span;
  readonly sent: number;
  /** How many both limits let in; absent where the answers do not tell. */
  readonly letIn?: number;
  readonly slot: Slot;
}

const longAgo = ({ from }: Span): Span => ({ from: from - 10 * WINDOW_MS, to: from - 10 * WINDOW_MS });

export class RateModel {
  #countings: readonly Counting[] = [
    { windows: new Map() },
    { aligned: { from: 0, to: WINDOW_MS }, windows: new Map() },
  ];

  /** Takes in what became of some requests; false when there is no lawful way of counting that gives it. */
  observe(batch: Batch): boolean {
    this.#tellApart(batch.at);
    const left = this.#countings.flatMap((counting) => counted(counting, batch) ?? []);
    if (left.length === 0) return false;
    this.#countings = left;
    return true;
  }

  /** Whether the budget has room for one more request: `maybe` where lawful ways of counting differ. */
  hasRoom(key: string, at: Span): boolean | "maybe" {
    this.#tellApart(at);
    const ranges = this.#countings.map((counting) => roomIn(counting, key, at, 1));
    if (ranges.every(({ least }) => least === 1)) return true;
    return ranges.some(({ most }) => most === 1) ? "maybe" : false;
  }

  /** Requests counted in the key's running window, as far as known. */
  spent(key: string, at: Span): number {
    const [counting] = this.#countings;
    const window = counting?.windows.get(key);
    if (counting === undefined || window === undefined) return 0;
    return relation(counting, window, at) === "same" ? window.low : 0;
  }

  /** When the key's running window opened; undefined where none has. */
  opened(key: string): Span | undefined {
    return this.#countings[0]?.windows.get(key)?.opened;
  }

  /** Aligned windows may begin right before or right after a moment: from now on these are two ways of counting. */
  #tellApart({ from, to }: Span): void {
    for (const moment of new Set([from, to])) {
      const cut = ((moment % WINDOW_MS) + WINDOW_MS) % WINDOW_MS || WINDOW_MS;
      this.#countings = this.#countings.flatMap((counting) => {
        const { aligned, windows } = counting;
        if (aligned === undefined || cut <= aligned.from || cut >= aligned.to) return [counting];
        return [
          { aligned: { from: aligned.from, to: cut }, windows },
          { aligned: { from: cut, to: aligned.to }, windows },
        ];
      });
    }
  }
}

/** Whether a moment falls into a key's running window or into a later one. */
function relation({ aligned }: Counting, { opened }: Window, at: Span): "same" | "later" | "either" {
  if (aligned !== undefined) {
    const indexOf = (moment: number) => Math.floor((moment - aligned.to) / WINDOW_MS);
    if (indexOf(opened.from) === indexOf(at.to)) return "same";
    return indexOf(opened.to) < indexOf(at.from) && indexOf(at.from) === indexOf(at.to) ? "later" : "either";
  }
  if (at.to < opened.from + WINDOW_MS) return "same";
  return at.from >= opened.to + WINDOW_MS + LATE_MS ? "later" : "either";
}

function known(counting: Counting, key: string, at: Span): { window: Window; is: "same" | "later" | "either" } {
  // A key that nothing is known of is as one whose last window is long over.
  const window = counting.windows.get(key) ?? { opened: longAgo(at), low: 0, high: 0 };
  return { window, is: relation(counting, window, at) };
}

/** How many of `sent` requests the budget lets through, at least and at most. */
function roomIn(counting: Counting, key: string, at: Span, sent: number): { least: number; most: number } {
  const { window, is } = known(counting, key, at);
  const left = (count: number) => Math.min(sent, REQUESTS_PER_WINDOW - count);
  if (is === "later") return { least: left(0), most: left(0) };
  return { least: left(window.high), most: is === "same" ? left(window.low) : sent };
}

const capped = (count: number): number => Math.min(REQUESTS_PER_WINDOW, count);

/** The same way of counting after a batch; undefined where it does not give what was seen. */
function counted(counting: Counting, { key, at, sent, letIn, slot }: Batch): Counting | undefined {
  const { window, is } = known(counting, key, at);
  const { least, most } = roomIn(counting, key, at, sent);
  if (letIn !== undefined && letIn > most) return undefined;
  if (letIn !== undefined && slot === "free" && letIn < least) return undefined;
  const usedUp = letIn !== undefined && slot === "free" && letIn < sent;
  const before = is === "later" ? { low: 0, high: 0 } : window;
  const opened = is === "later" ? at : { from: window.opened.from, to: is === "same" ? window.opened.to : at.to };
  const after =
    is === "either"
      ? { opened, low: usedUp ? REQUESTS_PER_WINDOW : 0, high: REQUESTS_PER_WINDOW }
      : { opened, low: usedUp ? REQUESTS_PER_WINDOW : capped(before.low + sent), high: capped(before.high + sent) };
  return { ...counting, windows: new Map(counting.windows).set(key, after) };
}

/** Whether one more request finds a slot, beside `held` ones and `ended` ones whose slots may not be free yet. */
export function slotFor(held: number, ended: number): Slot {
  if (held >= IN_FLIGHT) return "taken";
  return held + ended >= IN_FLIGHT ? "maybe" : "free";
}
