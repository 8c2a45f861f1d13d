/** Plays a broken story again, to see whether the target does the same. */
import type { Broken } from "../../oracle/broken.ts";
import type { Replays } from "./replays.ts";

type Confirmed =
  /** It broke again, or may: `from` is what to shrink. */
  | { readonly from: Broken; readonly brokeAgain: boolean }
  /** The same requests were answered otherwise, as far as they were judged. */
  | { readonly again: Broken["answers"] }
  /** Why it was not played again. */
  | { readonly stopped: string };

export async function confirm(first: Broken, replays: Replays): Promise<Confirmed> {
  const { repeats } = replays;
  await replays.mustBeAlive(first);
  const again = await replays.play(first.story);
  if (replays.stopped !== undefined) return { stopped: replays.stopped };
  if (repeats === "by chance") return { from: again ?? first, brokeAgain: again !== undefined };
  const isSame = again?.departure.clause === first.departure.clause;
  return isSame ? { from: first, brokeAgain: true } : { again: replays.answers };
}
