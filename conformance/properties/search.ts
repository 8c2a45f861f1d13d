/** Runs a property: many stories from one seed, several at a time, until one breaks or the depth is reached. */
import * as fc from "fast-check";
import { validRequest } from "../../fixtures/request.ts";
import type { Profile } from "../interface/gaps.ts";
import { confirm, type Confirmed } from "./confirm.ts";
import type { Executor } from "./executor.ts";
import { Player, playSteps, type Broken } from "./player.ts";
import { judgedBy, type Played, type Property } from "./property.ts";
import type { Playing, StepPlayer } from "./step-player.ts";
import type { Story } from "../story/story.ts";
import { untilBroken } from "./tries.ts";
import { nearlyEmpty, Visits } from "./visits.ts";
import { withReads } from "./wishes.ts";
import { World } from "./world.ts";

/** How deep a user wants to look. */
export interface Depth {
  readonly seed: number;
  /** Longest time for making a story smaller, ms. */
  readonly shrinkMs?: number;
}

export const defaultDepth: Depth = { seed: 1 };

/** The longest that a search goes on, for slow targets, ms. */
export const SEARCH_MS = 120_000;

/** Stories at the same time: while one waits for the target another is judged. */
const WIDTH = 8;
/** The client that asks whether the target still answers. */
const ASKING_CLIENT = 4096;
/** Runs that are added while a state was not met often enough, up to as many again. */
const MORE_RUNS = 4;

export interface SearchOptions {
  readonly profile: Profile;
  readonly executor: () => Promise<Executor>;
  readonly depth: Depth;
  readonly signal?: AbortSignal | undefined;
  /** False: it is enough to know that a story broke; it is neither played again nor made smaller. */
  readonly confirms?: boolean;
}

export interface Found extends Confirmed {
  /** The run that broke, from 0. */
  readonly run: number;
  readonly first: Broken;
}

export interface Searched {
  readonly runs: number;
  /** The runs that the depth asks for; fewer were made where the time was over. */
  readonly asked: number;
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
  const until = performance.now() + SEARCH_MS;
  const asked = property.runs;
  let limit = asked;
  let next = 0;
  let requests = 0;
  let first: { run: number; broken: Broken } | undefined;
  let failure: { error: unknown } | undefined;
  const isOver = () =>
    first !== undefined ||
    failure !== undefined ||
    signal?.aborted === true ||
    next >= limit ||
    performance.now() >= until;

  const begin = async (earlier: Map<string, string>, hasty = false): Promise<StepPlayer> => {
    const executor = await options.executor();
    const sessions = { home: executor.routes.route.sessionKey, foreign: executor.routes.stranger.sessionKey };
    const known = executor.fresh === true ? new Map<string, string>() : earlier;
    const world = new World({ profile, owners: known, sessions, clauses: judgedBy(property) });
    return playerFor(property, { world, executor, hasty });
  };
  const runNext = async () => {
    const run = next++;
    const player = await begin(owners);
    try {
      const broken = await playRun(property, wishesOf(property, depth.seed, run), player);
      // Runs overlap: the first of them counts, whichever was seen first.
      if (broken !== undefined && (first === undefined || run < first.run)) first = { run, broken };
    } finally {
      await player.close();
      requests += player.requests;
      visits.merge(player.world.visits);
    }
  };
  const worker = async () => {
    try {
      while (!isOver()) await runNext();
    } catch (error) {
      // What others find, or have found, is worth more than how this run ended.
      failure ??= { error };
    }
  };
  const work = () => Promise.all(Array.from({ length: property.width ?? WIDTH }, worker));
  await work();
  // A target that refuses much by its own rules takes longer to be brought everywhere.
  while (property.covers === true && limit < 2 * asked && nearlyEmpty(visits, profile.gaps).length > 0) {
    limit += MORE_RUNS;
    if (isOver()) break;
    await work();
  }
  const done = { runs: next, asked, requests, visits };
  if (first === undefined) {
    if (failure !== undefined) throw failure.error;
    return done;
  }
  const { tries = 1 } = property;
  let heard: Broken["answers"] = [];
  const playBeside = (earlier: Map<string, string>, story: Story, hasty: boolean) =>
    untilBroken(hasty ? Math.ceil(tries / 3) : tries, async () => {
      const player = await begin(earlier, hasty);
      heard = player.answers;
      return playSteps(story, player).finally(() => player.close());
    });
  // Whoever replays a story knows no flows of earlier ones, so it has to break without them; if it does not, it is told whole.
  const play = async (story: Story, hasty = false) =>
    (await playBeside(new Map(), story, hasty)) ?? (hasty ? undefined : playBeside(owners, story, hasty));
  const answers = async () => {
    const executor = await options.executor();
    const request = validRequest(executor.routes.route, { action: "find_latest_flow" });
    const sent = executor.send(request, ASKING_CLIENT).finally(() => executor.close?.());
    return (await sent).answer !== undefined;
  };
  const { run, broken } = first;
  if (options.confirms === false) return { ...done, found: { run, first: broken, stopped: "not asked for" } };
  const { shrinkMs } = depth;
  const { without } = property;
  const control = () =>
    play(
      broken.story.filter((step) => step.do !== without),
      true,
    );
  const [anyClause, byChance] = [property.player !== undefined, tries > 1];
  const confirmed = await confirm(broken, {
    play,
    heard: () => heard,
    answers,
    ...(without !== undefined && { control }),
    signal,
    shrinkMs,
    anyClause,
    byChance,
  });
  return { ...done, found: { run, first: broken, ...confirmed } };
}

/** What plays a property's stories. */
export function playerFor(property: Partial<Played>, playing: Playing): StepPlayer {
  const { executor, world } = playing;
  return property.player?.(playing) ?? new Player({ world, executor, watch: property.watch?.(executor, world) });
}

async function playRun<Wish>(
  property: Property<Wish>,
  wishes: readonly Wish[],
  player: StepPlayer,
): Promise<Broken | undefined> {
  const begun = await playSteps(property.begin, player);
  if (begun !== undefined) return begun;
  for (const wish of wishes) {
    const broken = await playSteps(withReads(player.world, property.plan(player.world, wish)), player);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
