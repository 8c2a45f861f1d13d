/** Judges a row's request at a key without budget or without slots: which of the checks answers, the limit's or another. */
import { describe, isAccepted } from "../http/exchange.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Request } from "../interface/request.ts";
import type { StopName } from "../interface/way.ts";
import { perServer } from "../targets/per-server.ts";
import { arrive, usualArrival } from "../harness/arrivals.ts";
import { Failure, failureIn, Unreached } from "../harness/case-errors.ts";
import { cheap, fillInFlight, keyOf, type HeldRequests, type Key } from "../harness/limit-keys.ts";
import { fingerprint } from "../harness/refusals.ts";
import type { Trial } from "../harness/trial.ts";
import { usedUp, type UsedUp } from "../harness/used-up.ts";
import type { Check } from "./request-factors.ts";
import { arrivalOf, refusingChecks, mustRefuseFirst, playRow, requestFor, type RequestRow } from "./request-row.ts";

export const FRESH = "a fresh key";
/** States of a key; all but the fresh one are refused by a limit. */
export const keyStates = [FRESH, "a used-up budget", "eight in flight"] as const;

const stopsOf: Readonly<Record<string, StopName>> = {
  "a used-up budget": "rate limit",
  "eight in flight": "requests in flight",
};

/** Of a wrong request the other check comes first; a right one has a key of its own by its target, or no limit holds. */
function clauseOf(state: string, first: Check | undefined, target: string | undefined): ClauseId {
  const limit = state === "eight in flight" ? "IN-FLIGHT" : "RATE";
  if (first !== undefined) return `ORDER-${limit}-${first === "credential" ? "AUTH" : "BODY"}`;
  if (target !== undefined && target !== usualArrival.target) return `${limit}-KEY-PATH`;
  return limit === "RATE" ? "RATE-120" : "IN-FLIGHT-8";
}

const full = perServer(() => new Map<string, UsedUp & { readonly held: HeldRequests }>());

/** Eight requests in flight at a key beside the one that may be used up, as long as none of them is over. */
async function filled(trial: Trial): Promise<UsedUp> {
  const known = full(trial.server);
  const key = keyOf(trial, { route: trial.sibling });
  const name = `${key.route.path} ${key.from}`;
  const before = known.get(name);
  if (before !== undefined && !before.held.uploads.some(({ answered }) => answered)) return before;
  const now = { key, ...(await fillInFlight(trial, key)) };
  known.set(name, now);
  return now;
}

const TRIES = 3;

/**
 * Judges a request to a key in this state. A state may end meanwhile, with a window or with a body's time: what is wrong
 * counts only where a plain request is still refused.
 */
async function judgeIn(
  trial: Trial,
  state: string,
  judged: (engaged: UsedUp) => Promise<Failure | undefined>,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const engaged = state === "eight in flight" ? await filled(trial) : await usedUp(trial);
    const failure = await judged(engaged);
    if (failure === undefined) return;
    if (!isAccepted(await trial.send(cheap(trial, engaged.key), engaged.key.from))) throw failure;
  }
  throw new Unreached(`${state} did not last, so it cannot be judged`, trial.last, stopsOf[state]);
}

/** Fails unless a right request is refused in this state, too. */
export const mustBeLimited = (trial: Trial, state: string, requestFor: (key: Key) => Request): Promise<void> =>
  judgeIn(trial, state, async ({ key }) => {
    const exchange = await trial.send(requestFor(key), key.from);
    const isLetIn = exchange.answer === undefined || isAccepted(exchange);
    return isLetIn ? new Failure(`a refusal because of ${state}`, describe(exchange), [exchange]) : undefined;
  });

export async function playLimitedRow(trial: Trial, row: RequestRow): Promise<void> {
  const { state = FRESH } = row;
  if (state === FRESH) return playRow(trial, row);
  const [first] = refusingChecks(row);
  return judgeIn(trial, state, async ({ key, refusal }) => {
    if (refusal.answer === undefined)
      throw new Unreached(`the answer that refuses because of ${state} did not arrive`, [refusal], stopsOf[state]);
    const { exchange } = await arrive(trial, key, arrivalOf(row), requestFor(trial, row, "conformance", key.route));
    if (first === "method" || first === "content type") {
      const isRefused = mustRefuseFirst(trial, row, first, exchange, [[state, refusal]]);
      return isRefused.then(() => undefined, failureIn);
    }
    if (fingerprint(exchange) === fingerprint(refusal)) return undefined;
    const clause = clauseOf(state, first, row.target);
    return new Failure(`the answer to ${state} (${describe(refusal)})`, describe(exchange), [exchange], { clause });
  });
}
