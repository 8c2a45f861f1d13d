/** The two roads to a target: over HTTP, or handler by handler in this process. */
import type { ActionBody, Request } from "../../../fixtures/request.ts";
import type { Canary } from "../../harness/leaks.ts";
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

/** A target as one run of a property has it: routes of its own, client addresses of its own. */
export interface Executor {
  readonly routes: Readonly<Record<RouteName, ConfiguredRoute>>;
  readonly product: string;
  /** Nothing of other stories is there: flows of theirs may have had the same ids. */
  readonly fresh?: true;
  /** What no answer may hold: session keys, owner metadata, secrets. */
  readonly canaries: readonly Canary[];
  /** The cheapest right request; a list of flows if absent. */
  readonly cheapBody?: ActionBody;
  /** Whatever comes of it is part of the exchange; never rejects for the target's sake. */
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
  /** Gives back what the run had to itself. */
  close?(): void;
  /** Absent where the target has no way for it. */
  readonly settle?: (flowId: string, taskId: string, status: string) => Promise<void>;
  readonly persist?: (fail: readonly ("create" | "update" | "task" | "cancel")[]) => Promise<void>;
  /** Sends a request that is counted and refused to each of so many keys that nobody else uses; absent where that cannot be done. */
  readonly flood?: (keys: number) => Promise<void>;
}
