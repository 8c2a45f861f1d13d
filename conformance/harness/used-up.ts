/** Keys without budget: one for all cases of an instance that need one, or one for each of them. */
import { isTransient, Unreached } from "./case-errors.ts";
import { isAccepted } from "../http/exchange.ts";
import { WINDOW_MS } from "../interface/limits.ts";
import type { Trial } from "./trial.ts";
import { cheap, exhausted, keyOf, type Exhausted, type Key } from "./limit-keys.ts";

/** A key without budget, and the refusal of a valid request to it just now. */
export interface UsedUp extends Exhausted {
  readonly key: Key;
}

interface Spent {
  readonly key: Key;
  /** Who used it up, and when, ms. */
  readonly maker: Trial;
  readonly since: number;
  /** Settles once the budget is used up; rejects with `Unreached` where that cannot be done. */
  readonly ready: Promise<Exhausted>;
}

/** On a real clock a shared key is given up before its window can end while a case uses it. */
const GOOD_FOR_MS = WINDOW_MS / 2;

/** By instance where a key is shared, else by the trial of a case. */
const spentBy = new WeakMap<object, Spent>();

/**
 * A key without budget: shared where each client address has keys of its own, else the case's own, of which `already`
 * requests were spent. Each case checks by a request that the key is still refused; where it is not, its budget has come
 * back and is used up once more. Throws `Unreached`.
 */
export async function usedUp(trial: Trial, already = 0): Promise<UsedUp> {
  // Another case may fill the lane of the shared key where the in-flight limit leaves the address out.
  const isShared = trial.toldApart && trial.facts.inFlightToldApart;
  const owner = isShared ? trial.instance : trial;
  for (let tries = 0; tries < 2; tries += 1) {
    const known = spentBy.get(owner);
    const isGood = !isShared || trial.driven || (known && performance.now() - known.since < GOOD_FOR_MS);
    const spent = known && isGood ? known : spend(trial, owner, isShared ? 0 : already + tries);
    const { key, maker } = spent;
    let accepted: number;
    try {
      ({ accepted } = await spent.ready);
    } catch (error) {
      if (maker === trial || !isTransient(error)) throw error;
      continue;
    }
    const refusal = await trial.send(cheap(trial, key), key.from);
    if (!isAccepted(refusal)) return { key, refusal, accepted };
    if (spentBy.get(owner) === spent) spentBy.delete(owner);
  }
  throw new Unreached("a budget that was used up came back at once, so nothing can be seen of it");
}

/** Uses a key up: a fresh one for a whole instance, or the case's own. */
function spend(trial: Trial, owner: object, already: number): Spent {
  const key = keyOf(trial, owner === trial ? {} : { from: trial.freshAddress() });
  const spent: Spent = { key, maker: trial, since: performance.now(), ready: exhausted(trial, key, already) };
  spentBy.set(owner, spent);
  spent.ready.catch((error: unknown) => {
    if (owner === trial || isTransient(error)) spentBy.delete(owner);
  });
  return spent;
}
