/** Plays a whole story again, on a part of the target that no other story uses. */
import { validRequest } from "../../interface/request.ts";
import { isByChance, type Story } from "../../story/story.ts";
import type { Broken } from "../told.ts";
import { playSteps, startPlayer, type Player, type Stage } from "./player.ts";

/** What breaks by chance is played so often, and a third of that while it is shrunk. */
const TRIES = 16;
/** Stories at the same time, in turn: alone a story keeps its times, concurrent copies of it disturb each other. */
const WIDTHS = [1, 1, 1, 1, 4] as const;

/** Plays up to `tries` times; returns the first that broke, undefined if none did. Rejects when a play does. */
export async function untilBroken(tries: number, play: () => Promise<Broken | undefined>): Promise<Broken | undefined> {
  for (let turn = 0, left = tries; left > 0; turn += 1) {
    const width = Math.min(left, WIDTHS[turn % WIDTHS.length] ?? 1);
    left -= width;
    const played = await Promise.all(Array.from({ length: width }, play));
    const broken = played.find((one) => one !== undefined);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

interface ReplayOptions {
  readonly owners?: Map<string, string>;
  /** The story is known to break: shorter waits and fewer tries. */
  readonly hasty?: boolean;
}

/** Plays a story again, several times where it breaks by chance: then the result is that of the last play. */
export async function replay(story: Story, stage: Stage, { owners, hasty = false }: ReplayOptions = {}) {
  let last: Pick<Player, "answers" | "skipped"> = { answers: [], skipped: 0 };
  const tries = isByChance(story) ? (hasty ? Math.ceil(TRIES / 3) : TRIES) : 1;
  const broken = await untilBroken(tries, async () => {
    const player = await startPlayer(stage, owners);
    last = player;
    return playSteps(story, player).finally(() => player.close());
  });
  return { broken, answers: last.answers, skipped: last.skipped };
}

/** Whether the target answers the cheapest read. */
export async function isAlive({ executor: newExecutor }: Stage): Promise<boolean> {
  const executor = await newExecutor();
  const request = validRequest(executor.routes.route, { action: "find_latest_flow" });
  const { answer } = await executor.send(request, 0).finally(() => executor.close?.());
  return answer !== undefined;
}
