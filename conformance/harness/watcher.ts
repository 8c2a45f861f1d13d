/** Looks at every exchange of a run, whichever case sent it. */
import type { Exchange } from "../http/exchange.ts";
import type { Request } from "../interface/request.ts";
import type { UncheckedChange } from "../targets/control.ts";
import type { Server } from "../targets/server.ts";
import type { Finding } from "./finding.ts";

export interface WatchedCase {
  readonly id: string;
  readonly meetsLimits?: true;
  /** Set where the case sends a body late on purpose. */
  readonly seconds?: number;
  readonly needs?: readonly string[];
}

/** On the kit's clock, and not before `least` and not after `most` on the target's, ms. */
export interface Moment {
  readonly real: number;
  readonly least: number;
  readonly most: number;
}

/** A request that goes out; `order` counts what goes out and what comes back in one run. */
export interface WatchedRequest {
  readonly server: Server;
  readonly request: Request;
  readonly from: string;
  readonly order: number;
  readonly at: Moment;
}

export interface WatchedExchange {
  readonly server: Server;
  readonly of: WatchedCase;
  readonly exchange: Exchange;
  /** When the request went out, and when its answer was there, in the same count. */
  readonly sent: number;
  readonly order: number;
  readonly at: Moment;
}

export interface Watching {
  /** A request goes out. Returns its place in the run's order. */
  request(server: Server, request: Request, from: string): number;
  /** The kit has closed the connection of a request, which may have an answer all the same. */
  gaveUp(server: Server, sent: number): void;
  exchange(server: Server, of: WatchedCase, exchange: Exchange, sent: number): void;
  bytes(server: Server, of: WatchedCase, text: string): void;
  unchecked(of: WatchedCase, change: UncheckedChange, exchange: Exchange): void;
  isBroken(id: string): boolean;
}

export interface Watcher {
  request?(request: WatchedRequest): void;
  gaveUp?(sent: number, at: Moment): void;
  exchange?(exchange: WatchedExchange): Finding | undefined;
  /** The bytes of answers that were read as they came, without a client. */
  bytes?(server: Server, text: string): Finding | undefined;
  /** A hosted plugin left a check to its runtime. */
  unchecked?(change: UncheckedChange): Finding | undefined;
  /** The target sent bytes after the end of an answer. */
  surplus?(): Finding;
  /** The target ended, or stopped listening, although nobody had asked it to. */
  gone?(how: string): Finding;
}
