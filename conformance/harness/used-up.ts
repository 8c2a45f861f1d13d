/** Keys without budget: one for all cases of a server that need one, or one for each of them. */
import { isAccepted } from "../http/exchange.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../interface/limits.ts";
import { askedOnce } from "./asked-once.ts";
import { isTransient, Unreached } from "./case-errors.ts";
import { cheap, exhausted, keyOf, type Key } from "./limit-keys.ts";
import type { Trial } from "./trial.ts";

/** A key without budget, and the refusal of a valid request to it just now. */
export interface UsedUp extends Awaited<ReturnType<typeof exhausted>> {
  readonly key: Key;
}

const once = askedOnce<UsedUp>();

/** On a real clock a shared key is given up before its window can end while a case uses it. */
const GOOD_FOR_MS = WINDOW_MS / 2;

/**
 * A key without budget: shared where each client address has keys of its own, else the case's own, of which its earlier
 * requests may have spent as much. Each case checks by a request that the key is still refused; where it is not, its budget
 * has come back and another one is used up. Throws `Unreached`.
 */
export async function usedUp(trial: Trial): Promise<UsedUp> {
  // Another case may fill the lane of the shared key where the in-flight limit leaves the address out.
  const isShared = trial.toldApart && trial.facts.inFlightToldApart;
  for (let tries = 0; tries < 2; tries += 1) {
    let isMaker = !isShared;
    const make = async (): Promise<UsedUp> => {
      isMaker = true;
      const key = keyOf(trial, isShared ? { from: trial.freshAddress() } : {});
      const already = isShared ? 0 : Math.min(trial.requests, REQUESTS_PER_WINDOW);
      return { key, ...(await exhausted(trial, key, already)) };
    };
    const turn = trial.driven ? 0 : Math.floor(performance.now() / GOOD_FOR_MS);
    const making = isShared ? once(trial.server, `${turn}, ${tries}`, make) : make();
    try {
      const made = await making;
      const refusal = await trial.send(cheap(trial, made.key), made.key.from);
      if (!isAccepted(refusal)) return { ...made, refusal };
    } catch (error) {
      // Only the case that used up the key reports why that failed; the others use up a key of their own.
      if (isMaker || !isTransient(error)) throw error;
    }
  }
  throw new Unreached("a used-up rate limit was available again at once, so it cannot be judged", [], "rate limit");
}
