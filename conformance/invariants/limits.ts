/** What each request says of its key's limits: none is refused by a limit that is not reached, and none is let in beyond one. */
import { createFlow, smallest } from "../interface/bodies.ts";
import { actionNames } from "../interface/fields.ts";
import { Accounts } from "../harness/accounts.ts";
import type { Case } from "../harness/case.ts";
import { flowsOf } from "../harness/checks.ts";
import { cheap } from "../harness/limit-keys.ts";
import type { Trial } from "../harness/trial.ts";
import type { Finding } from "../harness/finding.ts";
import type { WatchedExchange, Watcher } from "../harness/watcher.ts";
import type { Server } from "../targets/server.ts";
import { usedUp } from "../harness/used-up.ts";
import { tour } from "./tour.ts";

/** Every action at a key without budget. A plain request behind them shows whether one of them was let in meanwhile. */
async function knock(trial: Trial): Promise<void> {
  const { key } = await usedUp(trial);
  const { route, from } = key;
  const created = await trial.send(trial.right(createFlow(), route), trial.freshAddress());
  const [flow = { flowId: "none", revision: 0 }] = flowsOf(created);
  for (const action of actionNames)
    await trial.send(trial.right(smallest(action, flow, trial.profile.fields), route), from);
  await trial.send(cheap(trial, key), from);
}

const BEYOND = {
  clause: "RATE-120",
  expected: "120 requests of a key accepted in a window",
  actual: "one more",
} as const;

function excessIn(accounts: Accounts, exchange: WatchedExchange): Finding | undefined {
  const found = accounts.ends(exchange);
  if (found === undefined || found.excess === "let in beyond 120") return found && BEYOND;
  const expected = `no 429 for a key that has ${found.isOfSlots ? "a slot" : "a part of its budget"} left`;
  return { clause: found.isOfSlots ? "IN-FLIGHT-8" : "RATE-120", expected, actual: "429" };
}

function watchLimits(): Watcher {
  const kept = new Map<object, Accounts>();
  /** A target that loads another configuration goes on as the same process, with the same control port. */
  const accountsOf = ({ server }: { server: Server }): Accounts => {
    const process = server.control ?? server;
    const accounts = kept.get(process) ?? new Accounts();
    kept.set(process, accounts);
    return accounts;
  };
  return {
    request: (request) => accountsOf(request).sends(request),
    gaveUp: (sent, at) => kept.forEach((accounts) => accounts.gaveUp(sent, at)),
    exchange: (exchange) => excessIn(accountsOf(exchange), exchange),
  };
}

export const limitRule: Case = {
  id: "ALWAYS-WITHIN-LIMITS",
  title: "No limit refuses a request that is within it, or accepts one beyond it",
  clauses: ["RATE-120", "IN-FLIGHT-8"],
  meetsLimits: true,
  requests: tour.requests + 22,
  reading:
    "Of each path and client address the run keeps the least and the most that may be spent and in flight: refusals that " +
    "may not count, slots that may come free late, and windows that may have ended are all given the target. A 429 is " +
    "wrong where even the most is within both limits, and what is let in where even the least is beyond 120.",
  async run(trial) {
    await tour.run(trial);
    // Else other cases use the budget as well.
    if (trial.toldApart) await knock(trial);
  },
  watch: watchLimits,
};
