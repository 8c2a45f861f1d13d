/** Judges a view of a flow (its revision, its state, its fields) and updates the flow by it. */
import { isShownAs, type FlowView } from "../harness/checks.ts";
import { isEnded, settle } from "../interface/flow-model.ts";
import { departure, type Departure } from "../harness/finding.ts";
import { read, statesIn, unseen, type State } from "./flow-states.ts";
import { isSameText, seenAgain, unseenChildren } from "./flow-views.ts";
import { revisionAndStatus, type Response, type TimeSpan } from "./response.ts";
import { isLoose, type KnownFlow, type World } from "./world.ts";

/** Judges a view of a flow that no request has changed since it was seen last. */
export function seen(world: World, flow: KnownFlow, kind: string, view: FlowView): Departure | undefined {
  const { field: sign } = signsIn(flow, view).find(({ rule }) => world.shows.has(rule)) ?? {};
  if (sign !== undefined && !isLoose(world, flow) && !flow.state.asked && !flow.state.pending && !isEnded(flow.state))
    return departure("REVISION-UNCHANGED", `${sign}: false, as before`, `${sign}: true in ${kind}`);
  const { stateData, waitData } = world.fields;
  const data = [stateData, waitData].find((field) => isLeftBehind(flow, field, view[field]));
  if (data !== undefined)
    return departure("REVISION-UNCHANGED", `no ${data} of a change that was refused`, `its ${data} in ${kind}`);
  if (isRevisedAlone(flow, view))
    return departure(
      "REVISION-ADVANCES",
      "the revision that the answer to request_cancel showed",
      `a later one in ${kind}`,
    );
  const left = flow.states.map((state) => read(state, revisionAndStatus(view), world.gaps, kind));
  const wrong = narrow(flow, left, view);
  // A departure from the profile is reported only where nothing else is wrong.
  if (wrong !== undefined) return (wrong.clause === "STATE-DEFAULTS" && seenAgain(view, kind, flow, world)) || wrong;
  if (isLoose(world, flow)) unseenChildren(flow.expected, world.fields);
  return seenAgain(view, kind, flow, world);
}

/** Keeps the states that an answer leaves; where it leaves none, says why. */
export function narrow(
  flow: KnownFlow,
  left: readonly (State | Departure)[],
  view: FlowView | undefined,
): Departure | undefined {
  const [first, ...others] = statesIn(left);
  if (first === undefined) return left.find((one) => "clause" in one);
  flow.states = [first, ...others];
  flow.view = view;
  if (view !== undefined) flow.revisions.add(view.revision);
  return undefined;
}

/** Keys in `learned` for the fields that a request_cancel has set: they show whether a later one was applied. */
export const signsIn = ({ view: last }: KnownFlow, view: FlowView): { field: string; rule: string }[] =>
  Object.keys(view)
    .filter((field) => view[field] === true && last?.[field] === false)
    .map((field) => ({ field, rule: `request_cancel sets ${field}` }));

/**
 * A flow that was asked to cancel may change by itself, but not in its revision alone: one whose last view says already that
 * it was asked has been shown with a revision from before.
 */
function isRevisedAlone({ state, view: last }: KnownFlow, view: FlowView): boolean {
  if (last === undefined || !state.asked || state.tasks > 0 || view.revision <= last.revision) return false;
  const both = Object.keys(last).filter((name) => Object.hasOwn(view, name) && !/^revision$|updated/i.test(name));
  const isShown = both.some((name) => /cancel/i.test(name) && Boolean(last[name]));
  return isShown && both.every((name) => isSameText(last[name], view[name]));
}

/** Data that a view shows though only a refused change has sent it. */
const isLeftBehind = ({ expected, refusedData }: KnownFlow, field: string, shown: unknown): boolean =>
  !expected.has(field) && (shown ?? undefined) !== undefined && refusedData.some((data) => isShownAs(data, shown));

/** Nothing was applied: the response must show the flow unchanged. */
export function unchanged(world: World, flow: KnownFlow, action: string, response: Response): Departure | undefined {
  const view = response.views.find(({ flowId }) => flowId === flow.flowId);
  return view && seen(world, flow, `the refusal of ${action}`, view);
}

/** A child task has ended: the next read shows what its flow is now. */
export function taskEnded(world: World, flow: KnownFlow, { to: at }: TimeSpan): void {
  const { gaps } = world;
  const ends = flow.states.flatMap((state) => settle(state.flow, gaps).map((end) => ({ state, ...end })));
  const left = ends.flatMap(({ state, to = state.flow, revision }) => unseen({ ...state, flow: to }, revision));
  narrow(flow, left, undefined);
  if (ends.every(({ revision }) => revision === "same")) return;
  flow.updated = { from: flow.updated.from, to: at };
  // Where the profile says that this completes a cancellation, the next view shows it.
  const status = gaps["cancel.status"];
  if (flow.state.phase === "cancelled" && status !== undefined && flow.expected.has("status"))
    flow.expected.set("status", status);
  else unseenChildren(flow.expected, world.fields);
}
