/** Judges the actions that change a flow or add a task to it: each must have a lawful outcome of the model and show its effects. */
import { isJsonText, isShownAs, taskIdIn, type FlowView } from "../harness/checks.ts";
import {
  columnOf,
  isEnded,
  outcomesOf,
  type Allowed,
  type FlowAction,
  type Operation,
} from "../interface/flow-model.ts";
import { faultOf, revisionOf, unlawful } from "./answers.ts";
import { keyFormFor, keyForms, keyRule, type KeyForm } from "./child-key.ts";
import { departure, type Departure } from "./departure.ts";
import { seenAgain, seenChanged, statusOf, unseenChange, unseenChildren } from "./flow-views.ts";
import { WITHOUT_REVISION } from "./flow-requests.ts";
import { hasOddRevision, mustRefuseRevision } from "./odd-revisions.ts";
import { isRefusal, printOf, type Response, type Sent } from "./response.ts";
import { adopt, learnSign, unchanged, updatePhase } from "./seen.ts";
import { shownOtherwise, taskVerdict } from "./task-rules.ts";
import { isLoose, outdate, type KnownFlow, type World } from "./world.ts";

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
  const { body, at } = sent;
  const column = columnOf(flow.state);
  if (action === "run_task") flow.taskRefused = !response.accepted;
  const { blockedSummary } = world.fields;
  const { gaps } = world;
  if (hasOddRevision(action, body)) {
    const ifRight = outcomesOf(flow.state, { action, revision: "current" }, gaps).filter((one) => !isConflict(one));
    return mustRefuseRevision(body["expectedRevision"], ifRight, response) ?? unchanged(world, flow, action, response);
  }
  const revision = revisionOf(flow, body["expectedRevision"]);
  if (revision === undefined || revision === "current") world.visits.add(action, column);
  const blocking = action === "set_waiting" && typeof body[blockedSummary] === "string";
  const rule = action === "run_task" ? taskVerdict(withoutKnownKey(world, body), gaps) : { kind: "right" as const };
  const operation: Operation = {
    action,
    blocking,
    ...(action === "set_waiting" && { repeats: isThere(flow, body, blocking) }),
    ...(revision && { revision }),
    ...(rule.kind === "wrong" && { wrong: rule }),
    ...(rule.kind === "open" && { open: rule.deviations }),
  };
  const allowed = outcomesOf(flow.state, operation, gaps);
  const fault = faultOf(action);
  if (world.failing.includes(fault) && allowed.some((one) => one.accepted)) {
    world.visits.note(NOT_STORED);
    return response.accepted
      ? departure("ERROR-PERSIST", "a refusal: nothing can be stored", printOf(response))
      : unchanged(world, flow, action, response);
  }
  // Where the key may be the reason too, nothing is said of the fields.
  const isKeyTaken = world.learned.get(keyRule(keyFormOf(world, body) ?? "", body["runtime"])) === "yes";
  const isStated = rule.kind === "wrong" && rule.clause !== "ERROR-INVALID" && (response.accepted || isKeyTaken);
  const mayBeKey = rule.kind !== "right" && !isFormTaken(world, action, body) && isClientError(response);
  const mayBeItsState = outcomesOf(flow.state, { action }, gaps).some((one) => !one.accepted);
  const sentAs = { body, isTelling: rule.kind === "right" && !mayBeItsState && isTelling(action, flow), mayBeItsState };
  if (!isStated && (mayBeKey || isNotTaken(world, action, sentAs, allowed, response)))
    return refusedEver(world, action, body, response) ?? unchanged(world, flow, action, response);
  const amiss = action === "cancel_flow" && response.accepted ? pendingAmiss(world, flow, response) : undefined;
  if (amiss !== undefined) return amiss;
  const lawful = allowed.filter((one) => agrees(world, one, response));
  const shown = response.views.find(({ flowId }) => flowId === flow.flowId)?.["status"];
  const outcome = lawful.find(({ to }) => fits(to && statusOf(to, world), shown)) ?? lawful[0];
  if (outcome === undefined) return unlawful(action, column, allowed, response);
  if (!response.accepted) {
    const { stateData, waitData } = world.fields;
    flow.refusedData.push(...[body[stateData], body[waitData]].filter((value) => value !== undefined));
  }
  if (!response.accepted || outcome.to === undefined) return unchanged(world, flow, action, response);
  return changed(world, flow, { action, sent: body, at, outcome }, response);
}

const isClientError = ({ status }: Response): boolean => status >= 400 && status < 500 && status !== 401;

