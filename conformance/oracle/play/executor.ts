/** How a story reaches its target: over HTTP, on a lane of routes and from client addresses of its own. */
import type { Request } from "../../interface/request.ts";
import { settles } from "../../harness/own-ids.ts";
import { DESCRIPTION, keptBy } from "../../harness/leaks.ts";
import type { Answer } from "../../http/exchange.ts";
import type { RouteName } from "../../story/story.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { PersistenceFault } from "../../targets/control.ts";
import { lanes } from "../../targets/standard-routes.ts";
import type { Trial } from "../../harness/trial.ts";

/** A target as one story sees it: with routes and client addresses that no other story uses. */
export interface Executor extends ReturnType<typeof executorOf> {
  /** What an answer holds of session keys, owner metadata and secrets. Absent where the invariants alone look for it. */
  readonly leakIn?: (answer: Answer) => string | undefined;
  close?(): void;
}

/** Pause between two stories on one lane, so that the second one's changes are later than the first one's, ms. */
const APART_MS = 20;

/** Hands out executors, each on the lane that was idle longest; no two that are open share one. */
export function httpExecutors(trial: Trial): () => Promise<Executor> {
  // `since`: the target's clock when it was given back, ms.
  const idle = lanes.map((lane) => ({ lane, since: Number.NEGATIVE_INFINITY }));
  return async () => {
    const longest = idle.shift();
    if (longest === undefined) throw new Error("more runs at the same time than there are lanes");
    const { lane, since } = longest;
    const { route, sibling, stranger } = lane;
    if (trial.now() - since < APART_MS) await trial.pass(APART_MS);
    let isOpen = true;
    const close = () => {
      if (isOpen) idle.push({ lane, since: trial.now() });
      isOpen = false;
    };
    const routes = {
      route: trial.routeOf(route),
      sibling: trial.routeOf(sibling),
      stranger: trial.routeOf(stranger),
    };
    const addresses = new Map<number, string>();
    const from = (client: number): string => {
      const address = addresses.get(client) ?? trial.freshAddress();
      addresses.set(client, address);
      return address;
    };
    const { settle, ...executor } = executorOf(trial, routes, from);
    const leakIn = (answer: Answer) =>
      keptBy(trial.server)
        .heldBy(answer)
        .find(({ name }) => name !== DESCRIPTION)?.name;
    return { ...executor, ...(settle && (await settles(trial)) && { settle }), leakIn, close };
  };
}

/** On the routes and from the address of the trial; `isSwapped`: the two routes of one session in each other's place. */
export function trialExecutor(trial: Trial, isSwapped = false): Executor {
  const { route, sibling, stranger } = trial;
  const routes = isSwapped ? { route: sibling, sibling: route, stranger } : { route, sibling, stranger };
  return executorOf(trial, routes, () => trial.from);
}

function executorOf(
  trial: Trial,
  routes: Readonly<Record<RouteName, ConfiguredRoute>>,
  from: (client: number) => string,
) {
  const capabilities = trial.server.control?.capabilities;
  return {
    routes,
    /** The word in `x-<product>-webhook-secret`. */
    product: trial.product,
    /** True when time can be driven, so that minutes cost nothing. */
    driven: trial.driven,
    /** A fault of the target is part of the exchange: never rejects for one. */
    send: (request: Request, client: number) => trial.send(request, from(client)),
    /** The target's clock, ms from any origin. */
    now: () => trial.now(),
    /** Lets time pass for the target, ms. */
    pass: (ms: number) => trial.pass(ms),
    /** Ends a child task. This and what follows are absent where the target has no control for it. */
    ...(capabilities?.has("children") === true && {
      settle: (flowId: string, taskId: string, status: string) => trial.control.settle(flowId, taskId, status),
    }),
    ...(capabilities?.has("persistence") === true && {
      persist: (fail: readonly PersistenceFault[]) => trial.control.persistence(fail),
    }),
  };
}
