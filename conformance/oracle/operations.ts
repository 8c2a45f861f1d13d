/** Judges the actions that change a flow or add a task to it: each must have a lawful outcome of the model and show its effects. */
import { isShownAs, taskIdIn } from "../harness/checks.ts";
import { columnOf, isEnded, outcomesOf, type FlowAction } from "../interface/flow-model.ts";
import { faultOf, unlawful } from "./answers.ts";
import { departure, type Departure } from "./departure.ts";
import { agrees, outcome, waysOf, type FlowOperation, type Way } from "./flow-states.ts";
import { seenAgain, seenChanged, unseenChange, unseenChildren } from "./flow-views.ts";
import { isConflict, isForForm, refusedEver, withoutKnownKey } from "./forms.ts";
import { hasOddRevision, mustRefuseRevision } from "./odd-revisions.ts";
import { answerOf, printOf, type Response, type Sent } from "./response.ts";
import { narrow, signsIn, unchanged } from "./seen.ts";
import { shownOtherwise, taskVerdict } from "./task-rules.ts";
import { isLoose, type KnownFlow, type World } from "./world.ts";

/** Noted in `visits` for each accepted run_task. */
export const TASK = "task";
/** Noted in `visits` for each request that could not be stored. */
export const NOT_STORED = "not stored";

/** Judges the response to a change or a run_task of a flow of the route's own session, and updates the flow. */
export function judgeOperation(
  world: World,
  action: FlowAction,
  flow: KnownFlow,
  sent: Sent,
  response: Response,
): Departure | undefined {
  const { body } = sent;
  const { expectedRevision: revision } = body;
  const { gaps, visits, learned } = world;
  const column = columnOf(flow.state);
  if (action === "run_task") flow.taskRefused = !response.accepted;
  if (hasOddRevision(action, body)) {
    const ifRight = outcomesOf(flow.state, { action, revision: "current" }, gaps).filter((one) => !isConflict(one));
    return mustRefuseRevision(revision, ifRight, response) ?? unchanged(world, flow, action, response);
  }
  const verdict = action === "run_task" ? taskVerdict(withoutKnownKey(world, body), gaps) : { kind: "right" as const };
  const operation: FlowOperation = {
    ...answerOf(response, flow.flowId),
    action,
    ...(typeof revision === "number" && { sent: revision, isUnseen: !flow.revisions.has(revision) }),
    blocking: action === "set_waiting" && typeof body[world.fields.blockedSummary] === "string",
    repeats: isThere(flow, body),
    ...(verdict.kind === "wrong" && { wrong: verdict }),
    ...(verdict.kind === "open" && { open: verdict.deviations }),
  };
  if (revision === undefined || revision === flow.revision) visits.add(action, column);
  const ways = waysOf(flow.states, operation, gaps);
  const allowed = ways.map((way) => way.allowed);
  if (world.failing.includes(faultOf(action)) && allowed.some((one) => one.accepted)) {
    visits.note(NOT_STORED);
    return response.accepted
      ? departure("ERROR-PERSIST", "a refusal: nothing can be stored", printOf(response))
      : unchanged(world, flow, action, response);
  }
  if (isForForm(world, flow, { action, body, verdict, allowed }, response))
    return refusedEver(world, action, body, response) ?? unchanged(world, flow, action, response);
  const amiss = action === "cancel_flow" && response.accepted ? pendingAmiss(world, flow, response) : undefined;
  if (amiss !== undefined) return amiss;
  // Of a flow that may be in several states an answer makes no rule.
  const isRule = flow.states.length === 1;
  const lawful = ways.filter(({ allowed: one }) => {
    if (!agrees(one, operation)) return false;
    const { learns, accepted } = one;
    const rule = accepted ? "accepted" : "refused";
    return learns === undefined || (isRule ? learned.holds(learns, rule) : (learned.get(learns) ?? rule) === rule);
  });
  const [first] = lawful;
  if (first === undefined) return unlawful(action, column, allowed, response);
  if (response.accepted) return changed(world, flow, sent, operation, [first, ...lawful], response);
  const { stateData, waitData } = world.fields;
  flow.refusedData.push(...[body[stateData], body[waitData]].filter((value) => value !== undefined));
  const left = lawful.map(({ state }) => state);
  return narrow(flow, left, flow.view) ?? unchanged(world, flow, action, response);
}

