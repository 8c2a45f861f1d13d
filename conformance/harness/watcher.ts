/** Looks at every exchange of a run, whichever case sent it. */
import type { Exchange } from "../http/exchange.ts";
import type { UncheckedChange } from "../targets/control.ts";
import type { Server } from "../targets/server.ts";
import type { Finding } from "./finding.ts";

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
  readonly server: Server;
  /** The request's body, or all bytes that were written to a connection. */
  readonly body: Uint8Array;
  readonly order: number;
}

/** An exchange that has ended. */
export interface WatchedExchange {
  readonly server: Server;
  readonly of: WatchedCase;
  readonly exchange: Exchange;
  /** When the request went out, and when its answer was there, in the same count. */
  readonly sent: number;
  readonly order: number;
}

/** What a trial tells of what it sends and gets. */
export interface Watching {
  /** A request goes out. Returns its place in the run's order. */
  request(server: Server, body: Uint8Array): number;
  exchange(server: Server, of: WatchedCase, exchange: Exchange, sent: number): void;
  bytes(server: Server, of: WatchedCase, text: string): void;
  unchecked(of: WatchedCase, change: UncheckedChange, exchange: Exchange): void;
}

/** One for each run: it may remember what it has seen. */
export interface Watcher {
  request?(request: WatchedRequest): void;
  exchange?(exchange: WatchedExchange): Finding | undefined;
  /** The bytes of answers that were read as they came, without a client. */
  bytes?(server: Server, text: string): Finding | undefined;
  /** A hosted plugin left a check to its runtime. */
  unchecked?(change: UncheckedChange): Finding | undefined;
  /** Behind the answer came bytes that nobody had asked for. */
  surplus?(): Finding;
  /** The target ended, or stopped listening, although nobody had asked it to. */
  gone?(how: string): Finding;
}
