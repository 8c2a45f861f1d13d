/** Section 8: both limits among more keys than are tracked. */
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse } from "../../harness/checks.ts";
import { flood } from "../../harness/flood.ts";
import { acceptedSoon, cheap, exhaust, fill, firstRefusal, keyOf, spend, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";

const common = {
  clauses: ["TRACKED-KEYS"],
  costly: true,
  meetsLimits: true,
  needs: ["addresses"],
  alone: true,
  requests: 2 * REQUESTS_PER_WINDOW + 2,
} as const;
/** Other cases on the same target have keys of their own. */
const MARGIN = 128;

export const trackedKeysCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-4096-KEYS",
    title: "4,096 keys are counted apart, and one more is limited like any other",
    level: "gap",
    gaps: ["rate.tracked-keys"],
    async run(trial) {
      const key = keyOf(trial);
      await exhaust(trial, key);
      const others = trial.gap("rate.tracked-keys") - MARGIN;
      let next = await afterFlood(trial, key, others);
      if (isAccepted(next)) {
        // A window aligned to the clock may have ended meanwhile: the next one will not.
        await exhaust(trial, key, 1);
        next = await afterFlood(trial, key, others);
      }
      mustRefuse(next);
      await flood(trial, 2 * MARGIN);
      const beyond = keyOf(trial, { from: trial.freshAddress() });
      const spent = await spend(trial, beyond, REQUESTS_PER_WINDOW + 1);
      const last = spent.slice(-1);
      check(firstRefusal(spent) !== undefined, "a limit for a key beyond those tracked", "121 accepted", ...last);
    },
  },
  {
    ...common,
    id: "IN-FLIGHT-4096-KEYS",
    title: "A key in flight is kept among 4,096 others, and keys whose requests have ended are forgotten",
    level: "gap",
    gaps: ["rate.tracked-keys"],
    reading:
      "What happens beyond 4,096 keys is left open; a flood that opens new slots would undo the limit. Keys whose requests are over are not in flight and take no room.",
    // Only where a new key is refused after the flood.
    longestMs: WINDOW_MS + 10_000,
    async run(trial) {
      const key = keyOf(trial);
      const { held } = await fill(trial, key);
      await flood(trial, trial.gap("rate.tracked-keys") + MARGIN);
      const next = await trial.send(cheap(trial, key), key.from);
      // The flood may have taken longer than the time that a body has.
      if (held.uploads.some((upload) => upload.answered))
        throw new NotApplicable("4,096 keys took longer than a body has time");
      mustRefuse(next);
      await held.finish();
      const fresh = keyOf(trial, { from: trial.freshAddress() });
      if (isAccepted(await trial.send(cheap(trial, fresh), fresh.from))) return;
      // The rate limit may have no room for more keys until the windows of those in the flood are over.
      await trial.pass(WINDOW_MS + 1000);
      const later = await acceptedSoon(trial, fresh);
      mustAccept(later, "a request of a new key accepted when all of those before are over");
    },
  },
];

/** The answer to a used-up key after requests from so many others. */
async function afterFlood(trial: Trial, key: Key, others: number): Promise<Exchange> {
  const from = trial.now();
  await flood(trial, others);
  if (trial.now() - from >= WINDOW_MS) throw new NotApplicable("so many keys took longer than a window");
  return trial.send(cheap(trial, key), key.from);
}
