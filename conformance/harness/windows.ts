/**
 * Watches the windows of the rate limit: several keys are used up at different moments, by callers of different kinds, and
 * asked again around every moment that decides. A real clock is watched all the time; a driven one is moved to those
 * moments only, and each window brings the end of the next one nearer.
 */
import { REQUESTS_PER_WINDOW, REAL_SLACK_MS, WINDOW_MS } from "../interface/limits.ts";
import { isAccepted, type Exchange } from "../http/exchange.ts";
import { OutOfTime } from "../http/harness-error.ts";
import { Unreached } from "./case-errors.ts";
import { mustAnswer } from "./checks.ts";
import { cheap, keyOf, mustBeBackInAnHour, spend, type Key } from "./limit-keys.ts";
import type { Trial } from "./trial.ts";

/** A moment on the target's clock that is not before `least` and not after `most`, or a time between two of them, ms. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

export interface Window {
  readonly opened: Span;
  accepted: number;
  /** When its budget was seen to be used up, ms; absent until then. */
  spentAt?: number;
  /** Absent where it did not end while it was watched. */
  ended?: Span;
  readonly refusals: { readonly at: Span; readonly exchange: Exchange }[];
}

/** What a caller does while its budget is used up. */
const callers = ["asks when it should end", "asks now and then", "retries", "retries as well"] as const;
type Caller = (typeof callers)[number];
/** Enough to pass right windows on a driven clock. Before a window is blamed all four have to watch. */
export const fewCallers = callers.slice(0, 3);

/** Time between the first requests of two keys, ms. If their windows still end together, windows are aligned to the clock. */
const APART_MS = 360;
const REAL_STEP_MS = 100;
/** Using up a budget takes longer than this only on a machine that is too busy to judge, ms. */
const LONGEST_USE_MS = 1000;
/** The caller that asks now and then: interval, and when it uses up the rest of its budget, ms. */
const [STEADY_MS, STEADY_FOR_MS] = [5000, 50_000];
/**
 * A new key comes in so often, six in a window and none of them when the others ask: what is tidied up for it may not be
 * budgets that are still in use, ms.
 */
const NEW_KEY_MS = 9800;
/** How long after its opening a window is given up, ms. */
const LONGEST_MS = { real: WINDOW_MS + 1500, driven: 2 * WINDOW_MS + 5000 };
/** A driven clock looks every second for the end of a first window, and more closely where it is near, ms. */
const COARSE_MS = 1000;
const NEAR: Span = { least: WINDOW_MS - 1050, most: WINDOW_MS };
/** A window that ends earlier may have been cut by an aligned clock, which two keys cannot show yet: start over, ms. */
const TOO_SOON_MS = 5000;
const STEPS = 20;
const MIXED = "a request was accepted behind a refused one of the same budget, as where slots come free late";

export class WatchedKey {
  readonly caller: Caller;
  readonly windows: Window[] = [];
  slowestMs = 0;
  /** A request was accepted after a refusal within one budget: due to slots freed late, not to the rate limit. */
  isMixed = false;
  readonly #trial: Trial;
  readonly #key: Key;
  /** When the last request was sent, and the last one that was refused, ms. */
  #asked = 0;
  #refused = 0;

  constructor(trial: Trial, key: Key, caller: Caller) {
    this.#trial = trial;
    this.#key = key;
    this.caller = caller;
  }

  get last(): Window {
    return this.windows.at(-1) as Window;
  }