/** Whether the flow waits so already, and all that is sent with set_waiting is there: then nothing may change. */
function isThere({ state, expected }: KnownFlow, body: Sent["body"], blocking: boolean): boolean {
  const { action: _action, flowId: _flowId, expectedRevision: _revision, ...given } = body;
  const isSame = Object.entries(given).every(
    ([field, value]) => value === null || isShownAs(value, expected.get(field)),
  );
  return isSame && state.phase === (blocking ? "blocked" : "waiting");
}

/** Texts of which a target may say that they are too long. */
const LONG_TEXT = 1000;

/** The JSON type of a value, or of the JSON that a text holds: a target may take data of one type only, or as a text. */
function formOf(value: unknown): string {
  if (typeof value !== "string") return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  if (value.length > LONG_TEXT) return "long text";
  return isJsonText(value) ? `text of ${formOf(JSON.parse(value))}` : "text";
}

/** The form of a run_task whose key may be wanted or unwanted; undefined for any other key, of which nothing is learned. */
function keyFormOf({ sessions }: World, { childSessionKey: key }: Sent["body"]): KeyForm | undefined {
  if (key === undefined) return keyForms[0];
  if (key === `${sessions.home}-child`) return keyForms[1];
  return key === sessions.home ? keyForms[2] : undefined;
}

/** Of a key of these forms it is learned apart whether the target takes it. */
function withoutKnownKey(world: World, body: Sent["body"]): Sent["body"] {
  const { childSessionKey: _key, ...others } = body;
  return keyFormOf(world, body) === undefined ? body : others;
}

/** Under which it is learned that the target takes fields whose names and forms are open; undefined where there are none. */
function ruleOf(world: World, action: string, body: Sent["body"]): string | undefined {
  const { stateData, waitData, blockedSummary } = world.fields;
  const form = action === "run_task" ? keyFormOf(world, body) : undefined;
  const open = ["currentStep", blockedSummary, stateData, waitData, ...(form === undefined ? ["childSessionKey"] : [])];
  const given = open.filter((field) => Object.hasOwn(body, field)).map((field) => `${field}: ${formOf(body[field])}`);
  if (action === "run_task")
    return keyRule([form, ...given].filter((part) => part !== undefined).join(", "), body["runtime"]);
  const revision = action === "cancel_flow" && "expectedRevision" in body ? " with a revision" : "";
  if (action === "cancel_flow" && given.length === 0) return `${WITHOUT_REVISION}${revision}`;
  return given.length === 0 ? undefined : `takes ${action}${revision} with ${given.join(", ")}`;
}

/** Whether a refusal says that the form is not taken: in a flow with a past, the flow may be why run_task or cancel_flow is refused. */
const isTelling = (action: string, { state }: KnownFlow): boolean =>
  (action !== "run_task" && action !== "cancel_flow") ||
  ((state.phase === "begun" || state.phase === "queued") && state.tasks === 0);

/** False of a request whose form the target has not taken yet: what that is refused with may have another reason. */
export function isFormTaken(world: World, action: string, body: Sent["body"]): boolean {
  const rule = ruleOf(world, action, body);
  return rule === undefined || world.learned.get(rule) === "yes";
}

/** True of a refusal for fields whose names and forms the interface does not give: it is not judged. */
function isNotTaken(
  world: World,
  action: string,
  { body, isTelling, mayBeItsState }: { readonly body: Sent["body"]; isTelling: boolean; mayBeItsState: boolean },
  allowed: readonly Allowed[],
  response: Response,
): boolean {
  const rule = ruleOf(world, action, body);
  if (rule === undefined) return false;
  // No profile says whether a task has to name its session, nor which; one that binds the code of a missing field names that.
  const missing = world.gaps["validation.missing-field"];
  const form = action === "run_task" ? keyFormOf(world, body) : undefined;
  const isNamed = form !== undefined && form !== keyForms[0];
  const isForKey = isNamed && !mayBeItsState && response.status >= 400 && response.status !== 401;
  const refused = !response.accepted && (isForKey || isForFields(action, allowed, response));
  const isKey = isForKey || (form !== undefined && response.code === missing);
  if (refused && (world.gaps["cancel.status"] === undefined || isKey)) {
    // Another field or the flow's state may be the reason as well: nothing is learned then.
    return isTelling ? world.learned.holds(rule, "no") : world.learned.get(rule) !== "yes";
  }
  if (response.accepted) world.learned.holds(rule, "yes");
  return false;
}

/** A run_task with nothing open but its key, of which the target has now refused every form. */
function refusedEver(
  { learned }: World,
  action: string,
  { runtime }: Sent["body"],
  response: Response,
): Departure | undefined {
  if (action !== "run_task" || keyFormFor(learned, runtime) !== undefined) return undefined;
  return departure("ACTION-RUN-TASK", "run_task accepted, with a childSessionKey or without", printOf(response));
}

