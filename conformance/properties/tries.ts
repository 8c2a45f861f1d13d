/** Some departures are a matter of moments: the same requests are sent again until they break again. */
import type { Broken } from "./player.ts";

/** Stories at the same time, in turn: by itself a story keeps its times, beside others they jostle each other. */
const WIDTHS = [1, 1, 1, 1, 4] as const;

/** Plays up to `tries` times; gives the first that broke, undefined if none did. Rejects when a play does. */
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
