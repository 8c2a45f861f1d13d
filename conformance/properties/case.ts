/** A property as a case of the suite. */
import type { Case } from "../case.ts";
import { NotApplicable, StoryFailure, Unreached } from "../findings.ts";
import type { StoryReport } from "../result.ts";
import { REQUESTS_PER_WINDOW } from "../target/lanes.ts";
import type { Trial } from "../trial.ts";
import { SHRINK_MS } from "./confirm.ts";
import { httpExecutors } from "./http-executor.ts";
import type { Broken } from "./player.ts";
import type { Property } from "./property.ts";
import { REPLAY_FORMAT, type ReplayFile } from "./replay-file.ts";
import { search, SEARCH_MS, type Depth, type Found } from "./search.ts";
import { linesOf, requestsOf } from "./tell.ts";
import { nearlyEmpty } from "./visits.ts";

/** Told to whoever cannot be judged by properties. */
const ONE_ADDRESS = "the target takes all client addresses for one: a minute's requests are too few for a property";

export function propertyCase<Wish>(property: Property<Wish>, depth: Depth): Case {
  const { id, title, clauses, covers, reading } = property;
  return {
    id,
    title,
    clauses,
    level: "must",
    alone: true,
    costly: true,
    needs: ["addresses", ...(property.needs ?? [])],
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW,
    longestMs: SEARCH_MS + SHRINK_MS,
    ...(reading !== undefined && { reading }),
    async run(trial) {
      if (!trial.toldApart) throw new NotApplicable(ONE_ADDRESS);
      const { profile, signal } = trial;
      const executor = httpExecutors(trial);
      const { found, visits, runs, asked } = await search(property, { profile, executor, depth, signal });
      if (covers === true) trial.visits = visits.table();
      if (found !== undefined) throw failureOf(id, found, depth, trial);
      if (runs < asked) throw new Unreached(`the target is too slow: ${runs} of ${asked} runs in the time for them`);
      const empty = covers === true ? nearlyEmpty(visits, profile.gaps) : [];
      if (empty.length > 0) throw new Unreached(`too seldom tried: ${empty.join(", ")}`);
    },
  };
}

function failureOf(property: string, found: Found, { seed }: Depth, trial: Trial): StoryFailure {
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
    profile: trial.profile.name,
    target: trial.instance.target.name,
    steps: [...broken.story],
  };
  const note = stopped === undefined ? from : `${from}; fewer requests may do: ${stopped}`;
  const story: StoryReport = { lines: [note, ...linesOf(broken)], requests: requestsOf(broken.story), replay };
  return new StoryFailure(expected, actual, story, evidence(broken));
}

/** Both stories, and nothing that pretends to know which requests it takes. */
function flaky(from: string, first: Broken, again: Broken["answers"]): StoryFailure {
  const lines = [
    `${from}: the same requests were answered otherwise the second time`,
    ...linesOf(first),
    "     the second time",
    ...again.map((answer, index) => `${String(index + 1).padStart(3)}. -> ${answer ?? "sent"}`),
  ];
  const story = { lines, requests: requestsOf(first.story) };
  return new StoryFailure("the same answers to the same requests", "other answers", story, evidence(first));
}

const evidence = ({ exchange }: Broken) => (exchange === undefined ? [] : [exchange]);
