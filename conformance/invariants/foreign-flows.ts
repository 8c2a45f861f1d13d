/** No answer of the run shows a flow that another session has created, whichever case asks, and however many there are. */
import type { Case } from "../harness/case.ts";
import { flowsOf } from "../harness/checks.ts";
import type { Watcher } from "../harness/watcher.ts";
import { isAccepted } from "../http/exchange.ts";
import { perInstance } from "../targets/per-instance.ts";
import { tour } from "./tour.ts";

/** Flows whose session is remembered. */
const MAX_FLOWS = 20_000;

const EXPECTED = "flows of the route's own session only";

function watch(): Watcher {
  const knownOf = perInstance(({ configuration: { routes } }) => ({
    sessions: new Map([...routes.values()].map(({ path, sessionKey }) => [path, sessionKey])),
    owners: new Map<string, string>(),
  }));
  return {
    exchange({ instance, exchange }) {
      const { sessions, owners } = knownOf(instance);
      const session = sessions.get(exchange.request.path);
      if (session === undefined || !isAccepted(exchange)) return undefined;
      const flows = flowsOf(exchange);
      const isForeign = flows.some(({ flowId }) => (owners.get(flowId) ?? session) !== session);
      if (isForeign) return { expected: EXPECTED, actual: "a flow of another session" };
      for (const { flowId } of flows) if (owners.size < MAX_FLOWS) owners.set(flowId, session);
      return undefined;
    },
  };
}

export const foreignFlows: Case = {
  id: "NEVER-FOREIGN-FLOWS",
  title: "No answer of the whole run shows a flow that another session has shown as its own",
  clauses: ["SESSION-BOUND"],
  reading: "A flow belongs to the session of the route that showed it first, which is mostly the one that created it.",
  ...tour,
  watch,
};
