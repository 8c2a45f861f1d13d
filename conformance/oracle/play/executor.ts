/** How a story reaches its target. */
import type { ActionBody, Request } from "../../interface/request.ts";
import type { Canary } from "../../harness/finder.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { RouteName } from "../../story/story.ts";

/** A request that is held in flight. */
export interface HeldRequest {
  finish(): Promise<Exchange>;
  abort(): void;
  /** The answer has come although the body is still owed. */
  readonly answered: boolean;
}

/** A target as one story sees it: with routes and client addresses that no other story uses. */
export interface Executor {
  readonly routes: Readonly<Record<RouteName, ConfiguredRoute>>;
  readonly product: string;
  /** What no response may hold: session keys, owner metadata, secrets. */
  readonly canaries: readonly Canary[];
  /** The cheapest valid request; a list of flows if absent. */
  readonly cheapBody?: ActionBody;
  /** A fault of the target is part of the exchange: never rejects for one. */
  send(request: Request, client: number): Promise<Exchange>;
  /** Sends the head and all of the body but the last byte. */
  hold(request: Request, client: number): Promise<HeldRequest>;
  /** Settles when the target has seen what was sent before. */
  barrier(): Promise<void>;
  /** The target's clock, ms from any origin. */
  now(): number;
  /** Lets time pass for the target, ms. */
  pass(ms: number): Promise<void>;
  /** True when time can be driven, so that minutes cost nothing. */
  readonly driven: boolean;
  /** Gives the routes back. */
  close?(): void;
  /** Ends a child task. This and what follows are absent where the target has no control for it. */
  readonly settle?: (flowId: string, taskId: string, status: string) => Promise<void>;
  readonly persist?: (fail: readonly ("create" | "update" | "task" | "cancel")[]) => Promise<void>;
}
