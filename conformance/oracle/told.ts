/** A story that showed a departure, for people: numbered requests with their responses. */
import { Failure } from "../harness/case-errors.ts";
import type { Departure } from "../harness/finding.ts";
import type { StepAnswer, StoryReport, ToldStep } from "../harness/outcome.ts";
import type { Exchange } from "../http/exchange.ts";
import { sentenceOf } from "../story/sentences.ts";
import type { Step, Story } from "../story/story.ts";

/** A story up to the request that showed the departure. */
export interface Broken {
  readonly story: Story;
  readonly departure: Departure;
  /** The responses to each step, in order; a step that sends nothing has none. */
  readonly answers: readonly (readonly StepAnswer[])[];
  readonly exchange: Exchange | undefined;
}

/** The failure of a story. `departs`: replaces the expected and actual of its departure. */
export function failureOfStory(
  broken: Broken,
  more: Partial<StoryReport> = {},
  departs: Pick<Departure, "expected" | "actual"> = broken.departure,
): Failure {
  const { story: steps, exchange, departure } = broken;
  const story = { steps: toldSteps(broken), requests: requestsOf(steps), ...more };
  const exchanges = exchange === undefined ? [] : [exchange];
  return new Failure(departs.expected, departs.actual, exchanges, { ...departs, clause: departure.clause, story });
}

/** Requests beside the flows' creation, which is set-up. */
function requestsOf(story: readonly Step[]): number {
  const sends = story.flatMap((step) => (step.do === "together" ? step.sends : step.do === "send" ? [step] : []));
  return sends.filter(({ body }) => body?.["action"] !== "create_flow").length;
}

export function toldSteps({ story, answers }: Pick<Broken, "story" | "answers">): ToldStep[] {
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
