/** Plays a broken story again, to see whether the target does the same, and finds the fewest requests that still show it. */
import type { Broken } from "../../oracle/departure.ts";
import { makeSmaller } from "./passes.ts";
import type { Replays } from "./replays.ts";

const MAX_PLAYS = 400;
/** How often the smallest story is played before it is given up: some departures need two simultaneous requests. */
const TRIES = 3;

export interface Shrunk {
  /** Absent where it did not break again. */
  readonly shrunk?: Broken;
  /** The responses to the same requests when they were sent again, if those differed: nothing is shrunk then. */
  readonly again?: Broken["answers"];
  /** Why it was not played again, or not made as small as it might be. */
  readonly stopped?: string;
}

/** Confirms a story and shrinks it. If the target dies meanwhile, the smallest story so far is reported. */
export async function shrink(first: Broken, replays: Replays): Promise<Shrunk> {
  const isByChance = replays.repeats === "by chance";
  await replays.mustBeAlive(first);
  const second = await replays.play(first.story);
  if (replays.stopped !== undefined) return { stopped: replays.stopped };
  if (!isByChance && second?.departure.clause !== first.departure.clause) return { again: replays.answers };

  const from = isByChance ? (second ?? first) : first;
  const { broken, cutShort } = await makeSmaller(from, {
    play: (story) => replays.play(story, true),
    maxPlays: MAX_PLAYS,
    stop: () => replays.isOver,
    anyClause: isByChance,
  });
  // The whole story did not break again, but a smaller one may: that is enough.
  if (second === undefined && broken === from) return { stopped: replays.stopped ?? "they did not break again" };
  // A target that just died showed the departure in the last play, unless it shows by chance only.
  const isTrusted = () => replays.stopped !== undefined && !isByChance;
  let replayed = broken === from || isTrusted() ? broken : undefined;
  // A story that breaks only with short waits, or only sometimes, does not prove a departure of these requests.
  for (let tries = 0; tries < TRIES; tries += 1) replayed ??= await replays.play(broken.story);
  if (isTrusted()) replayed ??= broken;
  if (replayed === undefined) {
    return { shrunk: from, stopped: replays.stopped ?? "those that were tried did not break again" };
  }
  const stopped = replays.stopped ?? (cutShort ? "the time for making it smaller was over" : undefined);
  return { shrunk: replayed, ...(stopped !== undefined && { stopped }) };
}
