/** Judges a view of a flow (its revision, its state, its fields) and updates the flow by it. */
import { isShownAs, type FlowView } from "../harness/checks.ts";
import { isEnded, settle } from "../interface/flow-model.ts";
import { departure, type Departure } from "./departure.ts";
import { seenAgain, statusOf, unseenChildren } from "./flow-views.ts";
import type { Response, TimeSpan } from "./response.ts";
import { isLoose, outdate, unsetIn, type KnownFlow, type World } from "./world.ts";

/** Judges a view of a flow that no request has changed since it was seen last. */
export function seen(world: World, flow: KnownFlow, kind: string, view: FlowView): Departure | undefined {
  const sign = flow.unset.find((field) => view[field] === true && world.shows.has(signOf(field)));
  updatePhase(world, flow, view);
  if (sign !== undefined && !isLoose(world, flow) && !flow.state.asked && !flow.state.pending && !isEnded(flow.state))
    return departure("REVISION-UNCHANGED", `${sign}: false, as before`, `${sign}: true in ${kind}`);
  const { stateData, waitData } = world.fields;
  const left = [stateData, waitData].find((field) => isLeftBehind(flow, field, view[field]));
  if (left !== undefined)
    return departure("REVISION-UNCHANGED", `no ${left} of a change that was refused`, `its ${left} in ${kind}`);
  if (isLoose(world, flow)) {
    const last = flow.revision ?? flow.past.at(-1);
    if (last !== undefined && view.revision < last)
      return departure("REVISION-ADVANCES", "a later revision", `an earlier one in ${kind}`);
    if (view.revision !== flow.revision) outdate(flow);
    flow.revision = view.revision;
    unseenChildren(flow.expected, world.fields);
    return seenAgain(view, kind, flow.expected, world, true);
  }
  if (flow.revision === undefined) {
    const wrong = adopt(world, flow, view.revision);
    if (wrong !== undefined) return wrong;
  }
  if (view.revision !== flow.revision) {
    return departure("REVISION-UNCHANGED", "the flow's revision", `another revision in ${kind}`);
  }
  return seenAgain(view, kind, flow.expected, world);
}

/** Under which it is known that views show by this field whether a cancellation is requested. */
const signOf = (field: string): string => `request_cancel sets ${field}`;

/** Takes the view after request_cancel: what it shows as true, where the flow's last view showed false, is its sign. */
export function learnSign({ shows }: World, { unset }: KnownFlow, view: FlowView): void {
  for (const field of unset) if (view[field] === true) shows.add(signOf(field));
}

/** Data that a view shows though only a refused change has sent it. */
const isLeftBehind = ({ expected, refusedData }: KnownFlow, field: string, shown: unknown): boolean =>
  !expected.has(field) && (shown ?? undefined) !== undefined && refusedData.some((data) => isShownAs(data, shown));

/** Nothing was applied: the response must show the flow unchanged. */
export function unchanged(world: World, flow: KnownFlow, action: string, response: Response): Departure | undefined {
  const view = response.views.find(({ flowId }) => flowId === flow.flowId);
  return view && seen(world, flow, `${action} ${response.accepted ? "accepted" : "refused"}`, view);
}

/** Records the flow's new revision, which the flow must not have had before. */
export function adopt(world: World, flow: KnownFlow, revision: number): Departure | undefined {
  if (flow.revision === undefined && flow.tentative === revision) {
    flow.past.pop();
    flow.revision = revision;
    return undefined;
  }
  if (flow.revision === revision || flow.past.includes(revision)) {
    return departure("REVISION-ADVANCES", "a revision that the flow did not have before", "an old revision");
  }
  const step = world.gaps["flow.revision-step"];
  const last = flow.revision ?? flow.past.at(-1);
  outdate(flow);
  flow.revision = revision;
  if (last !== undefined && revision < last)
    return departure("REVISION-ADVANCES", "a later revision", "an earlier one");
  // A cancellation may be two changes: that it is requested, and that it is done.
  const isCancelled = flow.state.phase === "cancelled" || flow.state.pending || isLoose(world, flow);
  const steps = step === undefined || last === undefined || isCancelled || revision === last + step;
  return steps ? undefined : departure("STATE-DEFAULTS", `the revision ${step} on`, "another one");
}

/** After a change by a child or a cancellation, the phase is known again once a view shows whether the flow waits. */
export function updatePhase(world: World, flow: KnownFlow, view: FlowView): void {
  const { status } = view;
  const { state } = flow;
  flow.lastStatus = status;
  flow.unset = unsetIn(view);
  if (!state.dirty) return;
  const settled = { ...state, dirty: false };
  if (status === "waiting" || status === "blocked") flow.state = { ...settled, phase: status };
  else if (typeof status === "string" && state.phase !== "waiting" && state.phase !== "blocked") {
    const usual = statusOf(settled, world);
    if (usual === undefined || usual === status) flow.state = settled;
  }
}

/** A child task has ended: the next read shows what its flow is now. */
export function taskEnded(world: World, flow: KnownFlow, at: TimeSpan): void {
  flow.unset = [];
  const [outcome, ...others] = settle(flow.state, world.gaps);
  if (outcome?.to === undefined) return;
  flow.state = outcome.to;
  if (others.length === 0 && outcome.revision === "same") return;
  flow.updated = { from: flow.updated.from, to: at.to };
  // Where the profile says that this completes a cancellation, the next view shows it.
  const { "cancel.status": status } = world.gaps;
  if (outcome.to.phase === "cancelled" && status !== undefined && flow.expected.has("status")) {
    flow.expected.set("status", status);
  } else unseenChildren(flow.expected, world.fields);
  outdate(flow, outcome.revision !== "new");
}
