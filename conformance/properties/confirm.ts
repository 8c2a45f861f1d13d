/** What is made of a story that broke: it is played again, to see that the target does the same, and then made smaller. */
import { neutral } from "../http/exchange.ts";
import type { Broken } from "./player.ts";
import { shrink, type Shrunk } from "./shrink.ts";
import type { Story } from "../story/story.ts";

/** Longest time for making a story smaller, ms. */
export const SHRINK_MS = 25_000;
const MAX_PLAYS = 400;
/** Some departures are a matter of the same moment: how often the smallest story is played before it is given up. */
const TRIES = 3;

/** Fewer requests would be believed for what others have left. */
const REMEMBERED = "the target breaks without the other keys too, so it may remember those of other stories";

export interface Confirmed {
  /** Absent where the same requests did not break again, or could not be sent again. */
  readonly shrunk?: Shrunk;
  /** What the same requests were answered the second time, where that was otherwise: as far as it was judged. */
  readonly again?: Broken["answers"];
  /** Why it was not played again, or not as often as it takes to make it small. */
  readonly stopped?: string;
}

export interface ConfirmOptions {
  /** Plays a story on a fresh part of the target; `hasty`: it is known to break, so nothing is waited for long. */
  readonly play: (story: Story, hasty?: boolean) => Promise<Broken | undefined>;
  /** The answers of the story that was played last. */
  readonly heard: () => Broken["answers"];
  /** Whether the target answers a request that any target answers. */
  readonly answers: () => Promise<boolean>;
  /** Plays it without what is to make the difference. */
  readonly control?: () => Promise<Broken | undefined>;
  readonly signal?: AbortSignal | undefined;
  /** Longest time for making it smaller, ms. */
  readonly shrinkMs?: number | undefined;
  /** A story that breaks another clause the second time is as good: what is seen depends on moments. */
  readonly anyClause?: boolean;
  /** Whether a story breaks is a matter of chance: less of it may break where all of it did not. */
  readonly byChance?: boolean;
}

/** Never throws: a target that died, a run that is broken off or a play that fails leaves the story as far as it was made smaller. */
export async function confirm(first: Broken, options: ConfirmOptions): Promise<Confirmed> {
  const { play, heard, answers, control, signal, shrinkMs = SHRINK_MS, anyClause = false, byChance = false } = options;
  let stopped: string | undefined;
  const deadline = performance.now() + shrinkMs;
  const watched = async (work: () => Promise<Broken | undefined>): Promise<Broken | undefined> => {
    if (stopped !== undefined) return undefined;
    try {
      const broken = await work();
      if (!isSilent(broken) || (await answers())) return broken;
      stopped = "the target no longer answers";
    } catch (error) {
      // What was found is worth more than why it could not be looked at again.
      stopped = signal?.aborted === true ? "the run was broken off" : neutral(messageOf(error), 200);
    }
    return undefined;
  };
  await watched(async () => (isSilent(first) ? first : undefined));
  const again = await watched(() => play(first.story));
  if (stopped !== undefined) return { stopped };
  const isSame = again !== undefined && (anyClause || again.finding.clause === first.finding.clause);
  if (!isSame && !byChance) return { again: heard() };
  if (control !== undefined && (await watched(control)) !== undefined) return { stopped: REMEMBERED };
  const stop = () => stopped !== undefined || signal?.aborted === true || performance.now() > deadline;
  const from = anyClause && again !== undefined ? again : first;
  const shrunk = await shrink(from, {
    play: (story) => watched(() => play(story, true)),
    maxPlays: MAX_PLAYS,
    stop,
    anyClause: byChance,
  });
  const { broken } = shrunk;
  // All of it did not break again, but less of it may: that is enough.
  if (again === undefined && broken === first) return { stopped: stopped ?? "they did not break again" };
  // What breaks in haste only, or now and then, is no departure of these requests.
  const isOver = broken === from || (stopped !== undefined && !anyClause);
  let once = isOver ? broken : undefined;
  for (let tries = 0; tries < TRIES; tries += 1) once ??= await watched(() => play(broken.story));
  // A target that died just now has shown it in the play before.
  const told = once ?? (stopped !== undefined && !anyClause ? broken : undefined);
  if (told === undefined) {
    stopped ??= "those that were tried did not break again";
    return { shrunk: { ...shrunk, broken: from, cutShort: true }, stopped };
  }
  if (shrunk.cutShort) stopped ??= "the time for making it smaller was over";
  return { shrunk: { ...shrunk, broken: told }, ...(stopped !== undefined && { stopped }) };
}

const isSilent = (broken: Broken | undefined): boolean =>
  broken?.exchange !== undefined && broken.exchange.answer === undefined;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
