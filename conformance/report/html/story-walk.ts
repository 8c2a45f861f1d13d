/** Which states a flow went through in a story, up to the request that broke. */
import { flowActions } from "../../interface/flow-model.ts";
import type { ReportedResult } from "../report.ts";
import type { SendStep } from "../../story/story.ts";
import type { State } from "./state-arrows.ts";
import { storyLines } from "./story-lines.ts";

export interface Walk {
  /** In their order, without repeats in a row. */
  readonly visited: readonly State[];
  /** The state in which the last request was sent. */
  readonly at: State;
  readonly action: string;
}

/** Undefined where the story is not about one flow's states. */
export function walkOf(story: ReportedResult["story"]): Walk | undefined {
  const steps = story?.replay?.steps ?? [];
  const last = steps.at(-1);
  // Of several requests at once it is unknown which one is wrong.
  const end = last?.do === "together" && last.sends.length === 1 ? last.sends[0] : last;
  if (story === undefined || end?.do !== "send") return undefined;
  const action = end.body?.["action"];
  const flow = flowOf(end);
  if (flow === undefined || typeof action !== "string" || !(flowActions as readonly string[]).includes(action))
    return undefined;
  const lines = storyLines(story.lines);
  const visited: State[] = [];
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (step.do !== "send") continue;
    const { answer = "" } = lines.find(({ number }) => number === index + 1) ?? {};
    const next = answer.includes("ok:true") ? stateAfter(step, flow, answer) : undefined;
    if (next !== undefined && visited.at(-1) !== next) visited.push(next);
  }
  const at = visited.at(-1);
  return at === undefined ? undefined : { visited, at, action };
}

function flowOf({ body }: SendStep): string | undefined {
  const id = body?.["flowId"];
  return typeof id === "object" && id !== null && "$flow" in id && typeof id.$flow === "string" ? id.$flow : undefined;
}

function stateAfter(step: SendStep, flow: string, answer: string): State | undefined {
  if (step.as === flow) return "new";
  if (flowOf(step) !== flow) return undefined;
  const states: Readonly<Record<string, State>> = {
    // The one field of set_waiting that is about a block, whatever the profile calls it.
    set_waiting: Object.keys(step.body ?? {}).some((name) => /block/i.test(name)) ? "blocked" : "waiting",
    resume_flow: "resumed",
    finish_flow: "finished",
    fail_flow: "failed",
    request_cancel: "cancel asked",
    cancel_flow: answer.startsWith("202") ? "cancel pending" : "cancelled",
  };
  const action = step.body?.["action"];
  return typeof action === "string" && Object.hasOwn(states, action) ? states[action] : undefined;
}
