/** The judge: what the interface says of a request and its response, by what is known of the target. */
import type { ClauseId } from "../interface/clauses/index.ts";
import { insteadOfFlow, type FlowView } from "../harness/checks.ts";
import { steady } from "../harness/open-values.ts";
import { actions, type ActionName } from "../interface/fields.ts";
import { flowActions, type FlowAction } from "../interface/flow-model.ts";
import { departure, type Departure } from "../harness/finding.ts";
import { flowStatusFault } from "./flow-states.ts";
import { seenChanged } from "./flow-views.ts";
import { isFormTaken } from "./forms.ts";
import { judgeOperation } from "./operations.ts";
import { judgeRead } from "./reads.ts";
import type { Learned } from "./learned.ts";
import { isRefusal, printOf, shapeFault, revisionAndStatus, type Response, type Sent } from "./response.ts";
import { taskVerdict } from "./task-rules.ts";
import { addFlow, flowIn, isForeign, openFlowsOf, sessionOf, type KnownFlow, type World } from "./world.ts";

/** The clauses that a story of flows may show broken. */
export const flowClauses = [
  "STATE-CREATE",
  "STATE-SET-WAITING",
  "STATE-RESUME",
  "STATE-RESUME-ONLY",
  "STATE-FINISH",
  "STATE-FAIL",
  "STATE-REQUEST-CANCEL",
  "STATE-CANCEL",
  "STATE-CANCEL-PENDING",
  "REVISION-ADVANCES",
  "REVISION-UNCHANGED",
  "ACTION-GET-FLOW",
  "ACTION-LIST-FLOWS",
  "ACTION-FIND-LATEST-FLOW",
  "ACTION-RESOLVE-FLOW",
  "ACTION-GET-TASK-SUMMARY",
  "ACTION-RUN-TASK",
  "SESSION-BOUND",
  "SESSION-WHOLE",
  "CONFIG-CONTROLLER",
  "ERROR-INVALID",
  "FLOW-IDENTITY",
] as const satisfies readonly ClauseId[];

/** Those of a case about flows: its own first, of which it tells best. */
export const withFlowClauses = (...own: readonly ClauseId[]): readonly ClauseId[] => [
  ...new Set([...own, ...flowClauses]),
];

/** Open flows that every session has to have room for; whether it takes more is open. */
const FEWEST_FLOWS = 30;

const createFields = new Set(["action", "goal", "status", "notifyPolicy"]);
const isFlowAction = (action: string): action is FlowAction => (flowActions as readonly string[]).includes(action);

/** Judges a response and updates the world by it; undefined where it shows no departure. */
export function judgeResponse(world: World, sent: Sent, response: Response): Departure | undefined {
  return shapeFault(sent, response) ?? foreignView(world, sent, response) ?? judgeAction(world, sent, response);
}

function judgeAction(world: World, sent: Sent, response: Response): Departure | undefined {
  const { action } = sent.body;
  if (typeof action !== "string" || !Object.hasOwn(actions, action)) return undefined;
  if (action === "create_flow") return judgeCreation(world, sent, response);
  const flow = flowIn(world, sent.body);
  if (!isFlowAction(action)) return judgeRead(world, action as ActionName, flow, sent, response);
  if (flow === undefined || flow.session !== sessionOf(sent.step.route)) {
    const rule = action === "run_task" ? taskVerdict(sent.body, world.gaps) : undefined;
    // The fields are wrong and the flow does not exist: either may be the reason of the refusal.
    const wrong = flow === undefined && rule?.kind === "wrong" && response.code === "invalid_request";
    const isOpen = flow === undefined && !response.accepted && !isFormTaken(world, action, sent.body);
    return wrong || isOpen ? undefined : absent(action, flow, "expectedRevision" in sent.body, world.learned, response);
  }
  return judgeOperation({ world, action, flow, sent, response });
}

/** `isRevised`: the request had a revision. `learned`: the target's own rules. */
function absent(
  action: string,
  flow: KnownFlow | undefined,
  isRevised: boolean,
  learned: Learned,
  response: Response,
): Departure | undefined {
  const what = flow === undefined ? "a flow that does not exist" : "a flow of another session";
  const clause = flow === undefined ? "ERROR-NOT-FOUND" : "SESSION-BOUND";
  if (response.accepted) return departure(clause, `${action} of ${what} refused`, printOf(response));
  const isConflict = String(response.code === "revision_conflict");
  // A conflict for some revisions only would tell a stranger the revision of another session's flow.
  if (flow !== undefined && isRevised && !learned.holds(`${action} of a foreign flow is a conflict`, isConflict))
    return departure(clause, "the same whatever revision is sent", printOf(response));
  if (response.code === "not_found" || response.code === "invalid_request") return undefined;
  return flow === undefined ? departure(clause, "the code not_found", printOf(response)) : undefined;
}

