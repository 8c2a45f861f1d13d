/** A story that showed a departure, for people: numbered requests with their responses. */
import { StoryFailure } from "../harness/case-errors.ts";
import type { ToldStep } from "../harness/outcome.ts";
import { sentenceOf } from "../story/sentences.ts";
import type { Step } from "../story/story.ts";
import type { Broken } from "./broken.ts";

/** The failure of a story that is told as it was played. */
export function failureOfStory(broken: Broken): StoryFailure {
  const { departure, story } = broken;
  const told = { steps: stepsOf(broken), requests: requestsOf(story) };
  return new StoryFailure(departure.expected, departure.actual, told, evidenceOf(broken));
}

/** Requests beside the flows' creation, which is set-up. */
export function requestsOf(story: readonly Step[]): number {
  const sends = story.flatMap((step) => (step.do === "together" ? step.sends : step.do === "send" ? [step] : []));
  return sends.filter(({ body }) => body?.["action"] !== "create_flow").length;
}

export function stepsOf({ story, answers }: Pick<Broken, "story" | "answers">): ToldStep[] {
  return story.map((step, index) => ({ ...tell(step), answers: answers[index] ?? [] }));
}

function tell(step: Step): Pick<ToldStep, "what" | "action"> {
  if (step.do === "together") {
    const side = step.width === undefined ? "" : `, ${step.width} at a time`;
    return { what: `${step.sends.length} requests at once${side}` };
  }
  const action = step.do === "send" ? step.body?.["action"] : undefined;
  return { what: sentenceOf(step), ...(typeof action === "string" && { action }) };
}

export const evidenceOf = ({ exchange }: Broken) => (exchange === undefined ? [] : [exchange]);
