/** What is made of a story that broke: it is played again, to see that the target does the same, and then made smaller. */
import type { Broken } from "./player.ts";
import { shrink, type Shrunk } from "./shrink.ts";
import type { Story } from "./story.ts";

/** Longest time for making a story smaller, ms. */
export const SHRINK_MS = 25_000;
const MAX_PLAYS = 400;

export interface Confirmed {
  /** Absent where the same requests did not break again, or could not be sent again. */
  readonly shrunk?: Shrunk;
  /** What the same requests were answered the second time, where that was otherwise. */
  readonly again?: Broken["answers"];
  /** Why it was not played again, or not as often as it takes to make it small. */
  readonly stopped?: string;
}

export interface ConfirmOptions {
  /** Plays a story on a fresh part of the target; `hasty`: it is known to break, so nothing is waited for long. */
  readonly play: (story: Story, hasty?: boolean) => Promise<Broken | undefined>;
  /** Requests that any target answers. */
  readonly plain: Story;
  readonly signal?: AbortSignal | undefined;
  /** Longest time for making it smaller, ms. */
  readonly shrinkMs?: number | undefined;
  /** A story that breaks another clause the second time is as good: what is seen depends on moments. */
  readonly anyClause?: boolean;
  /** Whether a story breaks is a matter of chance: less of it may break where all of it did not. */
  readonly byChance?: boolean;
}

/** A target that died, or a run that is broken off, leaves the story as far as it was made smaller. Never throws for their sake. */
export async function confirm(first: Broken, options: ConfirmOptions): Promise<Confirmed> {
  const { play, plain, signal, shrinkMs = SHRINK_MS, anyClause = false, byChance = false } = options;
  let stopped: string | undefined;
  const deadline = performance.now() + shrinkMs;
  /** Plays, and sees whether the target is still there when there was no answer. */
  const watched = async (story: Story): Promise<Broken | undefined> => {
    try {
      const broken = await play(story, true);
      const isDead = isSilent(broken) && isSilent(await play(plain));
      if (isDead) stopped = "the target no longer answers";
      return isDead ? undefined : broken;
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      stopped = "the run was broken off";
      return undefined;
    }
  };
  if (isSilent(first)) await watched(plain);
  const again = stopped === undefined ? await watched(first.story) : undefined;
  if (stopped !== undefined) return { stopped };
  const isSame = again !== undefined && (anyClause || again.finding.clause === first.finding.clause);
  if (!isSame && !byChance) return { again: again?.answers ?? [] };
  const stop = () => stopped !== undefined || signal?.aborted === true || performance.now() > deadline;
  const from = anyClause && again !== undefined ? again : first;
  let shrunk = await shrink(from, { play: watched, maxPlays: MAX_PLAYS, stop, anyClause: byChance });
  // All of it did not break again, but less of it may: that is enough.
  if (again === undefined && shrunk.broken === first) return { again: [] };
  // What breaks in haste only is no departure.
  if (anyClause && !stop() && (await play(shrunk.broken.story)) === undefined) {
    shrunk = { ...shrunk, broken: first, cutShort: true };
  }
  if (stopped === undefined && shrunk.cutShort) stopped = "the time for making it smaller was over";
  return { shrunk, ...(stopped !== undefined && { stopped }) };
}

const isSilent = (broken: Broken | undefined): boolean =>
  broken?.exchange !== undefined && broken.exchange.answer === undefined;
