/** Every answer on a route's path is the envelope, with that route's id. */
import type { Case } from "../harness/case.ts";
import { envelopeFault, mayBeOfServer } from "../harness/envelope.ts";
import type { Watcher } from "../harness/watcher.ts";
import { perInstance, servedRoutes } from "./per-instance.ts";
import { tour } from "./tour.ts";

function watch(): Watcher {
  const idsOf = perInstance(servedRoutes);
  return {
    exchange({ instance, exchange }) {
      const routeId = idsOf(instance).get(exchange.request.path);
      return routeId === undefined || mayBeOfServer(exchange) ? undefined : envelopeFault(exchange, routeId);
    },
  };
}

export const envelope: Case = {
  id: "ALWAYS-ENVELOPE",
  title: "Every answer of the whole run on a route's path is the envelope with that route's id",
  clauses: ["ERROR-ENVELOPE", "ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-RESULT", "ENVELOPE-CODE", "ENVELOPE-ERROR"],
  reading:
    "Accepted or refused, for whatever reason and at whichever check. Left out are the methods beside GET, POST, PUT, " +
    "PATCH and DELETE, and what a server says before it asks a route: 406, 411, 414, 417, 431, 501 and 505.",
  ...tour,
  watch,
};
