/** Judges the actions that change a flow or add a task to it: each must have a lawful outcome of the model and show its effects. */
import { isShownAs, taskIdIn, type FlowView } from "../harness/checks.ts";
import { columnOf, isEnded, outcomesOf, type Allowed, type FlowAction } from "../interface/flow-model.ts";
import { actionClause } from "../interface/clauses/index.ts";
import type { PersistenceFault } from "../targets/control.ts";
import { departure, type Departure } from "../harness/finding.ts";
import { agrees, outcome, refused, waysOf, type FlowOperation, type Way } from "./flow-states.ts";
import { seenAgain, seenChanged, unseenChange, unseenChildren } from "./flow-views.ts";
import { isConflict, isForForm, refusedEver, withoutKnownKey } from "./forms.ts";
import { hasOddRevision, mustRefuseRevision } from "./odd-revisions.ts";
import { answerOf, printOf, type Response, type Sent } from "./response.ts";
import { narrow, signsIn, unchanged } from "./seen.ts";
import { shownOtherwise, takenOver, taskVerdict, type TaskVerdict } from "./task-rules.ts";
import { isLoose, type KnownFlow, type World } from "./world.ts";

/** A request for an action on a flow of the route's own session, and its answer. */
interface Operated {
  readonly world: World;
  readonly action: FlowAction;
  readonly flow: KnownFlow;
  readonly sent: Sent;
  readonly response: Response;
}

/** Judges the response to a change or a run_task, and updates the flow. */
export function judgeOperation(one: Operated): Departure | undefined {
  const { world, action, flow, sent, response } = one;
  if (action === "run_task") flow.taskRefused = !response.accepted;
  const wrong = hasOddRevision(action, sent.body) ? oddRevisionFault(one) : answerFault(one);
  // Nothing was applied: the response must show the flow unchanged.
  return wrong ?? (response.accepted ? undefined : unchanged(world, flow, action, response));
}

function oddRevisionFault({ world, action, flow, sent, response }: Operated): Departure | undefined {
  const ifRight = outcomesOf(flow.state, { action, revision: "current" }, world.gaps);
  const allowed = ifRight.filter((one) => !isConflict(one));
  return mustRefuseRevision(sent.body["expectedRevision"], allowed, response);
}

/** What is wrong with the status and the code of the response, and with what the response to an applied change shows. */
function answerFault(one: Operated): Departure | undefined {
  const { world, action, flow, sent, response } = one;
  const { body } = sent;
  const { accepted } = response;
  const column = columnOf(flow.state);
  const verdict: TaskVerdict =
    action === "run_task" ? taskVerdict(withoutKnownKey(world, body), world.gaps) : { kind: "right" };
  const operation = operationOf(one, verdict);
  const ways = waysOf(flow.states, operation, world.gaps);
  const allowed = ways.map((way) => way.allowed);
  if (world.failing.includes(faultOf(action)) && allowed.some((way) => way.accepted)) {
    world.met.add("what could not be stored");
    return accepted ? departure("ERROR-PERSIST", "a refusal: nothing can be stored", printOf(response)) : undefined;
  }
  if (isForForm(world, flow, { action, body, verdict, allowed }, response))
    return refusedEver(world, action, body, response);
  const amiss = action === "cancel_flow" && accepted ? pendingAmiss(world, flow, response) : undefined;
  if (amiss !== undefined) return amiss;
  const lawful = ways.filter((way) => agrees(way.allowed, operation) && isByRule(world, flow, way));
  const [first] = lawful;
  if (first === undefined)
    return unlawful(`${action}${revisionSent(one)} on a ${column} flow`, action, allowed, response);
  if (accepted) return changed(one, operation, [first, ...lawful]);
  const { stateData, waitData } = world.fields;
  flow.refusedData.push(...[body[stateData], body[waitData]].filter((value) => value !== undefined));
  const left = lawful.map(({ state }) => refused(state, operation));
  return narrow(flow, left, flow.view);
}

/** How the revision stands to the flow's own, where it may be the reason; a zero may have been taken for none. */
function revisionSent({ flow, sent: { body }, response }: Operated): string {
  const { expectedRevision: sent } = body;
  if (typeof sent !== "number" || flow.revision === undefined) return "";
  if (sent !== flow.revision) return ` with ${sent < flow.revision ? "an earlier" : "a later"} revision`;
  return sent === 0 && !response.accepted ? " with revision 0" : "";
}

function unlawful(what: string, action: string, allowed: readonly Allowed[], response: Response): Departure {
  const wanted = allowed.map(({ accepted, status, code, learns }) => {
    const as = [status, code].filter((part) => part !== undefined).join(" ");
    const way = accepted ? "accepted" : "refused";
    return `${way}${as === "" ? "" : ` (${as})`}${learns === undefined ? "" : " as the times before"}`;
  });
  const isAlike = ({ accepted, status = response.status }: Allowed) =>
    accepted === response.accepted && status === response.status;
  // Of two right answers that say the same, the one with more detail is told.
  const told = [...new Set(wanted)].filter((one, _, all) => !all.some((other) => other.startsWith(`${one} (`)));
  const alike = allowed.find((one) => isAlike(one) && one.codeClause !== undefined);
  const clause = alike?.codeClause ?? allowed[0]?.clause ?? actionClause(action);
  return departure(clause, `${what} ${told.join(" or ")}`, printOf(response));
}

export const faultOf = (action: string): PersistenceFault =>
  action === "run_task" ? "task" : action === "cancel_flow" ? "cancel" : "update";

