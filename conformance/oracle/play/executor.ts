/** How a story reaches its target. */
import type { Request } from "../../interface/request.ts";
import type { Canary } from "../../harness/finder.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { RouteName } from "../../story/story.ts";

/** A target as one story sees it: with routes and client addresses that no other story uses. */
export interface Executor {
  readonly routes: Readonly<Record<RouteName, ConfiguredRoute>>;
  /** What no response may hold: session keys, owner metadata, secrets. */
  readonly canaries: readonly Canary[];
  /** A fault of the target is part of the exchange: never rejects for one. */
  send(request: Request, client: number): Promise<Exchange>;
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
