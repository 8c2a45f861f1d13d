/** No answer of the run shows a flow that another session has created, whichever case asks, and however many there are. */
import type { Case } from "../harness/case.ts";
import { flowsOf } from "../harness/checks.ts";
import type { Breach, WatchedExchange, Watcher } from "../harness/watcher.ts";
import { isAccepted } from "../http/exchange.ts";
import { perInstance } from "../targets/per-instance.ts";
import { tour } from "./tour.ts";

/** Flows whose session is remembered. */
const MAX_FLOWS = 20_000;

const EXPECTED = "flows of the route's own session only";

class Owners {
  readonly #owners = new Map<string, string>();
  readonly #sessions: ReadonlyMap<string, string>;

  constructor(routes: Iterable<{ readonly path: string; readonly sessionKey: string }>) {
    this.#sessions = new Map([...routes].map(({ path, sessionKey }) => [path, sessionKey]));
  }

  exchange({ exchange }: WatchedExchange): Breach | undefined {
    const session = this.#sessions.get(exchange.request.path);
    if (session === undefined || !isAccepted(exchange)) return undefined;
    const flows = flowsOf(exchange);
    const isForeign = flows.some(({ flowId }) => (this.#owners.get(flowId) ?? session) !== session);
    if (isForeign) return { expected: EXPECTED, actual: "a flow of another session" };
    for (const { flowId } of flows) if (this.#owners.size < MAX_FLOWS) this.#owners.set(flowId, session);
    return undefined;
  }
}

function watch(): Watcher {
  const ownersOf = perInstance(({ configuration }) => new Owners(configuration.routes.values()));
  return { exchange: (exchange) => ownersOf(exchange.instance).exchange(exchange) };
}

export const foreignFlows: Case = {
  id: "NEVER-FOREIGN-FLOWS",
  title: "No answer of the whole run shows a flow that another session has shown as its own",
  clauses: ["SESSION-BOUND"],
  reading: "A flow belongs to the session of the route that showed it first, which is mostly the one that created it.",
  ...tour,
  watch,
};
