/**
 * The walk of a property's story, from top to bottom: intents are generated, planned as steps and played, and each
 * response is judged as it comes; a story that breaks is confirmed and shrunk. `tell.ts` reports what is left of it.
 */
import * as fc from "fast-check";
import type { Property } from "./definitions/property.ts";
import { withReads } from "../oracle/flow-requests.ts";
import type { Broken } from "../oracle/told.ts";
import { Visits } from "../oracle/visits.ts";
import { isAlive, replay } from "../oracle/play/replay.ts";
import type { RequestForm, Step } from "../story/story.ts";
import { playSteps, startPlayer, type Player, type Stage } from "../oracle/play/player.ts";
import { shrink, type Shrunk } from "./shrink/shrink.ts";

/** How deep a user wants to look. */
export interface Depth {
  readonly seed: number;
}

export const defaultDepth: Depth = { seed: 1 };

/**
 * Longest time for one search, ms. On a slow target it ends the stories where they are: what was visited by then decides
 * whether it was enough.
 */
export const SEARCH_MS = 120_000;

/** Runs added where too little is covered. */
const MORE_RUNS = 4;

export interface SearchOptions extends Stage {
  readonly seed: number;
  /** The forms in which the target takes requests: those of one intent have one of them. */
  readonly forms?: readonly RequestForm[];
  /** Longest time, ms: `SEARCH_MS` by default. */
  readonly searchMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Found extends Shrunk {
  /** The run that broke, from 0. */
  readonly run: number;
  readonly first: Broken;
}

export interface Searched {
  /** Runs that came to their end: fewer than the property has where the time was over. */
  readonly runs: number;
  readonly visits: Visits;
  readonly found?: Found;
}

export async function search(property: Property, options: SearchOptions): Promise<Searched> {
  const owners = new Map<string, string>();
  // Generate, play, judge.
  const { broken, ...searched } = await playRuns(property, options, owners);
  if (broken === undefined) return searched;
  const result = await shrink(broken.first, {
    async replay(story, hasty) {
      const replayed = await replay(story, options, { hasty });
      if (replayed.broken !== undefined || hasty) return replayed;
      // A replay file holds no flows of earlier stories, so the story has to break without them; one that needs them is not shrunk.
      return replay(story, options, { owners });
    },
    isAlive: () => isAlive(options),
    signal: options.signal,
  });
  return { ...searched, found: { ...broken, ...result } };
}

interface Played extends Omit<Searched, "found"> {
  readonly broken?: Pick<Found, "run" | "first">;
}

/** Plays stories from one seed, at the same time; more of them while too little is covered. `owners`: see `World`. */
async function playRuns(property: Property, options: SearchOptions, owners: Map<string, string>): Promise<Played> {
  const { profile, seed, signal, searchMs = SEARCH_MS } = options;
  const visits = new Visits();
  const until = performance.now() + searchMs;
  const isLate = () => signal?.aborted === true || performance.now() >= until;
  const found: Pick<Found, "run" | "first">[] = [];
  let begun = 0;
  let runs = 0;

  const playNext = async () => {
    const run = begun++;
    const player = await startPlayer(options, owners);
    try {
      const first = await playRun(property, intentsOf(property, seed, run), player, { isLate, ...options });
      if (first !== undefined) found.push({ run, first });
      if (!isLate()) runs += 1;
    } finally {
      await player.close();
      visits.merge(player.world.visits);
    }
  };
  const playSome = async (count: number) => {
    const played = await Promise.allSettled(Array.from({ length: count }, playNext));
    // What another run has found is worth more than this error.
    for (const one of played) if (one.status === "rejected" && found.length === 0) throw one.reason;
  };
  await playSome(property.runs);
  // A target that refuses much by its own rules needs more runs.
  const isEnough = () =>
    found.length > 0 || isLate() || property.coverageGap?.(visits, profile.gaps)?.moreRuns !== true;
  if (!isEnough()) await playSome(MORE_RUNS);
  // The first of them counts, whichever was seen first.
  const [broken] = found.toSorted((a, b) => a.run - b.run);
  return { runs, visits, ...(broken && { broken }) };
}

/** The intents of one run: the same for the same seed and run. */
export function intentsOf<Intent>(property: Property<Intent>, seed: number, run: number): Intent[] {
  // Neighbouring seeds must not share runs.
  const [intents = []] = fc.sample(property.intents, { seed: Math.imul(seed, 1_000_003) + run, numRuns: 1 });
  return intents;
}

function* inOneForm(steps: Iterable<Step>, form: RequestForm = "usual"): Generator<Step> {
  for (const step of steps) yield step.do === "send" && form !== "usual" ? { ...step, form } : step;
}

/** Each step is planned when the response to the one before was judged. `isLate`: no more intents are begun. */
async function playRun(
  { begin, plan }: Property,
  intents: readonly unknown[],
  player: Player,
  { isLate, forms = ["usual"] }: Pick<SearchOptions, "forms"> & { readonly isLate: () => boolean },
): Promise<Broken | undefined> {
  const broken = await playSteps(begin, player);
  if (broken !== undefined) return broken;
  for (const [index, intent] of intents.entries()) {
    if (isLate()) return undefined;
    const form = forms[index % forms.length];
    const steps = inOneForm(withReads(player.world, plan(player.world, intent)), form);
    const shown = await playSteps(steps, player);
    if (shown !== undefined) return shown;
  }
  return undefined;
}
