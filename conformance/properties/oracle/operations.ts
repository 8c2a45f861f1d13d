/** Judges the actions that change a flow or add a task to it: one of the model's lawful outcomes, and its traces. */
import { taskIdIn, type FlowView } from "../../harness/checks.ts";
import { columnOf, outcomesOf, type Allowed, type FlowAction, type Operation } from "../../interface/flow-model.ts";
import { faultOf, revisionOf, unlawful } from "./answers.ts";
import { noChildKey } from "./child-key.ts";
import { departure, type Departure } from "./departure.ts";
import { seenAgain, seenChanged, seenConstant, statusOf, unseenChange, unseenChildren } from "./flow-views.ts";
import { hasOddRevision, mustRefuseRevision } from "./odd-revisions.ts";
import { printOf, type Response, type Sent } from "./response.ts";
import { adopt, unchanged, updatePhase } from "./seen.ts";
import { taskVerdict } from "./task-rules.ts";
import { isLoose, outdate, type KnownFlow, type World } from "./world.ts";

/** What is counted of accepted run_tasks. */
export const TASK = "task";
/** What is counted of requests that could not be stored. */
export const NOT_STORED = "not stored";

/** Judges the answer to a change or a task of a flow of the route's own session, and takes in what it tells. */
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

/** The JSON kind of a value, or of what a text holds: a target may take state data of one kind only, or as a text of JSON. */
function formOf(value: unknown): string {
  if (typeof value !== "string") return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  try {
    return `text of ${formOf(JSON.parse(value))}`;
  } catch {
    return "text";
  }
}

/** The interface gives no names or forms for these fields, so a refusal for their sake says nothing. */
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
  if (refused && world.gaps["cancel.status"] === undefined) return world.learned.holds(key, "no");
  if (response.accepted) world.learned.holds(key, "yes");
  return false;
}

const isConflict = ({ code }: Pick<Allowed, "code">): boolean => code === "revision_conflict";

/** Whether a refusal may be one of the fields. One for the flow's state, where that may be, is told apart by its status. */
function isForFields(action: string, allowed: readonly Allowed[], { status, code }: Response): boolean {
  const mayBeItsState = allowed.some((one) => !one.accepted && !isConflict(one));
  if (mayBeItsState || !allowed.some((one) => one.accepted))
    return (status === 400 || status === 422) && code !== "revision_conflict";
  // With which status and code a request without what the target wants is refused is open, too.
  if (action === "cancel_flow" || action === "run_task") return status >= 400 && status !== 401;
  return [400, 409, 422].includes(status) && code !== "revision_conflict";
}

/** Whether a state of this status may be what is shown; where either is not told, it may. */
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
  // A task may set its flow going; only a profile says that it leaves it as it was.
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

/** Takes in the revision after an accepted request. */
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