/** The request with its answer, as the model takes it. */
function operationOf({ world, action, flow, sent: { body }, response }: Operated, verdict: TaskVerdict): FlowOperation {
  const { expectedRevision: revision } = body;
  return {
    ...answerOf(response, flow.flowId),
    action,
    ...(typeof revision === "number" && { sent: revision, isUnseen: !flow.revisions.has(revision) }),
    blocking: action === "set_waiting" && typeof body[world.fields.blockedSummary] === "string",
    repeats: isThere(flow, body),
    ...(verdict.kind === "wrong" && { wrong: verdict }),
    ...(verdict.kind === "open" && { open: verdict.deviations }),
  };
}

/** Whether the target has answered so before, where the interface is silent. A flow in one of several states makes no rule. */
function isByRule({ learned }: World, { states }: KnownFlow, { allowed: { learns, accepted } }: Way): boolean {
  if (learns === undefined) return true;
  const rule = accepted ? "accepted" : "refused";
  return states.length === 1 ? learned.holds(learns, rule) : (learned.get(learns) ?? rule) === rule;
}

/** Whether the flow has all that this set_waiting sends: then a target may apply it without a change. */
function isThere({ expected }: KnownFlow, body: Sent["body"]): boolean {
  const { action: _action, flowId: _flowId, expectedRevision: _revision, ...given } = body;
  return Object.entries(given).every(([field, value]) => value === null || isShownAs(value, expected.get(field)));
}

/**
 * 202 says that children are still active (section 3): no flow is waited for that never had any, and where the children of one
 * flow are, so are those of another that were started alike.
 */
function pendingAmiss(world: World, flow: KnownFlow, response: Response): Departure | undefined {
  const { state, started } = flow;
  const isPending = response.status === 202;
  const amiss = (expected: string) => departure("STATE-CANCEL-PENDING", expected, printOf(response));
  if (state.tasks === 0) return isPending ? amiss("a 2xx other than 202, as the flow has no child") : undefined;
  if (state.active === 0 || isEnded(state) || state.asked || state.pending || isLoose(world, flow)) return undefined;
  const kinds = started.map(({ runtime, status, childSessionKey }) => [runtime, status, typeof childSessionKey].join());
  const rule = `cancel_flow waits for children: ${[...new Set(kinds)].toSorted().join("; ")}`;
  const isAlike = world.learned.holds(rule, String(isPending));
  return isAlike
    ? undefined
    : amiss(`${isPending ? "a 2xx other than 202" : "202"}, as for other flows with such children`);
}

/** Judges what the answer to an applied change shows, and updates the flow by it. */
function changed(one: Operated, operation: FlowOperation, ways: readonly [Way, ...Way[]]): Departure | undefined {
  const { world, action, flow, sent, response } = one;
  const [{ allowed: change }] = ways;
  const view = response.views.find(({ flowId }) => flowId === flow.flowId);
  // A revision that has advanced is a change of the flow, also where it was free to stay; a child's creation may be none.
  const hasAdvanced = flow.revision !== undefined && view !== undefined && view.revision > flow.revision;
  const isUpdated = change.revision === "new" || (hasAdvanced && !isLoose(world, flow) && action !== "run_task");
  flow.updated = isUpdated ? sent.at : { ...flow.updated, to: sent.at.to };
  const left = ways.flatMap((way) => outcome(way, operation, world.gaps));
  return effects[action]?.(one, view, hasAdvanced) ?? narrow(flow, left, view) ?? fieldsFault(one, change, view);
}

function fieldsFault(
  { world, action, flow: { expected, state: to }, sent }: Operated,
  { revision, clause }: Way["allowed"],
  view: FlowView | undefined,
): Departure | undefined {
  // A task may change the flow's status, unless the profile says that it does not.
  if (action === "run_task" && revision === "any") unseenChildren(expected, world.fields);
  else if (view === undefined) unseenChange(expected);
  if (view === undefined) return undefined;
  if (action === "run_task") return seenAgain(view, "run_task", { expected, state: to }, world);
  return seenChanged(view, { action, clause, sent: sent.body, to }, expected, world);
}

type Effect = (one: Operated, view: FlowView | undefined, hasAdvanced: boolean) => Departure | undefined;

const effects: Readonly<Partial<Record<FlowAction, Effect>>> = {
  // Whether cancel_flow of an ended flow does anything for its children is open.
  cancel_flow({ flow, response: { status } }) {
    flow.mustHaveNoActive = flow.state.active > 0 && !isEnded(flow.state) && status !== 202;
    return undefined;
  },

  run_task({ world, flow, sent: { body }, response: { envelope } }) {
    flow.mustHaveNoActive = false;
    flow.taskIds.push(taskIdIn(envelope?.["result"]));
    flow.started.push(body);
    const result = envelope?.["result"];
    return shownOtherwise(world.learned, body, result) ?? takenOver(world.learned, flow.started, result);
  },

  /** Whether a first request_cancel advances the revision is open, but it does so in every state or in none. */
  request_cancel({ world, flow }, view, hasAdvanced) {
    if (view === undefined) return undefined;
    for (const { rule } of signsIn(flow, view)) world.shows.add(rule);
    const { asked, pending, dirty, active } = flow.state;
    const isSure = flow.states.length === 1 && !isLoose(world, flow) && !isEnded(flow.state);
    if (!isSure || asked || pending || dirty || active > 0) return undefined;
    if (world.learned.holds("request_cancel advances the revision", String(hasAdvanced))) return undefined;
    const [expected, actual] = hasAdvanced ? ["the same", "another"] : ["another", "the same"];
    return departure("STATE-REQUEST-CANCEL", `${expected} revision, as of other flows`, `${actual} revision`);
  },
};
