/** The requests about a flow, as steps of a story. */
import { createFlow, runTask } from "../interface/bodies.ts";
import type { ActionName } from "../interface/fields.ts";
import type { FlowAction } from "../interface/flow-model.ts";
import type { FieldNames } from "../interface/gaps.ts";
import type { Reference, RouteName, SendStep, Step } from "../story/story.ts";
import { keyFormFor, keyForms, WITHOUT_REVISION } from "./forms.ts";
import type { World } from "./world.ts";

export type Fields = Readonly<Record<string, unknown>>;
type Body = NonNullable<SendStep["body"]>;
/** What decides how a request is written: the field names of the profile, and the forms that the target requires. */
type Known = Pick<World, "fields" | "learned">;

interface How {
  readonly route?: RouteName;
  /** Fields beside the required ones, or in place of them. */
  readonly more?: Fields;
  /** The current one if absent; none at all if undefined. */
  readonly revision?: Reference | undefined;
}

/** The creation of a flow that the story calls `name`. */
export const creationOf = (name: string, route: RouteName = "route"): SendStep => ({
  do: "send",
  route,
  as: name,
  body: createFlow(`the flow ${name}`) as unknown as Body,
});

export function sendOf({ fields, learned }: Known, action: FlowAction, name: string, how: How = {}): SendStep {
  const { route = "route", more = {} } = how;
  const $flow = { $flow: name };
  const revision = "revision" in how ? how.revision : { $revision: name, at: "current" };
  const given = asProfiled(action === "run_task" ? withChildKey(learned, more) : more, fields);
  const isKnown = "revision" in how || learned.get(WITHOUT_REVISION) === "no";
  const body = {
    cancel_flow: { action, [fields.cancelFlowId]: $flow, ...(isKnown && revision && { expectedRevision: revision }) },
    run_task: { ...runTask(""), flowId: $flow },
  } as Partial<Record<FlowAction, object>>;
  const required = body[action] ?? { action, flowId: $flow, ...(revision && { expectedRevision: revision }) };
  return { do: "send", route, body: { ...required, ...given } as Body };
}

/** The fields of a run_task, with a childSessionKey for a target that has refused one without. */
function withChildKey(learned: World["learned"], more: Fields): Fields {
  const { runtime } = { ...runTask(""), ...more } as { readonly runtime?: unknown };
  const form = keyFormFor(learned, runtime) ?? keyForms[0];
  if (form === keyForms[0]) return more;
  return { childSessionKey: { $sessionKey: "route", ...(form === keyForms[1] && { as: "child" }) }, ...more };
}

/**
 * Where no response has shown a flow's revision, it is read before a step needs it. A cancellation that is accepted as if
 * no child were active any more is followed by the summary, which shows whether one is.
 */
export function* withReads(world: World, steps: Iterable<Step>): Generator<Step> {
  for (const step of steps) {
    const values = step.do === "send" ? Object.values(step.body ?? {}) : [];
    for (const value of values) {
      const { $revision: name = "" } = (typeof value === "object" && value !== null ? value : {}) as Reference;
      const flow = world.flows.get(name);
      if (flow !== undefined && flow.revision === undefined) yield readOf(world, "get_flow", name);
    }
    yield step;
    if (step.do !== "send" || step.body?.["action"] !== "cancel_flow") continue;
    for (const [name, flow] of world.flows) if (flow.mustHaveNoActive) yield readOf(world, "get_task_summary", name);
  }
}

export function readOf({ fields }: Known, action: ActionName, name: string, route: RouteName = "route"): SendStep {
  const $flow = { $flow: name };
  const id: Partial<Record<ActionName, object>> = {
    get_flow: { [fields.getFlowId]: $flow },
    resolve_flow: { [fields.resolveToken]: $flow },
    get_task_summary: { [fields.summaryFlowId]: $flow },
  };
  return { do: "send", route, body: { action, ...id[action] } };
}

/** Fields by the names that the profile gives them. */
export function asProfiled(more: Fields, fields: FieldNames): Fields {
  const names: Readonly<Record<string, string>> = {
    stateJson: fields.stateData,
    waitJson: fields.waitData,
    blockedSummary: fields.blockedSummary,
  };
  return Object.fromEntries(Object.entries(more).map(([name, value]) => [names[name] ?? name, value]));
}
