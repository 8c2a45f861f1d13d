/** A broken story for people, as the failure of its case: numbered requests with their responses. */
import { StoryFailure } from "../harness/case-errors.ts";
import type { StoryReport } from "../harness/result.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import { sentenceOf } from "../story/sentences.ts";
import type { Step } from "../story/story.ts";
import type { Broken } from "./oracle/broken.ts";
import type { Depth, Found } from "./search.ts";

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
  const broken = shrunk ?? first;
  const { clause, expected, actual } = broken.departure;
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
  return new StoryFailure(expected, actual, story, evidenceOf(broken));
}

/** The failure of a target that does not answer the same requests alike. */
export const answeredOtherwise = { expected: "the same answers to the same requests", actual: "other answers" };

/** Tells both stories whole: which requests it takes is unknown. */
function flaky(from: string, first: Broken, again: Broken["answers"]): StoryFailure {
  const lines = [
    `${from}: the same requests were answered otherwise the second time`,
    ...linesOf(first),
    "     the second time",
    ...again.map((answer, index) => `${String(index + 1).padStart(3)}. -> ${answer ?? "sent"}`),
  ];
  const story = { lines, requests: requestsOf(first.story) };
  return new StoryFailure(answeredOtherwise.expected, answeredOtherwise.actual, story, evidenceOf(first));
}

/** Requests beside the flows' creation, which is set-up; the same one many times or held many times counts as one. */
export function requestsOf(story: readonly Step[]): number {
  const held = story.filter((step) => step.do === "hold").length;
  const sends = story.flatMap((step) => (step.do === "together" ? step.sends : step.do === "send" ? [step] : []));
  return held + sends.filter(({ body }) => body?.["action"] !== "create_flow").length;
}

/** A line for each step and its answer, the last with what was expected. */
export function linesOf({ story, answers, departure }: Broken): string[] {
  const lines = story.map((step, index) => {
    const answer = answers[index];
    const last = index === story.length - 1;
    const here = last ? "   <- here" : "";
    const number = `${String(index + 1).padStart(3)}. `;
    if (step.do === "together" && answer !== undefined) {
      const side = step.width === undefined ? "" : `, ${step.width} at a time`;
      return [`${number}${step.sends.length} requests at once${side}${here}`, ...answer.split("\n")];
    }
    return [`${number}${sentenceOf(step)}${answer === undefined ? "" : ` -> ${answer}`}${here}`];
  });
  return [...lines.flat(), `     expected ${departure.expected}`, `     actual   ${departure.actual}`];
}

export const evidenceOf = ({ exchange }: Broken) => (exchange === undefined ? [] : [exchange]);
