/** One key without budget, shared by all cases of an instance that need one. */
import { Unreached } from "./case-errors.ts";
import { isAccepted } from "../http/exchange.ts";
import type { Instance } from "../targets/instance.ts";
import { WINDOW_MS } from "../interface/limits.ts";
import type { Trial } from "./trial.ts";
import { cheap, exhausted, keyOf, type Exhausted, type Key } from "./limit-keys.ts";

/** A key without budget, and the refusal of a valid request to it just now. */
export interface UsedUp extends Exhausted {
  readonly key: Key;
}

interface Shared {
  readonly key: Key;
  /** Who used it up, and when, ms. */
  readonly maker: Trial;
  readonly since: number;
  /** Settles once the budget is used up; rejects with `Unreached` where that cannot be done. */
  readonly ready: Promise<Exhausted>;
}

/** On a real clock a shared key is given up before its window can end while a case uses it. */
const GOOD_FOR_MS = WINDOW_MS / 2;

const sharedKeys = new WeakMap<Instance, Shared>();

/**
 * A key without budget: shared where each client address has keys of its own, else the case's own, of which `already`
 * requests were spent. Each case checks by a request that the key is still refused. Throws `Unreached`.
 */
export async function usedUp(trial: Trial, already = 0): Promise<UsedUp> {
  // Another case may fill the lane of the shared key where the in-flight limit leaves the address out.
  if (!trial.toldApart || !trial.inFlightToldApart) return ownUsedUp(trial, already);
  for (let tries = 0; tries < 2; tries += 1) {
    const shared = sharedKey(trial);
    const { key, maker } = shared;
    let accepted: number;
    try {
      ({ accepted } = await shared.ready);
    } catch (error) {
      if (maker === trial || !isTransient(error)) throw error;
      continue;
    }
    const refusal = await trial.send(cheap(trial, key), key.from);
    if (!isAccepted(refusal)) return { key, refusal, accepted };
    if (sharedKeys.get(trial.instance) === shared) sharedKeys.delete(trial.instance);
  }
  throw new Unreached("a budget that was used up came back at once, so nothing can be seen of it");
}

/** What was accepted of the keys that cases have used up for themselves. */
const spentBy = new WeakMap<Trial, number>();

/** The case's own key: used up once, and again only where its budget has come back. */
async function ownUsedUp(trial: Trial, already: number): Promise<UsedUp> {
  const key = keyOf(trial);
  const accepted = spentBy.get(trial);
  if (accepted !== undefined) {
    const refusal = await trial.send(cheap(trial, key), key.from);
    if (!isAccepted(refusal)) return { key, refusal, accepted };
  }
  const now = await exhausted(trial, key, accepted === undefined ? already : already + 1);
  spentBy.set(trial, now.accepted);
  return { key, ...now };
}

/** Whether the next case may succeed: a transport fault, or the abort of the case that used the budget up. */
function isTransient(error: unknown): boolean {
  return !(error instanceof Unreached) || error.exchanges.some(({ answer }) => answer === undefined);
}

function sharedKey(trial: Trial): Shared {
  const known = sharedKeys.get(trial.instance);
  if (known !== undefined && (trial.driven || performance.now() - known.since < GOOD_FOR_MS)) return known;
  const key = keyOf(trial, { from: trial.freshAddress() });
  const made: Shared = {
    key,
    maker: trial,
    since: performance.now(),
    ready: exhausted(trial, key),
  };
  sharedKeys.set(trial.instance, made);
  made.ready.catch((error: unknown) => {
    if (isTransient(error)) sharedKeys.delete(trial.instance);
  });
  return made;
}
