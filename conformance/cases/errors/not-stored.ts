/** Sections 3 and 8: rules that hold also while nothing can be stored. Needs the control port. */
import { change, createFlow } from "../../../fixtures/bodies.ts";
import { validRequest } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, twin } from "../../harness/checks.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import type { Trial } from "../../harness/trial.ts";
import { failing } from "../../harness/faults.ts";
import { changeActions, changed } from "../../harness/flows.ts";
import { cheap, keyOf, spend } from "../../harness/limit-keys.ts";

function mustNotStore(exchanges: readonly Exchange[]): void {
  if (exchanges.some(isAccepted)) throw new NotApplicable("what cannot be stored is accepted");
}

/** A budget's worth of requests that are refused because nothing can be stored. */
async function spendUnstored(trial: Trial): Promise<void> {
  const request = validRequest(trial.route, createFlow("not stored"));
  await failing(trial, "create", async () =>
    mustNotStore(await spend(trial, keyOf(trial), REQUESTS_PER_WINDOW, request)),
  );
}

export const notStoredCases: readonly Case[] = [
  {
    id: "REVISION-STALE-NOT-STORED",
    title: "A stale revision gets 409 revision_conflict also while no change can be stored",
    clauses: ["REVISION-STALE"],
    level: "should",
    needs: ["persistence"],
    alone: true,
    requests: 12,
    reading:
      "The rule on stale revisions names no exception, and to refuse one nothing has to be stored. A store that " +
      "compares and writes in one step can only say that it failed.",
    async run(trial) {
      const stale = await trial.flow();
      const flow = await changed(trial, "set_waiting", stale);
      await failing(trial, "update", async () => {
        mustNotStore([await trial.post(change("set_waiting", flow))]);
        for (const action of changeActions) {
          mustRefuse(await trial.post(change(action, stale)), { status: 409, code: "revision_conflict" });
        }
      });
      twin(await trial.post(change("set_waiting", flow)));
    },
  },
  {
    id: "RATE-NOT-STORED-SPENDS-BUDGET",
    costly: true,
    title: "Requests refused because nothing can be stored have passed the rate limit and spend its budget",
    clauses: ["RATE-120"],
    level: "must",
    meetsLimits: true,
    needs: ["persistence"],
    alone: true,
    requests: 2 * REQUESTS_PER_WINDOW + 10,
    reading:
      "120 requests of a key pass in a window, whatever becomes of them. A window aligned to the clock may end on the " +
      "way; then as many are sent once more.",
    async run(trial) {
      const key = keyOf(trial);
      twin(await trial.send(cheap(trial, key), key.from));
      await spendUnstored(trial);
      if (!isAccepted(await trial.send(cheap(trial, key), key.from))) return;
      await spendUnstored(trial);
      const again = await trial.send(cheap(trial, key), key.from);
      check(!isAccepted(again), "no budget left after 240 that could not be stored", describe(again), again);
    },
  },
];
