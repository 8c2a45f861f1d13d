/**
 * The walk of a property's story, from top to bottom: intents are generated, planned as steps and played, and each
 * response is judged as it comes; a story that breaks is confirmed and shrunk. `tell.ts` reports what is left of it.
 */
import * as fc from "fast-check";
import type { Property } from "./definitions/property.ts";
import { withReads } from "../oracle/flow-requests.ts";
import type { Broken } from "../oracle/told.ts";
import { Unreached } from "../harness/case-errors.ts";
import type { Met } from "../oracle/world.ts";
import { isAlive, replay } from "../oracle/play/replay.ts";
import type { RequestForm, Step } from "../story/story.ts";
import { playSteps, startPlayer, type Player, type Stage } from "../oracle/play/player.ts";
import { shrink, type Shrunk } from "./shrink/shrink.ts";

/** Longest time for one search, ms. On a slow target it ends the stories where they are. */
export const SEARCH_MS = 120_000;

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

/** What breaks the property; undefined where nothing does. Throws `Unreached` where too little was played to say so. */
export async function search(property: Property, options: SearchOptions): Promise<Found | undefined> {
  const owners = new Map<string, string>();
  // Generate, play, judge.
  const { broken, ended, met } = await playRuns(property, options, owners);
  if (broken === undefined) {
    const slow = `the target is too slow: no story came to its end within ${SEARCH_MS / 1000} s`;
    const shortfall = ended === 0 ? slow : property.shortfall?.(met);
    if (shortfall !== undefined) throw new Unreached(shortfall);
    return undefined;
  }
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
  return { ...broken, ...result };
}

type First = Pick<Found, "run" | "first">;

interface Played {
  readonly broken: First | undefined;
  /** Runs that came to their end before the time was over. */
  readonly ended: number;
  readonly met: ReadonlySet<Met>;
}

/** Plays the property's stories from one seed, at the same time. `owners`: see `World`. */
async function playRuns(property: Property, options: SearchOptions, owners: Map<string, string>): Promise<Played> {
  const { seed, signal, searchMs = SEARCH_MS } = options;
  const until = performance.now() + searchMs;
  const isLate = () => signal?.aborted === true || performance.now() >= until;
  const met = new Set<Met>();
  let ended = 0;
  const playOne = async (run: number): Promise<First | undefined> => {
    const player = await startPlayer(options, owners);
    try {
      const first = await playRun(property, intentsOf(property, seed, run), player, { isLate, ...options });
      if (!isLate()) ended += 1;
      return first && { run, first };
    } finally {
      for (const one of player.world.met) met.add(one);
      await player.close();
    }
  };
  const played = await Promise.allSettled(Array.from({ length: property.runs }, (_, run) => playOne(run)));
  // The first of them counts, whichever was seen first; it is worth more than the error of another run.
  const broken = played.flatMap((one) => (one.status === "fulfilled" ? (one.value ?? []) : []));
  for (const one of played) if (one.status === "rejected" && broken.length === 0) throw one.reason;
  return { broken: broken[0], ended, met };
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
