/** A broken story for people, as the failure of its case: numbered requests with their responses. */
import type { Failure } from "../harness/case-errors.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import type { Broken } from "../oracle/told.ts";
import { failureOfStory, toldSteps } from "../oracle/told.ts";
import type { Found } from "./search.ts";

/** `at`: the names of the profile and the target, for the replay file. */
export function storyFailure(
  property: string,
  found: Found,
  seed: number,
  at: Pick<ReplayFile, "profile" | "target">,
): Failure {
  const { run, first, shrunk, again, stopped } = found;
  const from = `seed ${seed}, run ${run}`;
  if (again !== undefined) return flaky(from, first, again);
  const broken = shrunk ?? first;
  const of = { format: REPLAY_FORMAT, property, seed, run, ...at } as const;
  const { clause, expected, actual } = broken.departure;
  const replay: ReplayFile = { ...of, clause, expected, actual, steps: [...broken.story] };
  const note = stopped === undefined ? from : `${from}; fewer requests may do: ${stopped}`;
  return failureOfStory(broken, { note, replay });
}

/** The failure of a target that does not answer the same requests alike. */
const answeredOtherwise = { expected: "the same answers to the same requests", actual: "other answers" };

/** Tells both stories whole: which requests it takes is unknown. */
function flaky(from: string, first: Broken, again: Broken["answers"]): Failure {
  const note = `${from}: the same requests were answered otherwise the second time`;
  const steps = toldSteps(first).map((step, index) => ({ ...step, secondAnswers: again[index] ?? [] }));
  return failureOfStory(first, { note, steps }, answeredOtherwise);
}
