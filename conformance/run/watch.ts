/** Shows every exchange of a run to its invariants, and makes their results when the run is over. */
import { grouped } from "../foundation/grouped.ts";
import { levelOf, type Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import type { Breach, WatchedCase, Watcher, Watching } from "../harness/watcher.ts";
import { asEvidence, type Exchange } from "../http/exchange.ts";
import type { UncheckedChange } from "../targets/control.ts";
import { invariants } from "../invariants/index.ts";
import type { Instance } from "../targets/instance.ts";
import { perInstance } from "../targets/per-instance.ts";
import { LastRequests } from "./last-requests.ts";

/** Ways to break one invariant that a report lists, with their exchanges; a target wrong everywhere has no end of them. */
const MAX_CAUSES = 12;

const NOTHING_SEEN = "no request of the run had a whole answer: nothing was seen that it could judge";
const UNANSWERED =
  "most requests of the run had no whole answer, and what such an answer would have shown is not known";

interface Cause extends Breach {
  readonly exchanges: readonly Exchange[];
  /** The case that sent the request. */
  readonly by: string;
}

interface Watched {
  readonly item: Case;
  readonly watcher: Watcher;
  readonly causes: Map<string, Cause>;
}

/** Each way that was seen, with the answers that it was seen in. */
function waysIn(breaches: readonly Breach[]): string {
  const ways = grouped(breaches, ({ actual, seen }) => seen?.what ?? actual);
  const told = [...ways].map(([what, alike]) => {
    const where = alike.flatMap(({ seen }) => seen?.where || []);
    return where.length === 0 ? what : `${what} (${where.join(", ")})`;
  });
  return told.join("; ");
}

export class Watch implements Watching {
  readonly #watched: readonly Watched[];
  readonly #last = perInstance(() => new LastRequests());
  readonly #held = new Map<string, CaseResult>();
  #order = 0;
  #ended = 0;
  #answered = 0;

  /** `cases`: those of the run. All invariants watch them: one that is not among them has a result where it is broken. */
  constructor(cases: readonly Case[], all: readonly Case[] = invariants) {
    const unasked = all.filter(({ id }) => !cases.some((item) => item.id === id));
    this.#watched = [...cases, ...unasked].flatMap((item) => {
      return item.watch === undefined ? [] : [{ item, watcher: item.watch(), causes: new Map<string, Cause>() }];
    });
  }

  /** A request goes out. Returns its place in the run's order. */
  request(instance: Instance, body: Uint8Array): number {
    this.#order += 1;
    for (const { watcher } of this.#watched) watcher.request?.({ instance, body, order: this.#order });
    return this.#order;
  }

  /** An exchange has ended. */
  exchange(instance: Instance, of: WatchedCase, exchange: Exchange, sent: number): void {
    this.#order += 1;
    this.#ended += 1;
    if (exchange.answer !== undefined) this.#answered += 1;
    const seen = { instance, of, exchange, sent, order: this.#order };
    this.#ask((watcher) => watcher.exchange?.(seen), of.id, [exchange]);
    this.#last(instance).add(of.id, exchange, sent);
  }

  /** Answers were read as bytes. */
  bytes(instance: Instance, of: WatchedCase, text: string): void {
    this.#ask((watcher) => watcher.bytes?.(instance, text), of.id, []);
  }

  /** A hosted plugin let its runtime carry out what it should have refused. */
  unchecked(of: WatchedCase, change: UncheckedChange, exchange: Exchange): void {
    this.#ask((watcher) => watcher.unchecked?.(change), of.id, [exchange]);
  }

  /** Behind an answer came bytes that nobody had asked for. */
  surplus(instance: Instance, exchange: Exchange): void {
    this.#ask((watcher) => watcher.surplus?.(), this.#last(instance).senderOf(exchange.request), [exchange]);
  }

  /** The target is gone, and the kit has not asked it to end. */
  gone(instance: Instance, how: string): void {
    const likeliest = this.#last(instance).likeliest();
    const exchanges = likeliest.map(({ exchange }) => exchange);
    this.#ask((watcher) => watcher.gone?.(how), likeliest[0]?.by ?? "the start", exchanges);
  }

  /** Keeps each breach that a watcher tells. `by`: the case that sent the requests; by default the invariant itself. */
  #ask(tell: (watcher: Watcher) => Breach | undefined, by: string | undefined, exchanges: readonly Exchange[]): void {
    for (const { item, watcher, causes } of this.#watched) {
      const breach = tell(watcher);
      if (breach === undefined || causes.size >= MAX_CAUSES) continue;
      const key = JSON.stringify([breach.expected, breach.actual]);
      if (!causes.has(key)) causes.set(key, { ...breach, by: by ?? item.id, exchanges: exchanges.map(asEvidence) });
    }
  }

  /** True for the result of an invariant: it is kept until the run is over. */
  hold(result: CaseResult): boolean {
    if (!this.#watched.some(({ item }) => item.id === result.id)) return false;
    this.#held.set(result.id, result);
    return true;
  }

  /** A pass stands for what was seen: of a target that hardly answers it would say nothing. */
  #supported(result: CaseResult): CaseResult {
    if (result.outcome !== "pass" || (this.#answered > 0 && this.#answered * 2 >= this.#ended)) return result;
    return { ...result, outcome: "unreached", reason: this.#answered === 0 ? NOTHING_SEEN : UNANSWERED };
  }

  /** The results of the invariants: what was kept, or a failure with its causes. */
  results(): CaseResult[] {
    return this.#watched.flatMap(({ item, causes }) => {
      const result = this.#held.get(item.id);
      if (causes.size > 0) return [brokenBy(item, [...causes.values()], result)];
      return result === undefined ? [] : [this.#supported(result)];
    });
  }
}

/** The failure of an invariant: each cause once, in an order that no run changes. */
function brokenBy(
  item: Case,
  unsorted: readonly Cause[],
  { ms = 0, requests = 0 }: Partial<CaseResult> = {},
): CaseResult {
  const causes = unsorted.toSorted((a, b) => (a.actual < b.actual ? -1 : 1));
  const { id, title } = item;
  const level = levelOf(item);
  const expected = [...new Set(causes.map((cause) => cause.expected))].join("; ");
  const actual = waysIn(causes);
  // The broken ones first, as in a case about one clause.
  const clauses = [...new Set([...causes.flatMap(({ clause }) => clause ?? []), ...item.clauses])];
  return {
    id,
    title,
    clauses,
    level,
    ms,
    requests,
    expected,
    actual,
    outcome: level === "should" ? "warn" : "fail",
    reason: `expected ${expected}; got ${actual}`,
    seenIn: [...new Set(causes.map(({ by }) => by))],
    findings: causes.map(({ expected: wanted, actual: came, clause, exchanges }) => {
      return { expected: wanted, actual: came, clause, exchanges };
    }),
    ...(causes.length >= MAX_CAUSES && { cut: true }),
    exchanges: causes.flatMap(({ exchanges }) => exchanges).slice(0, MAX_CAUSES),
  };
}
