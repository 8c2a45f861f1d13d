/** Stories that are played again to confirm and to shrink them, within a time and as long as the target lives. */
import { messageOf } from "../../foundation/message-of.ts";
import { neutral } from "../../http/exchange.ts";
import type { Story } from "../../story/story.ts";
import type { Broken, Repeats } from "../../oracle/departure.ts";

/** Longest time for shrinking, ms. */
export const SHRINK_MS = 25_000;

export interface ReplaysOptions {
  readonly repeats: Repeats;
  readonly replay: (
    story: Story,
    hasty: boolean,
  ) => Promise<{ readonly broken: Broken | undefined; readonly answers: Broken["answers"] }>;
  /** Whether the target answers a request that any target answers. */
  readonly isAlive: () => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** Replays until one rejects (the target died, the run was aborted). Never throws, so that what was found is reported. */
export class Replays {
  readonly repeats: Repeats;
  /** Why nothing more is played. */
  stopped: string | undefined;
  /** The responses to the story that was played last. */
  answers: Broken["answers"] = [];
  readonly #options: ReplaysOptions;
  readonly #deadline = performance.now() + SHRINK_MS;

  constructor(options: ReplaysOptions) {
    this.repeats = options.repeats;
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