  /** Enough windows have ended, or the last did not end in time. `byClock`: the last end that two keys had in common. */
  isOver(byClock: Span | undefined): boolean {
    const { driven } = this.#trial;
    const ends = this.windows.flatMap((window) => window.ended ?? []);
    const isExact = ends.every(({ least, most }) => most - least <= 1);
    const ended = ends.length;
    if (this.#refused - this.last.opened.most > LONGEST_MS[driven ? "driven" : "real"]) return true;
    if (this.caller === "retries" && driven) return ended >= (byClock ? 6 : isExact ? 1 : 3);
    if (this.caller === "asks now and then") return ended >= (driven ? 2 : 1);
    return ended >= (byClock || (driven && !isExact) ? 2 : 1);
  }

  /** The latest moment at which the window must still run; the common end where windows are aligned to the clock. */
  #nextSilent(byClock: Span | undefined): number {
    const { opened } = this.last;
    if (byClock !== undefined && byClock.least > opened.most) return byClock.most;
    const begun = Math.min(opened.least, byClock?.least ?? opened.least);
    return begun + WINDOW_MS - (this.#trial.driven ? 1 : 2 * REAL_SLACK_MS);
  }

  async ask(): Promise<void> {
    const least = this.#trial.now();
    this.#asked = least;
    const exchange = mustAnswer(await this.#trial.send(cheap(this.#trial, this.#key), this.#key.from));
    const isFirst = this.windows.length === 0;
    if (isFirst && !isAccepted(exchange)) throw new Unreached("the first request of a key was refused", [exchange]);
    const at = { least, most: this.#trial.now() };
    if (!isAccepted(exchange)) this.last.refusals.push({ at, exchange });
    if (!isAccepted(exchange)) this.#refuse(least);
    else if (!isFirst && !this.#isSpent) this.last.accepted += 1;
    else {
      if (!isFirst) this.last.ended = { least: this.#refused, most: at.most };
      this.windows.push({ opened: at, accepted: 1, refusals: [] });
    }
  }

  /** Uses up the budget of a window, at once, or that of a steady caller's first one at last. */
  async useUp(byClock?: Span): Promise<void> {
    // The budget of the second window is counted in any case; with a driven clock the caller that asks now and then does that.
    const counted = this.caller !== "asks now and then" && this.#trial.driven ? 1 : 2;
    if (this.windows.length > counted && this.isOver(byClock)) return;
    const isEarly = this.#trial.now() < this.last.opened.least + STEADY_FOR_MS;
    if (this.#isSpent || (this.caller === "asks now and then" && this.windows.length === 1 && isEarly)) return;
    const sent = this.#trial.now();
    const exchanges = await spend(this.#trial, this.#key, Math.max(0, REQUESTS_PER_WINDOW - this.last.accepted));
    this.last.accepted += exchanges.filter(isAccepted).length;
    const refusedAt = exchanges.findIndex((exchange) => !isAccepted(exchange));
    if (refusedAt >= 0) this.#refuse(sent);
    this.isMixed ||= refusedAt >= 0 && exchanges.slice(refusedAt).some(isAccepted);
    // A window that ends by the clock may have ended meanwhile.
    while (!this.#isSpent && this.last.accepted <= 2 * REQUESTS_PER_WINDOW) await this.ask();
    this.last.spentAt ??= this.#trial.now();
    this.slowestMs = Math.max(this.slowestMs, this.#trial.now() - sent);
  }

  /** The last window whose budget was used up is over an hour later. */
  async mustBeBack(): Promise<void> {
    const { opened } = this.windows.findLast(({ spentAt }) => spentAt !== undefined) ?? this.last;
    await mustBeBackInAnHour(this.#trial, this.#key, opened.most);
  }

  get #isSpent(): boolean {
    return this.last.spentAt !== undefined;
  }

  #refuse(sent: number): void {
    this.#refused = sent;
    this.last.spentAt ??= this.#trial.now();
  }

  next(byClock: Span | undefined): number {
    if (this.caller === "asks now and then" && !this.#isSpent)
      return Math.min(this.#asked + STEADY_MS, this.last.opened.least + STEADY_FOR_MS);
    const silentUntil = this.caller === "asks when it should end" ? this.#nextSilent(byClock) : 0;
    if (silentUntil > this.#asked || !this.#trial.driven) return Math.max(silentUntil, this.#asked + REAL_STEP_MS);
    const isFirst = this.windows.length === 1 && this.caller === "retries";
    // Callers never ask at the same moment: if two windows had ended unseen, the next ones would open together.
    const [step, shift] = isFirst ? [COARSE_MS, 0] : [STEADY_MS, APART_MS];
    const coarse = stepIn(ALWAYS, this.#asked - shift, step) + shift;
    return Math.min(coarse, ...this.#expected().map((span) => stepIn(span, this.#asked)));
  }

  /** When the window may end: after 60 s, after the length of the previous window, or one period after its end. */
  #expected(): Span[] {
    const { opened } = this.last;
    const stated = { least: opened.least + WINDOW_MS - 1, most: opened.least + WINDOW_MS };
    const before = this.windows.at(-2);
    if (before?.ended === undefined) return [stated, plus(opened, NEAR)];
    const earlier = this.windows.at(-3)?.ended;
    const period = earlier === undefined ? NEAR : minus(before.ended, earlier);
    const minute = { least: WINDOW_MS, most: WINDOW_MS };
    return [
      stated,
      plus(opened, minus(before.ended, before.opened)),
      plus(before.ended, minute),
      plus(before.ended, period),
    ];
  }

  /**
   * How long a window lasted; at least so long where it did not end. One that ends by the clock began with the last of
   * the common ends.
   */
  lengthOf(index: number, ends: readonly Span[]): { least: number; most?: number } | undefined {
    const { opened, ended, spentAt } = this.windows[index] as Window;
    // A budget that was not used up within the time may have been that of two windows: the machine was too slow.
    if (spentAt === undefined || spentAt >= opened.least + WINDOW_MS) return undefined;
    const lasted = ended?.least ?? this.#refused;
    const isByClock = ends.length > 0;
    if (isByClock && index === 0) {
      // The first aligned window began before the first request, and more may have passed unseen. But a budget used up
      // before an aligned end must be refilled after it.
      const isCrossed = ends.some((end) => spentAt < end.least && lasted > end.most);
      return isCrossed ? { least: Math.max(0, lasted - opened.most) } : undefined;
    }
    const before = this.windows[index - 1]?.ended;
    const from = isByClock ? { least: before?.least ?? 0, most: opened.most } : opened;
    return ended === undefined ? { least: Math.max(0, lasted - from.most) } : minus(ended, from);
  }
}

const ALWAYS: Span = { least: 0, most: Number.POSITIVE_INFINITY };
const plus = (a: Span, b: Span): Span => ({ least: a.least + b.least, most: a.most + b.most });
const minus = (a: Span, b: Span): Span => ({ least: a.least - b.most, most: a.most - b.least });
const meet = (a: Span, b: Span): boolean => a.least <= b.most && b.least <= a.most;

/** The next moment after `now` in an interval that is looked at in steps; never where it is over. */
function stepIn({ least, most }: Span, now: number, step = Math.max(1, Math.ceil((most - least) / STEPS))): number {
  if (now < least) return least;
  return now >= most ? Number.POSITIVE_INFINITY : Math.min(most, (Math.floor(now / step) + 1) * step);
}

/**
 * A refusal whose Retry-After is not the time to the end of its window, in seconds and rounded up, and why; undefined where
 * each is right. `slackMs`: how late a clock may be read.
 */
export function wrongRetryAfter(keys: readonly WatchedKey[], slackMs: number) {
  for (const { ended, refusals } of keys.flatMap((key) => key.windows)) {
    if (ended === undefined) continue;
    for (const { at, exchange } of refusals) {
      const told = exchange.answer?.headers.get("retry-after")?.join() ?? "";
      const waitMs = /^\d{1,9}$/.test(told) ? 1000 * Number(told) : Number.NaN;
      const left = minus(ended, at);
      if (Number.isNaN(waitMs)) return { exchange, why: "no whole seconds" };
      if (waitMs + slackMs <= left.least) return { exchange, why: "a wait that does not help" };
      if (waitMs - 1000 - slackMs >= left.most) return { exchange, why: "a wait of which less would do" };
    }
  }
  return undefined;
}

/** The moments at which the windows of two keys ended together although they were opened apart, in their order. */
export function commonEnds(keys: readonly WatchedKey[]): readonly Span[] {
  const all = keys.flatMap((key) =>
    key.windows.flatMap(({ opened, ended }) => (ended ? [{ key, opened, ended }] : [])),
  );
  const common = all.filter((one) =>
    all.some(
      (other) =>
        other.key !== one.key &&
        meet(one.ended, other.ended) &&
        !meet(minus(one.ended, one.opened), minus(other.ended, other.opened)),
    ),
  );
  return common.map(({ ended }) => ended).toSorted((a, b) => a.least - b.least);
}

/**
 * Throws `Unreached` where slots that came free late have taken some of a budget, and `OutOfTime` where budgets took so
 * long to use up, or callers so long to ask again, that an end may have gone by unseen.
 */
export function mustBeWatched(trial: Trial, keys: readonly WatchedKey[]): void {
  if (keys.some(({ isMixed }) => isMixed)) throw new Unreached(MIXED, trial.last, "requests in flight");
  // A driven clock stands still while requests are sent.
  if (trial.driven) return;
  const isLate = ({ caller, windows }: WatchedKey) =>
    caller.startsWith("retries") &&
    windows.some(({ ended }) => ended !== undefined && ended.most - ended.least > 2 * LONGEST_USE_MS);
  if (keys.some((key) => key.slowestMs > LONGEST_USE_MS || isLate(key)))
    throw new OutOfTime("the machine was too busy, or the target too slow, to see when a window ended");
}

/** Keys that come in one after the other, where addresses are told apart. `due`: when the next one comes, ms. */
function newKeys(trial: Trial) {
  let due = trial.toldApart ? trial.now() + NEW_KEY_MS : Number.POSITIVE_INFINITY;
  return {
    due: () => due,
    async come(): Promise<void> {
      if (trial.now() < due) return;
      const key = keyOf(trial, { from: trial.freshAddress() });
      mustAnswer(await trial.send(cheap(trial, key), key.from));
      due = trial.now() + NEW_KEY_MS;
    },
  };
}

/** Watches keys of one path where addresses are told apart, else of several paths, until enough of their windows have ended. */
export async function watchWindows(
  trial: Trial,
  some: readonly Caller[] = callers,
  again = false,
): Promise<readonly WatchedKey[]> {
  const routes = [trial.route, trial.stranger, trial.sibling];
  const keys = trial.toldApart
    ? some.map((caller) => new WatchedKey(trial, keyOf(trial, { from: trial.freshAddress() }), caller))
    : routes.map((route, index) => new WatchedKey(trial, keyOf(trial, { route }), callers[index + 1] as Caller));
  const started = trial.now();
  for (const key of keys) {
    await key.ask();
    await trial.pass(APART_MS);
  }
  for (const key of keys) await key.useUp();
  const others = newKeys(trial);
  for (;;) {
    const byClock = commonEnds(keys).at(-1);
    const open = keys.filter((key) => !key.isOver(byClock));
    if (open.length === 0) return keys;
    const isSoon = trial.now() - started < TOO_SOON_MS && keys.some((key) => key.windows.length > 1);
    if (isSoon && !again && trial.toldApart) return watchWindows(trial, some, true);
    const next = Math.min(others.due(), ...open.map((key) => key.next(byClock)));
    await trial.pass(Math.max(0, next - trial.now()));
    await others.come();
    // Using up a budget takes real time: callers that are due soon ask first.
    const soon = trial.now() + (trial.driven ? 0 : REAL_STEP_MS / 2);
    const due = open.filter((key) => key.next(byClock) <= soon);
    for (const key of due) await key.ask();
    for (const key of due) await key.useUp(commonEnds(keys).at(-1));
  }
}