/** Whether all that is sent with set_waiting is there: then nothing may change. */
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
  if (state.tasks === 0) return isPending ? amiss("another 2xx, as the flow has no child") : undefined;
  if (state.active === 0 || isEnded(state) || state.asked || state.pending || isLoose(world, flow)) return undefined;
  const kinds = started.map(({ runtime, status, childSessionKey }) => [runtime, status, typeof childSessionKey].join());
  const rule = `cancel_flow waits for children: ${[...new Set(kinds)].toSorted().join("; ")}`;
  const isAlike = world.learned.holds(rule, String(isPending));
  return isAlike ? undefined : amiss(`${isPending ? "another 2xx" : "202"}, as for other flows with such children`);
}

/** Whether a first request_cancel advances the revision is open, but it does so in every state or in none. */
function cancelsAsBefore(world: World, flow: KnownFlow, hasAdvanced: boolean): boolean {
  const { asked, pending, dirty, active } = flow.state;
  const isSure = flow.states.length === 1 && !isLoose(world, flow) && !isEnded(flow.state);
  if (!isSure || asked || pending || dirty || active > 0) return true;
  return world.learned.holds("request_cancel advances the revision", String(hasAdvanced));
}

/** Judges what the answer to an applied change shows, and updates the flow by it. */
function changed(
  world: World,
  flow: KnownFlow,
  { body: sent, at }: Sent,
  operation: FlowOperation,
  ways: readonly [Way, ...Way[]],
  { status, envelope, views }: Response,
): Departure | undefined {
  const { action } = operation;
  const [{ allowed: change }] = ways;
  const view = views.find(({ flowId }) => flowId === flow.flowId);
  const { revision: before, expected } = flow;
  // Whether cancel_flow of an ended flow does anything for its children is open.
  if (action === "cancel_flow") flow.mustHaveNoActive = flow.state.active > 0 && !isEnded(flow.state) && status !== 202;
  // A revision that has advanced is a change of the flow, also where it was free to stay; a child's creation may be none.
  const hasAdvanced = before !== undefined && view !== undefined && view.revision > before;
  const isUpdated = change.revision === "new" || (hasAdvanced && !isLoose(world, flow) && action !== "run_task");
  flow.updated = isUpdated ? at : { ...flow.updated, to: at.to };
  if (action === "run_task") {
    world.visits.note(TASK);
    flow.mustHaveNoActive = false;
    flow.taskIds.push(taskIdIn(envelope?.["result"]));
    flow.started.push(sent);
    const otherwise = shownOtherwise(world.learned, sent, envelope?.["result"]);
    if (otherwise !== undefined) return otherwise;
  }
  if (action === "request_cancel" && view !== undefined) {
    for (const { rule } of signsIn(flow, view)) world.shows.add(rule);
    if (!cancelsAsBefore(world, flow, hasAdvanced)) {
      const [expected, actual] = hasAdvanced ? ["the same", "another"] : ["another", "the same"];
      return departure("STATE-REQUEST-CANCEL", `${expected} revision, as of other flows`, `${actual} revision`);
    }
  }
  const left = ways.flatMap((way) => outcome(way, operation, world.gaps));
  const wrong = narrow(flow, left, view);
  if (wrong !== undefined) return wrong;
  // A task may change the flow's status, unless the profile says that it does not.
  if (action === "run_task" && change.revision === "any") unseenChildren(expected, world.fields);
  else if (view === undefined) unseenChange(expected);
  if (view === undefined) return undefined;
  if (action === "run_task") return seenAgain(view, "run_task", flow, world);
  return seenChanged(view, { action, clause: change.clause, sent, to: flow.state }, expected, world);
}
