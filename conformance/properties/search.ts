/** Runs a property: many stories from one seed, several at a time, until one breaks or the depth is reached. */
import * as fc from "fast-check";
import type { Profile } from "../profiles/gaps.ts";
import type { Executor } from "./executor.ts";
import { Player, playSteps, type Broken } from "./player.ts";
import type { Property } from "./property.ts";
import { shrink, type Shrunk } from "./shrink.ts";
import type { Story } from "./story.ts";
import { nearlyEmpty, Visits } from "./visits.ts";
import { World } from "./world.ts";

/** How deep a user wants to look. */
export interface Depth {
  readonly seed: number;
  /** Times the default number of runs of each property. */
  readonly times: number;
  /** Each property goes on for this long instead, ms. */
  readonly forMs?: number;
}

export const defaultDepth: Depth = { seed: 1, times: 1 };

/** A slow target gets this long for each default depth, ms. */
const SLOW_MS = 120_000;

/** The longest that a search goes on before it ends with what it has, ms. */
export const longestSearchMs = ({ times, forMs }: Depth): number => forMs ?? SLOW_MS * times;

/** Stories at the same time: while one waits for the target another is judged. */
const WIDTH = 8;
/** Runs that are added while a state was not met often enough, up to as many again. */
const MORE_RUNS = 4;
const MAX_PLAYS = 400;
/** Longest time for making a story smaller, ms. */
export const SHRINK_MS = 25_000;

export interface SearchOptions {
  readonly profile: Profile;
  readonly executor: () => Promise<Executor>;
  readonly depth: Depth;
  readonly signal?: AbortSignal | undefined;
  /** Told after each run how many requests there were. */
  readonly onRun?: (requests: number) => void;
}

export interface Found {
  /** The run that broke, from 0. */
  readonly run: number;
  readonly first: Broken;
  /** Absent where the same requests did not break again. */
  readonly shrunk?: Shrunk;
  /** What the same requests were answered the second time, where that was otherwise. */
  readonly again?: readonly (string | undefined)[];
}

export interface Searched {
  readonly runs: number;
  readonly requests: number;
  readonly visits: Visits;
  readonly found?: Found;
}

/** The wishes of one run: the same for the same seed and run. */
export function wishesOf<Wish>(property: Property<Wish>, seed: number, run: number): Wish[] {
  // Neighbouring seeds must not share runs.
  const [wishes = []] = fc.sample(property.wishes, { seed: Math.imul(seed, 1_000_003) + run, numRuns: 1 });
  return wishes;
}

export async function search<Wish>(property: Property<Wish>, options: SearchOptions): Promise<Searched> {
  const { profile, depth, signal } = options;
  const visits = new Visits();
  const owners = new Map<string, string>();
  const until = performance.now() + longestSearchMs(depth);
  const asked = depth.forMs === undefined ? property.runs * depth.times : Number.POSITIVE_INFINITY;
  let limit = asked;
  let next = 0;
  let requests = 0;
  let first: { run: number; broken: Broken } | undefined;
  const isOver = () => first !== undefined || signal?.aborted === true || next >= limit || performance.now() >= until;

  const begin = async (): Promise<Player> => {
    const executor = await options.executor();
    const sessions = { home: executor.routes.route.sessionKey, foreign: executor.routes.stranger.sessionKey };
    const world = new World({ profile, owners, sessions });
    return new Player({ world, executor, watch: property.watch?.(executor, world) });
  };
  const worker = async () => {
    while (!isOver()) {
      const run = next++;
      const player = await begin();
      const broken = await playRun(property, wishesOf(property, depth.seed, run), player);
      player.close();
      requests += player.requests;
      visits.merge(player.world.visits);
      options.onRun?.(requests);
      // Runs overlap: the first of them counts, whichever was seen first.
      if (broken !== undefined && (first === undefined || run < first.run)) first = { run, broken };
    }
  };
  const work = () => Promise.all(Array.from({ length: WIDTH }, worker));
  await work();
  // A target that refuses much by its own rules takes longer to be brought everywhere.
  while (property.covers === true && limit < 2 * asked && nearlyEmpty(visits, profile.gaps).length > 0) {
    limit += MORE_RUNS;
    if (isOver()) break;
    await work();
  }
  const done = { runs: next, requests, visits };
  if (first === undefined) return done;

  const play = async (story: Story) => {
    const player = await begin();
    const broken = await playSteps(story, player);
    player.close();
    return broken;
  };
  const { run, broken } = first;
  const again = await playTwice(broken, play);
  if (again !== undefined) return { ...done, found: { run, first: broken, again } };
  const deadline = performance.now() + SHRINK_MS;
  const stop = () => signal?.aborted === true || performance.now() > deadline;
  return { ...done, found: { run, first: broken, shrunk: await shrink(broken, { play, maxPlays: MAX_PLAYS, stop }) } };
}

async function playRun<Wish>(
  property: Property<Wish>,
  wishes: readonly Wish[],
  player: Player,
): Promise<Broken | undefined> {
  const begun = await playSteps(property.begin, player);
  if (begun !== undefined) return begun;
  for (const wish of wishes) {
    const broken = await playSteps(property.plan(player.world, wish), player);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** A target that answers the same requests otherwise is not to be shrunk: gives those other answers. */
async function playTwice(
  broken: Broken,
  play: (story: Story) => Promise<Broken | undefined>,
): Promise<readonly (string | undefined)[] | undefined> {
  const again = await play(broken.story);
  return again?.finding.clause === broken.finding.clause ? undefined : (again?.answers ?? []);
}