/** A goal this long does not occur in an answer by chance, characters. */
const TELLING = 30;

export function foreignView(world: World, { step: { route } }: Sent, response: Response): Departure | undefined {
  const { views, text } = response;
  const others = [...world.flows.values()].filter(({ session }) => session !== sessionOf(route));
  const goals = others.map(({ expected }) => expected.get("goal")).filter((goal) => String(goal).length >= TELLING);
  if (goals.some((goal) => text.includes(String(goal))))
    return departure("SESSION-BOUND", "nothing of a flow of another session", "its goal");
  const isStray = views.some(({ flowId }) => isForeign(world, sessionOf(route), flowId));
  return isStray
    ? departure("SESSION-BOUND", "flows of the route's own session only", "a flow of another session")
    : undefined;
}

function judgeCreation(world: World, sent: Sent, response: Response): Departure | undefined {
  if (world.failing.includes("create")) {
    return response.accepted
      ? departure("ERROR-PERSIST", "a refusal: nothing can be stored", printOf(response))
      : undefined;
  }
  if (!response.accepted) {
    return mayBeRefused(world, sent, response)
      ? undefined
      : departure("STATE-CREATE", "create_flow accepted", printOf(response));
  }
  const [view] = response.views;
  if (view === undefined)
    return departure(
      "FLOW-IDENTITY",
      "a flow with flowId and integer revision in the result",
      insteadOfFlow(response.exchange),
    );
  if (world.owners.has(view.flowId))
    return departure("FLOW-IDENTITY", "a flowId that no other flow has", "one that is taken");
  return newFlowFault(world, sent, view);
}

/** A target may refuse fields that the interface does not give, odd goals, and more flows than it has room for. */
function mayBeRefused(world: World, sent: Sent, response: Response): boolean {
  if (!isRefusal(response) || response.status === 401 || response.status >= 500) return false;
  const open = Object.keys(sent.body).filter((field) => !createFields.has(field));
  const odd = oddGoal(sent.body["goal"]);
  const openToTarget = [...open.toSorted(), ...(odd === undefined ? [] : [odd])];
  if (openToTarget.length > 0 && world.learned.holds(`takes create_flow with ${openToTarget.join(", ")}`, "no"))
    return true;
  return response.code !== "invalid_request" && openFlowsOf(world, sessionOf(sent.step.route)) >= FEWEST_FLOWS;
}

function newFlowFault(world: World, sent: Sent, view: FlowView): Departure | undefined {
  const clause = "STATE-CREATE";
  const flow = addFlow(world, view, sent);
  const { controllerId } = view;
  // Any other field may be the one that overrides it.
  const isPlain = Object.keys(sent.body).every((field) => createFields.has(field));
  if (isPlain && typeof controllerId === "string" && controllerId !== sent.route.controllerId)
    return departure("CONFIG-CONTROLLER", "the controllerId of its route", "another one");
  const [shown, where] = [revisionAndStatus(view).showsStatus, "after create_flow"];
  const wrong = flowStatusFault(flow.state, shown, world.gaps, clause, where);
  if (wrong !== undefined) return wrong;
  // Of the statuses that the interface does not name, only that of a new flow has to be the same for every flow.
  if (shown !== undefined && flow.state.phase === "begun" && !world.learned.holds("status of a new flow", shown))
    return departure(clause, "the status that other new flows had", `${steady(shown, "another status")} ${where}`);
  return seenChanged(view, { action: "create_flow", clause, sent: sent.body, to: flow.state }, flow.expected, world);
}

/** A plain goal is one line of letters, digits and signs of up to a few hundred characters; others a target may refuse. */
function oddGoal(goal: unknown): string | undefined {
  if (typeof goal !== "string") return undefined;
  if (goal.length > PLAIN_LENGTH) return "a long goal";
  return /^[\x20-\x7e]*$/.test(goal) && !/[<>{}\\"$%`;]/.test(goal) ? undefined : `the goal ${JSON.stringify(goal)}`;
}

const PLAIN_LENGTH = 200;