const isConflict = ({ code }: Pick<Allowed, "code">): boolean => code === "revision_conflict";

/** Whether the fields may be why it was refused. Where the flow's state may be the reason too, the status decides. */
function isForFields(action: string, allowed: readonly Allowed[], { status, code }: Response): boolean {
  const mayBeItsState = allowed.some((one) => !one.accepted && !isConflict(one));
  if (mayBeItsState || !allowed.some((one) => one.accepted))
    return (status === 400 || status === 422) && code !== "revision_conflict";
  // The status and code of a refusal for a missing field are open, too.
  if (action === "cancel_flow" || action === "run_task") return status >= 400 && status !== 401;
  return [400, 409, 422].includes(status) && code !== "revision_conflict";
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

/** Whether the shown status may be this one; true where either is unknown. */
const fits = (status: string | undefined, shown: unknown): boolean =>
  status === undefined || typeof shown !== "string" || status === shown;

function agrees({ learned }: World, { accepted, status, code, learns }: Allowed, response: Response): boolean {
  if (accepted !== response.accepted) return false;
  if (status !== undefined && status !== response.status) return false;
  if (code !== undefined && code !== response.code) return false;
  if (!accepted && !isRefusal(response)) return false;
  // The code may depend on how the flow came into its state.
  return learns === undefined || learned.holds(learns, accepted ? "accepted" : "refused");
}

function changed(
  world: World,
  flow: KnownFlow,
  change: { action: string; sent: Readonly<Record<string, unknown>>; at: Sent["at"]; outcome: Allowed },
  response: Response,
): Departure | undefined {
  const { action, at, outcome, sent } = change;
  const view = response.views.find(({ flowId }) => flowId === flow.flowId);
  const { to = flow.state, clause } = outcome;
  const wasLoose = isLoose(world, flow);
  if (action === "cancel_flow") {
    // Whether cancel_flow of an ended flow does anything for its children is open.
    flow.mustHaveNoActive = flow.state.active > 0 && !isEnded(flow.state) && response.status !== 202;
    flow.isCancelled = to.phase === "cancelled";
  }
  if (action === "run_task") flow.mustHaveNoActive = false;
  flow.state = action === "set_waiting" && view?.["status"] === "waiting" ? { ...to, phase: "waiting" } : to;
  // A revision that has advanced is a change of the flow, also where it was free to stay; a child's creation may be none.
  const hasAdvanced = flow.revision !== undefined && view !== undefined && view.revision > flow.revision;
  const isUpdated = outcome.revision === "new" || (hasAdvanced && !wasLoose && action !== "run_task");
  flow.updated = isUpdated ? at : { ...flow.updated, to: at.to };
  if (action === "run_task") {
    world.visits.note(TASK);
    flow.taskIds.push(taskIdIn(response.envelope?.["result"]));
    flow.started.push(sent);
    const otherwise = shownOtherwise(world.learned, sent, response.envelope?.["result"]);
    if (otherwise !== undefined) return otherwise;
  }
  if (view === undefined) flow.unset = [];
  const wrong = revised(world, flow, outcome, view);
  if (wrong !== undefined) return wrong;
  // A task may change the flow's status, unless the profile says that it does not.
  if (action === "run_task" && outcome.revision === "any") unseenChildren(flow.expected, world.fields);
  else if (view === undefined) unseenChange(flow.expected);
  if (view === undefined) return undefined;
  if (action === "run_task") {
    updatePhase(world, flow, view);
    return seenAgain(view, "run_task", flow.expected, world, isLoose(world, flow));
  }
  if (action === "request_cancel") learnSign(world, flow, view);
  updatePhase(world, flow, view);
  return seenChanged(view, { action, clause, sent, to: flow.state }, flow.expected, world);
}

/** Judges the revision after an accepted request and updates the flow. */
function revised(
  world: World,
  flow: KnownFlow,
  { revision, clause: by }: Allowed,
  view: FlowView | undefined,
): Departure | undefined {
  const before = flow.revision;
  if (revision === "same") {
    const same = view === undefined || view.revision === before;
    return same ? undefined : departure("STATE-DEFAULTS", "the revision as it was", "another revision");
  }
  if (view === undefined) {
    outdate(flow, revision === "any");
    return undefined;
  }
  if (revision === "any" && view.revision === before) return undefined;
  // Of these only a profile says that they advance the revision.
  const isProfiles = by === "STATE-CANCEL" || by === "STATE-CANCEL-PENDING" || by === "STATE-REQUEST-CANCEL";
  const wrong = adopt(world, flow, view.revision);
  return wrong && isProfiles && view.revision === before ? { ...wrong, clause: "STATE-DEFAULTS" } : wrong;
}
