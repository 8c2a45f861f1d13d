/** Whatever a caller sends, it is not answered as a fault of the server. */
import type { Case } from "../harness/case.ts";
import type { WatchedExchange, Watcher } from "../harness/watcher.ts";
import { describe } from "../http/exchange.ts";
import { perInstance, servedRoutes } from "./per-instance.ts";
import { tour } from "./tour.ts";

/** RFC 9110, 15.6.2 and 15.6.6: the server's answer to a method or a version of HTTP that it does not know. */
const OF_THE_SERVER = [501, 505];

/** The store fails on purpose, or a limit is met, whose status is open. */
const mayFail = ({ of: { needs = [], meetsLimits, seconds } }: WatchedExchange): boolean =>
  needs.includes("persistence") || meetsLimits === true || seconds !== undefined;

function watch(): Watcher {
  const routesOf = perInstance(servedRoutes);
  return {
    exchange(watched) {
      const { answer, request } = watched.exchange;
      if (answer === undefined || answer.status < 500 || OF_THE_SERVER.includes(answer.status)) return undefined;
      // Where no route answers, the gateway does.
      if (mayFail(watched) || !routesOf(watched.instance).has(request.path)) return undefined;
      return { expected: "a refusal with 4xx of what the caller got wrong", actual: describe(watched.exchange) };
    },
  };
}

export const serverErrors: Case = {
  id: "NEVER-5XX",
  title: "No request of the whole run is answered with 5xx, unless the store fails or a limit is met",
  clauses: ["ERROR-INVALID"],
  level: "should",
  reading:
    "A wrong type, a deep or broken JSON text, invalid UTF-8, names that every object has: all are the caller's mistake, " +
    "and a 5xx tells the caller to try again. The status of most refusals is open, so this is advice.",
  ...tour,
  watch,
};
