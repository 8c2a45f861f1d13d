/** Plays a broken story again, to see whether the target does the same, and finds the fewest requests that still show it. */
import { messageOf } from "../../foundation/message-of.ts";
import { neutral } from "../../http/exchange.ts";
import type { Broken } from "../../oracle/told.ts";
import { isByChance, type Story } from "../../story/story.ts";
import { makeSmaller } from "./passes.ts";

const MAX_PLAYS = 400;
/** How often the smallest story is played before it is given up: some departures need two simultaneous requests. */
const TRIES = 3;

export interface Shrunk {
  /** Absent where it did not break again. */
  readonly shrunk?: Broken;
  /** The responses to the same requests when they were sent again, if those differed: nothing is shrunk then. */
  readonly again?: Broken["answers"];
  /** Why it was not played again, or not made as small as it might be. */
  readonly stopped?: string | undefined;
}

/** Confirms a story and shrinks it. If the target dies meanwhile, the smallest story so far is reported. */
export async function shrink(first: Broken, replaying: Replaying): Promise<Shrunk> {
  const replays = new Replays(replaying);
  const mayVary = isByChance(first.story);
  await replays.mustBeAlive(first);
  const second = await replays.play(first.story);
  if (replays.stopped !== undefined) return { stopped: replays.stopped };
  if (!mayVary && second?.departure.clause !== first.departure.clause) return { again: replays.answers };

  const from = mayVary ? (second ?? first) : first;
  const { broken, cutShort } = await makeSmaller(from, {
    play: (story) => replays.play(story, true),
    maxPlays: MAX_PLAYS,
    stop: () => replays.isOver,
    anyClause: mayVary,
  });
  // The whole story did not break again, but a smaller one may: that is enough.
  if (second === undefined && broken === from) return { stopped: replays.stopped ?? "they did not break again" };
  const replayed = broken === from ? broken : await replayedIn(replays, broken, mayVary);
  const late = cutShort ? "the time for making it smaller was over" : undefined;
  const stopped = replays.stopped ?? (replayed === undefined ? "those that were tried did not break again" : late);
  return { shrunk: replayed ?? from, stopped };
}

/** A story that breaks only with short waits, or only sometimes, does not prove a departure of these requests. */
async function replayedIn(replays: Replays, broken: Broken, mayVary: boolean): Promise<Broken | undefined> {
  let replayed: Broken | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) replayed ??= await replays.play(broken.story);
  // A target that just died showed the departure in the last play, unless it shows by chance only.
  return replayed ?? (replays.stopped !== undefined && !mayVary ? broken : undefined);
}

/** Longest time for shrinking, ms. */
export const SHRINK_MS = 25_000;

export interface Replaying {
  readonly replay: (
    story: Story,
    hasty: boolean,
  ) => Promise<{ readonly broken: Broken | undefined; readonly answers: Broken["answers"] }>;
  /** Whether the target answers a request that any target answers. */
  readonly isAlive: () => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** Replays until one rejects (the target died, the run was aborted). Never throws, so that what was found is reported. */
class Replays {
  /** Why nothing more is played. */
  stopped: string | undefined;
  /** The responses to the story that was played last. */
  answers: Broken["answers"] = [];
  readonly #options: Replaying;
  readonly #deadline = performance.now() + SHRINK_MS;

  constructor(options: Replaying) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.stopped !== undefined || this.#options.signal?.aborted === true || performance.now() > this.#deadline;
  }

  async play(story: Story, hasty = false): Promise<Broken | undefined> {
    return this.#shown(async () => {
      const { broken, answers } = await this.#options.replay(story, hasty);
      this.answers = answers;
      return broken;
    });
  }

  async mustBeAlive(broken: Broken): Promise<void> {
    await this.#shown(async () => broken);
  }

  /** A request without an answer may have ended the target: then no smaller story means anything. */
  async #shown(play: () => Promise<Broken | undefined>): Promise<Broken | undefined> {
    if (this.stopped !== undefined) return undefined;
    try {
      const broken = await play();
      const isSilent = broken?.exchange !== undefined && broken.exchange.answer === undefined;
      if (!isSilent || (await this.#options.isAlive())) return broken;
      this.stopped = "the target no longer answers";
    } catch (error) {
      const reason = messageOf(error);
      this.stopped = this.#options.signal?.aborted === true ? "the run was broken off" : neutral(reason, 200);
    }
    return undefined;
  }
}
