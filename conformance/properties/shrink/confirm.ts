/** Plays a broken story again, to see whether the target does the same. */
import type { Broken } from "../oracle/broken.ts";
import type { Replays } from "./replays.ts";

/**
 * How often a story whose departure depends on timing is played again: a busy machine is late as well, and what is late
 * once is no fault.
 */
const TIMED_PLAYS = 3;

/** A story that depends on timing broke once, and not again in so many plays of the whole of it. */
export interface Unconfirmed {
  readonly unconfirmed: number;
}

type Confirmed =
  | Unconfirmed
  /** It broke again, or may: `from` is what to shrink. */
  | { readonly from: Broken; readonly brokeAgain: boolean }
  /** The same requests were answered otherwise, as far as they were judged. */
  | { readonly again: Broken["answers"] }
  /** Why it was not played again. */
  | { readonly stopped: string };

export async function confirm(first: Broken, replays: Replays): Promise<Confirmed> {
  const { repeats } = replays;
  await replays.mustBeAlive(first);
  if (repeats === "timed") {
    const again = await breaksAgain(first, replays);
    return "unconfirmed" in again || "stopped" in again ? again : { from: again, brokeAgain: true };
  }
  const again = await replays.play(first.story);
  if (replays.stopped !== undefined) return { stopped: replays.stopped };
  if (repeats === "by chance") return { from: again ?? first, brokeAgain: again !== undefined };
  const isSame = again?.departure.clause === first.departure.clause;
  return isSame ? { from: first, brokeAgain: true } : { again: replays.answers };
}

/** Plays a whole story again, with patience, until it breaks. */
export async function breaksAgain(
  { story }: Broken,
  replays: Replays,
): Promise<Broken | Unconfirmed | { readonly stopped: string }> {
  for (let play = 0; play < TIMED_PLAYS; play += 1) {
    const broken = await replays.play(story);
    if (broken !== undefined) return broken;
    if (replays.stopped !== undefined) return { stopped: replays.stopped };
  }
  return { unconfirmed: TIMED_PLAYS };
}
