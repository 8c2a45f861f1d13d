/** Players of stories about the limits, by their worlds: what a plan asks the model of the limits for. */
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import { LimitsPlayer } from "./limits-player.ts";
import type { Playing } from "./step-player.ts";
import type { World } from "./world.ts";

/** A path and a client address. */
export interface Key {
  readonly route: "route" | "sibling";
  readonly client: number;
}

const players = new WeakMap<World, LimitsPlayer>();

export function limitsPlayer(playing: Playing): LimitsPlayer {
  const player = new LimitsPlayer(playing);
  players.set(playing.world, player);
  return player;
}

export function limitsPlayerOf(world: World): LimitsPlayer {
  const player = players.get(world);
  if (player === undefined) throw new Error("a world without its player");
  return player;
}

/** Requests that a key's budget still has, as far as known. */
export const budgetLeft = (player: LimitsPlayer, { route, client }: Key): number =>
  REQUESTS_PER_WINDOW - player.rate.spent(`${route} ${client}`, player.now());
