/** Both limits after any history: whatever a key has sent, its budget and its slots are those of the interface. */
import * as fc from "fast-check";
import { endingsFor, type Ending } from "./endings.ts";
import { judgeEndings } from "./in-flight-freed.ts";
import { createFlow } from "../../interface/bodies.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { servedBodies } from "../../harness/arrivals.ts";
import { cheap, hold } from "../../harness/limit-keys.ts";
import { withFault } from "../../harness/faults.ts";
import type { Trial } from "../../harness/trial.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";

const OVERDUE_MS = 15_500;

/** Requests that end together, and what touches all of a target. */
const several = ([broken, late]: readonly [number, number]): readonly Ending[] => [
  {
    what: `the last of ${broken} that were broken off together`,
    spends: broken,
    end: async (trial, key) => (await hold(trial, key, broken)).abort(),
  },
  {
    what: `the last of ${late} whose bodies ran out of time`,
    spends: late,
    async end(trial, key) {
      if (!trial.driven) throw new NotApplicable("not tried in quick runs");
      await hold(trial, key, late, await servedBodies(trial));
      await trial.pass(OVERDUE_MS);
    },
  },
  {
    what: "refused beside eight",
    spends: IN_FLIGHT + 1,
    async end(trial, key) {
      const held = await hold(trial, key, IN_FLIGHT);
      await trial.send(cheap(trial, key), key.from);
      await held.finish();
    },
  },
  {
    what: "refused as nothing can be stored",
    spends: 1,
    async end(trial, { route, from }) {
      if (trial.server.control?.capabilities.has("persistence") !== true) throw new NotApplicable("no store fails");
      const right = trial.right(createFlow("not stored"), route);
      await withFault(trial, "create", async () => void (await trial.send(right, from)));
    },
  },
  {
    what: "beside one of another client",
    spends: 0,
    end: (trial, key) => trial.send(cheap(trial, key), trial.from),
  },
];

/** Every ending whose part of the budget is known, and these, in an order that the seed draws. */
async function historyFor(trial: Trial, seed: number): Promise<readonly Ending[]> {
  const single = (await endingsFor(trial)).filter(({ spends }) => spends !== undefined);
  const counts = fc.tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 2, max: 4 }));
  const histories = counts.chain((drawn) => {
    const all = [...single, ...several(drawn)];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });
  return fc.sample(histories, { seed, numRuns: 1 })[0] ?? [];
}

export const limitsProperty = (seed: number): Case => ({
  id: "PROPERTY-LIMITS",
  title: "Whatever was sent before, a key has 120 requests a window and eight in flight",
  clauses: [
    "RATE-120",
    "RATE-KEY-PATH",
    "RATE-KEY-ADDRESS",
    "ORDER-RATE-IN-FLIGHT",
    "IN-FLIGHT-8",
    "IN-FLIGHT-FREED",
    "IN-FLIGHT-KEY-PATH",
  ],
  alone: true,
  costly: true,
  clock: "driven",
  needs: ["addresses"],
  uses: ["sessions", "persistence"],
  meetsLimits: true,
  requests: REQUESTS_PER_WINDOW,
  longestMs: 60_000,
  reading:
    "Requests that end in each way of IN-FLIGHT-FREED, several that are broken off together, and where the clock can be " +
    "driven some that run out of time, in an order that the seed draws. A window that ends by the clock may end on the way: " +
    "what is wrong has to be so a second time in a row.",
  async run(trial) {
    if (!trial.toldApart) throw new NotApplicable("the target does not tell client addresses apart");
    await judgeEndings(trial, await historyFor(trial, seed), 0);
  },
});
