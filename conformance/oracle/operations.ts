/** Judges the actions that change a flow or add a task to it: each must have a lawful outcome of the model and show its effects. */
import { taskIdIn, type FlowView } from "../harness/checks.ts";
import { columnOf, outcomesOf, type Allowed, type FlowAction, type Operation } from "../interface/flow-model.ts";
import { faultOf, revisionOf, unlawful } from "./answers.ts";
import { noChildKey } from "./child-key.ts";
import { departure, type Departure } from "./departure.ts";
import { seenAgain, seenChanged, seenConstant, statusOf, unseenChange, unseenChildren } from "./flow-views.ts";
import { hasOddRevision, mustRefuseRevision } from "./odd-revisions.ts";
import { printOf, type Response, type Sent } from "./response.ts";
import { adopt, unchanged, updatePhase } from "./seen.ts";
import { taskVerdict } from "./task-rules.ts";
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
  const rule = action === "run_task" ? taskVerdict(body, gaps) : { kind: "right" as const };
  const operation: Operation = {
    action,
    blocking,
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
  if (isNotTaken(world, action, body, allowed, response)) return unchanged(world, flow, action, response);
  const lawful = allowed.filter((one) => agrees(world, one, response));
  const shown = response.views.find(({ flowId }) => flowId === flow.flowId)?.["status"];
  const outcome = lawful.find(({ to }) => fits(to && statusOf(to, world), shown)) ?? lawful[0];
  if (outcome === undefined) return unlawful(action, column, allowed, response);
  if (!response.accepted || outcome.to === undefined) return unchanged(world, flow, action, response);
  return changed(world, flow, { action, sent: body, at, outcome }, response);
}

/** The JSON type of a value, or of the JSON that a text holds: a target may take data of one type only, or as a text. */
function formOf(value: unknown): string {
  if (typeof value !== "string") return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  try {
    return `text of ${formOf(JSON.parse(value))}`;
  } catch {
    return "text";
  }
}

/** True of a refusal for fields whose names and forms the interface does not give: it is not judged. */
function isNotTaken(
  world: World,
  action: string,
  body: Sent["body"],
  allowed: readonly Allowed[],
  response: Response,
): boolean {
  const { stateData, waitData, blockedSummary } = world.fields;
  const open = ["childSessionKey", "currentStep", blockedSummary, stateData, waitData];
  const given = open.filter((field) => Object.hasOwn(body, field)).map((field) => `${field}: ${formOf(body[field])}`);
  if (action === "run_task")
    given.push(given.length === 0 ? noChildKey(body["runtime"]) : `runtime ${JSON.stringify(body["runtime"])}`);
  if (given.length === 0 && action !== "cancel_flow") return false;
  const form = "expectedRevision" in body ? " with a revision" : "";
  const refused = !response.accepted && isForFields(action, allowed, response);
  const key = `takes ${action}${form} with ${given.join(", ")}`;
  // No profile says whether a task has to name its session; one that binds the code of a missing field names that.
  const missing = world.gaps["validation.missing-field"];
  const lacksChild = action === "run_task" && key.endsWith(noChildKey(body["runtime"])) && response.code === missing;
  if (refused && (world.gaps["cancel.status"] === undefined || lacksChild)) return world.learned.holds(key, "no");
  if (response.accepted) world.learned.holds(key, "yes");
  return false;
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

/** Whether the shown status may be this one; true where either is unknown. */
const fits = (status: string | undefined, shown: unknown): boolean =>
  status === undefined || typeof shown !== "string" || status === shown;

function agrees({ learned }: World, { accepted, status, code, learns }: Allowed, response: Response): boolean {
  if (accepted !== response.accepted) return false;
  if (status !== undefined && status !== response.status) return false;
  if (code !== undefined && code !== response.code) return false;
  if (!accepted && response.status < 400) return false;
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
  flow.state = action === "set_waiting" && view?.["status"] === "waiting" ? { ...to, phase: "waiting" } : to;
  flow.updated = outcome.revision === "new" ? at : { ...flow.updated, to: at.to };
  if (action === "run_task") {
    world.visits.note(TASK);
    flow.taskIds.push(taskIdIn(response.envelope?.["result"]));
    if (sent["status"] !== "running") flow.allRunning = false;
  }
  const wrong = revised(world, flow, outcome.revision, view);
  if (wrong !== undefined) return wrong;
  // A task may change the flow's status, unless the profile says that it does not.
  if (action === "run_task" && outcome.revision === "any") unseenChildren(flow.expected, world.fields);
  else if (view === undefined) unseenChange(flow.expected);
  if (view === undefined) return undefined;
  if (action === "run_task") {
    updatePhase(world, flow, view);
    return isLoose(world, flow)
      ? seenConstant(view, "run_task", flow.expected)
      : seenAgain(view, "run_task", flow.expected, world);
  }
  updatePhase(world, flow, view);
  return seenChanged(view, { action, clause, sent, to: flow.state }, flow.expected, world);
}

/** Judges the revision after an accepted request and updates the flow. */
function revised(
  world: World,
  flow: KnownFlow,
  revision: Allowed["revision"],
  view: FlowView | undefined,
): Departure | undefined {
  const before = flow.revision;
  if (revision === "same") {
    const same = view === undefined || view.revision === before;
    return same ? undefined : departure("REVISION-ADVANCES", "the revision as it was", "another revision");
  }
  if (view === undefined) {
    outdate(flow, revision === "any");
    return undefined;
  }
  if (revision === "any" && view.revision === before) return undefined;
  return adopt(world, flow, view.revision);
}
