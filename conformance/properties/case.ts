/** A property as a case of the suite. */
import type { Case } from "../harness/case.ts";
import { twin } from "../harness/checks.ts";
import { NotApplicable, StoryFailure, Unreached } from "../harness/case-errors.ts";
import type { Profile } from "../interface/gaps.ts";
import type { StoryReport } from "../harness/result.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import type { Trial } from "../harness/trial.ts";
import { SHRINK_MS } from "./confirm.ts";
import { httpExecutors } from "./http-executor.ts";
import type { Broken } from "./player.ts";
import type { Property } from "./property.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import { search, SEARCH_MS, type Depth, type Found, type Searched } from "./search.ts";
import { linesOf, requestsOf } from "./tell.ts";
import { ENOUGH_VISITS, nearlyEmpty } from "./visits.ts";

/** Told to whoever cannot be judged by properties. */
const ONE_ADDRESS = "the target takes all client addresses for one: a minute's requests are too few for a property";

/** An answer at once takes no longer, ms. */
const QUICK_MS = 100;

export function propertyCase<Wish>(property: Property<Wish>, depth: Depth): Case {
  const { id, title, clauses, gaps, needs = [], covers, quickAnswers, reading } = property;
  return {
    id,
    title,
    clauses,
    level: gaps === undefined ? "must" : "gap",
    ...(gaps && { gaps }),
    alone: true,
    costly: true,
    needs: ["addresses", ...needs],
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW,
    longestMs: SEARCH_MS + SHRINK_MS,
    ...(reading !== undefined && { reading }),
    async run(trial) {
      if (!trial.toldApart) throw new NotApplicable(ONE_ADDRESS);
      if (quickAnswers === true) await mustAnswerQuickly(trial);
      const { profile, signal } = trial;
      const executor = httpExecutors(trial);
      const searched = await search(property, { profile, executor, depth, signal });
      const { found, visits } = searched;
      if (covers === true) trial.visits = visits.table();
      const at = { profile: profile.name, target: trial.instance.target.name };
      if (found !== undefined) throw failureOf(id, found, depth, at);
      const shortfall = shortfallOf(property, searched, profile);
      if (shortfall !== undefined) throw new Unreached(shortfall);
    },
  };
}

async function mustAnswerQuickly(trial: Trial): Promise<void> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3; tries += 1) {
    const sent = performance.now();
    twin(await trial.post(trial.cheapBody));
    quickest = Math.min(quickest, performance.now() - sent);
  }
  if (quickest <= QUICK_MS) return;
  throw new NotApplicable(`its answers take more than ${QUICK_MS} ms: moments cannot be told apart`);
}

/** Why a search that found nothing proves less than it should; undefined where it does not. */
export function shortfallOf<Wish>(
  { covers, narrow, lacks }: Property<Wish>,
  { runs, asked, visits }: Searched,
  { gaps }: Profile,
): string | undefined {
  if (runs < asked) return `the target is too slow: ${runs} of ${asked} runs in the time for them`;
  // After a departure that is left to other cases a run judges no more.
  if (narrow === true && visits.onFlows < ENOUGH_VISITS)
    return `only ${visits.onFlows} requests about flows could be judged: other departures came before`;
  const lacking = lacks?.(visits);
  if (lacking !== undefined) return lacking;
  const empty = covers === true ? nearlyEmpty(visits, gaps) : [];
  return empty.length > 0 ? `too seldom tried: ${empty.join(", ")}` : undefined;
}

/** `at`: the names of the profile and the target, for the replay file. */
export function failureOf(
  property: string,
  found: Found,
  { seed }: Depth,
  at: Pick<ReplayFile, "profile" | "target">,
): StoryFailure {
  const { run, first, shrunk, again, stopped } = found;
  const from = `seed ${seed}, run ${run}`;
  if (again !== undefined) return flaky(from, first, again);
  const broken = shrunk?.broken ?? first;
  const { clause, expected, actual } = broken.finding;
  const replay: ReplayFile = {
    format: REPLAY_FORMAT,
    property,
    clause,
    expected,
    actual,
    seed,
    run,
    ...at,
    steps: [...broken.story],
  };
  const note = stopped === undefined ? from : `${from}; fewer requests may do: ${stopped}`;
  const story: StoryReport = { lines: [note, ...linesOf(broken)], requests: requestsOf(broken.story), replay };
  return new StoryFailure(expected, actual, story, evidence(broken));
}

/** What is wrong with a target that does not do the same again. */
export const answeredOtherwise = { expected: "the same answers to the same requests", actual: "other answers" };

/** Both stories, and nothing that pretends to know which requests it takes. */
function flaky(from: string, first: Broken, again: Broken["answers"]): StoryFailure {
  const lines = [
    `${from}: the same requests were answered otherwise the second time`,
    ...linesOf(first),
    "     the second time",
    ...again.map((answer, index) => `${String(index + 1).padStart(3)}. -> ${answer ?? "sent"}`),
  ];
  const story = { lines, requests: requestsOf(first.story) };
  return new StoryFailure(answeredOtherwise.expected, answeredOtherwise.actual, story, evidence(first));
}

const evidence = ({ exchange }: Broken) => (exchange === undefined ? [] : [exchange]);
