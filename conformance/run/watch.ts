/** Shows every exchange of a run to its invariants, and makes their results when the run is over. */
import { levelOf, type Case } from "../harness/case.ts";
import { resultOf, type CaseResult } from "../harness/result.ts";
import { inWords, type Finding } from "../harness/finding.ts";
import type { Moment, WatchedCase, WatchedExchange, Watcher, Watching } from "../harness/watcher.ts";
import { asEvidence, type Exchange } from "../http/exchange.ts";
import type { Request } from "../interface/request.ts";
import type { UncheckedChange } from "../targets/control.ts";
import { invariants } from "../invariants/index.ts";
import type { Server } from "../targets/server.ts";
import { perServer } from "../targets/per-server.ts";
import { LastRequests } from "./last-requests.ts";

/** Findings of one invariant that a report lists: a target that is wrong everywhere has very many. */
const MOST_FINDINGS = 12;

const NOTHING_SEEN = "no request of the run had a whole answer: nothing was seen that it could judge";
const UNANSWERED =
  "most requests of the run had no whole answer, and what such an answer would have shown is not known";

function nowAt({ control, isDriven }: Server): Moment {
  const real = performance.now();
  return { real, ...(isDriven && control !== undefined ? control.passed : { least: real, most: real }) };
}

interface Found {
  readonly finding: Finding;
  readonly by: string;
}

interface Watched {
  readonly item: Case;
  readonly watcher: Watcher;
  readonly found: Map<string, Found>;
}

export class Watch implements Watching {
  readonly #watched: readonly Watched[];
  readonly #last = perServer(() => new LastRequests());
  readonly #held = new Map<string, CaseResult>();
  #order = 0;
  #ended = 0;
  #answered = 0;

  readonly #onTraffic: ((seen: WatchedExchange) => void) | undefined;

  /**
   * `cases`: those of the run. All invariants watch them: one that is not among them has a result where it is broken.
   * `onTraffic`: hears of every exchange as well.
   */
  constructor(cases: readonly Case[], all = invariants, onTraffic?: (seen: WatchedExchange) => void) {
    this.#onTraffic = onTraffic;
    const unasked = all.filter(({ id }) => !cases.some((item) => item.id === id));
    this.#watched = [...cases, ...unasked].flatMap((item) => {
      return item.watch === undefined ? [] : [{ item, watcher: item.watch(), found: new Map<string, Found>() }];
    });
  }

  /** A request goes out. Returns its place in the run's order. */
  request(server: Server, request: Request, from: string): number {
    this.#order += 1;
    const sent = { server, request, from, order: this.#order, at: nowAt(server) };
    for (const { watcher } of this.#watched) watcher.request?.(sent);
    return this.#order;
  }

  /** The kit has closed the connection of a request, which may have an answer all the same. */
  gaveUp(server: Server, sent: number): void {
    const at = nowAt(server);
    for (const { watcher } of this.#watched) watcher.gaveUp?.(sent, at);
  }

  exchange(server: Server, of: WatchedCase, exchange: Exchange, sent: number): void {
    this.#order += 1;
    this.#ended += 1;
    if (exchange.answer !== undefined) this.#answered += 1;
    const seen = { server, of, exchange, sent, order: this.#order, at: nowAt(server) };
    this.#onTraffic?.(seen);
    this.#ask((watcher) => watcher.exchange?.(seen), of.id, [exchange]);
    this.#last(server).add(of.id, exchange, sent);
  }

  bytes(server: Server, of: WatchedCase, text: string): void {
    this.#ask((watcher) => watcher.bytes?.(server, text), of.id, []);
  }

  /** A hosted plugin let its runtime carry out what it should have refused. */
  unchecked(of: WatchedCase, change: UncheckedChange, exchange: Exchange): void {
    this.#ask((watcher) => watcher.unchecked?.(change), of.id, [exchange]);
  }

  /** Behind an answer came bytes that nobody had asked for. */
  surplus(server: Server, exchange: Exchange): void {
    this.#ask((watcher) => watcher.surplus?.(), this.#last(server).senderOf(exchange.request), [exchange]);
  }

  /** The target is gone, and the kit has not asked it to end. */
  gone(server: Server, how: string): void {
    const likeliest = this.#last(server).likeliest();
    const exchanges = likeliest.map(({ exchange }) => exchange);
    this.#ask((watcher) => watcher.gone?.(how), likeliest[0]?.by ?? "the start", exchanges);
  }

  /** Keeps each finding that a watcher tells. `by`: the case that sent the requests; by default the invariant itself. */
  #ask(tell: (watcher: Watcher) => Finding | undefined, by: string | undefined, exchanges: readonly Exchange[]): void {
    for (const { item, watcher, found } of this.#watched) {
      const finding = tell(watcher);
      if (finding === undefined || found.size >= MOST_FINDINGS || found.has(inWords(finding))) continue;
      const shown = { ...finding, exchanges: exchanges.map(asEvidence) };
      found.set(inWords(finding), { finding: shown, by: by ?? item.id });
    }
  }

  isBroken(id: string): boolean {
    return this.#watched.some(({ item, found }) => item.id === id && found.size > 0);
  }

  /** True for the result of an invariant: it is kept until the run is over. */
  hold(result: CaseResult): boolean {
    if (!this.#watched.some(({ item }) => item.id === result.id)) return false;
    this.#held.set(result.id, result);
    return true;
  }

  /** Unreached in place of a pass where the target hardly answered: the pass would prove nothing. */
  #supported(result: CaseResult): CaseResult {
    if (result.outcome !== "pass" || (this.#answered > 0 && this.#answered * 2 >= this.#ended)) return result;
    return { ...result, outcome: "unreached", reason: this.#answered === 0 ? NOTHING_SEEN : UNANSWERED };
  }

  /** The results of the invariants: what was kept, or a failure with its findings. */
  results(): CaseResult[] {
    return this.#watched.flatMap(({ item, found }) => {
      const result = this.#held.get(item.id);
      if (found.size > 0) return [brokenBy(item, [...found.values()], result)];
      return result === undefined ? [] : [this.#supported(result)];
    });
  }
}

/** The failure of an invariant, with its findings in an order that no run changes. */
function brokenBy(item: Case, found: readonly Found[], { ms = 0, requests = 0 }: Partial<CaseResult> = {}): CaseResult {
  const sorted = found.toSorted((a, b) => (a.finding.actual < b.finding.actual ? -1 : 1));
  const findings = sorted.map(({ finding }) => finding);
  return resultOf(item, levelOf(item) === "should" ? "warn" : "fail", {
    // The broken ones first, as in a case about one clause.
    clauses: [...new Set([...findings.flatMap(({ clause }) => clause ?? []), ...item.clauses])],
    ms,
    requests,
    seenIn: [...new Set(sorted.map(({ by }) => by))],
    findings,
    ...(findings.length >= MOST_FINDINGS && { cut: true }),
    exchanges: findings.flatMap(({ exchanges = [] }) => exchanges).slice(0, MOST_FINDINGS),
  });
}
