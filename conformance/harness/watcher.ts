/** Looks at every exchange of a run, whichever case sent it. */
import type { Exchange } from "../http/exchange.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { UncheckedChange } from "../targets/control.ts";
import type { Instance } from "../targets/instance.ts";

/** What a watcher has to know of the case that sent a request. */
export interface WatchedCase {
  readonly id: string;
  /** Provokes a limit. */
  readonly meetsLimits?: true;
  /** Lets a body be late. */
  readonly seconds?: number;
  readonly needs?: readonly string[];
}

/** A request that goes out; `order` counts what goes out and what comes back in one run. */
export interface WatchedRequest {
  readonly instance: Instance;
  /** The request's body, or all bytes that were written to a connection. */
  readonly body: Uint8Array;
  readonly order: number;
}

/** An exchange that has ended. */
export interface WatchedExchange {
  readonly instance: Instance;
  readonly of: WatchedCase;
  readonly exchange: Exchange;
  /** When the request went out, and when its answer was there, in the same count. */
  readonly sent: number;
  readonly order: number;
}

/** What is wrong with an exchange. `expected` and `actual` are the same in every run. */
export interface Breach {
  readonly expected: string;
  readonly actual: string;
  /** The one that is broken, of an invariant about several. */
  readonly clause?: ClauseId;
  /** `actual` for people: what was seen, and in which answer. A baseline knows the failure by `actual`. */
  readonly seen?: { readonly what: string; readonly where: string };
}

/** What a trial tells of what it sends and gets. */
export interface Watching {
  /** A request goes out. Returns its place in the run's order. */
  request(instance: Instance, body: Uint8Array): number;
  exchange(instance: Instance, of: WatchedCase, exchange: Exchange, sent: number): void;
  bytes(instance: Instance, of: WatchedCase, text: string): void;
  unchecked(of: WatchedCase, change: UncheckedChange, exchange: Exchange): void;
}

/** One for each run: it may remember what it has seen. */
export interface Watcher {
  request?(request: WatchedRequest): void;
  exchange?(exchange: WatchedExchange): Breach | undefined;
  /** The bytes of answers that were read as they came, without a client. */
  bytes?(instance: Instance, text: string): Breach | undefined;
  /** A hosted plugin left a check to its runtime. */
  unchecked?(change: UncheckedChange): Breach | undefined;
  /** Behind the answer came bytes that nobody had asked for. */
  surplus?(): Breach;
  /** The target ended, or stopped listening, although nobody had asked it to. */
  gone?(how: string): Breach;
}
