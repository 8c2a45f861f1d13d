/** The judge: what the interface says of a request and its response, by what is known of the target. */
import { actions, type ActionName } from "../interface/fields.ts";
import { flowActions, type FlowAction } from "../interface/flow-model.ts";
import { absent, shapeFault, mustRefuse, spoiltBy } from "./answers.ts";
import { departure, type Departure } from "./departure.ts";
import { isJudged, seenChanged } from "./flow-views.ts";
import { judgeOperation } from "./operations.ts";
import { judgeRead } from "./reads.ts";
import { printOf, type Response, type Sent } from "./response.ts";
import { taskVerdict } from "./task-rules.ts";
import { addFlow, flowIn, isForeign, sessionOf, type World } from "./world.ts";

const createFields = new Set(["action", "goal", "status", "notifyPolicy"]);
const isFlowAction = (action: string): action is FlowAction => (flowActions as readonly string[]).includes(action);

/** Judges a response and updates the world by it; undefined where it shows no departure that counts. */
export function judge(world: World, sent: Sent, response: Response): Departure | undefined {
  const shape = shapeFault(sent, response);
  if (shape !== undefined && isJudged(world, shape.clause)) return shape;
  const found = foreignView(world, sent, response) ?? judgeAction(world, sent, response);
  if (found === undefined || isJudged(world, found.clause)) return found;
  world.isLost = true;
  return undefined;
}

function judgeAction(world: World, sent: Sent, response: Response): Departure | undefined {
  const { action } = sent.body;
  const spoilt = spoiltBy(sent);
  if (spoilt !== undefined) return mustRefuse(spoilt, response);
  if (typeof action !== "string" || !Object.hasOwn(actions, action)) return undefined;
  if (action === "create_flow") return judgeCreation(world, sent, response);
  const flow = flowIn(world, sent.body);
  if (!isFlowAction(action)) return judgeRead(world, action as ActionName, flow, sent, response);
  if (flow === undefined || flow.session !== sessionOf(sent.step.route)) {
    const rule = action === "run_task" ? taskVerdict(sent.body, world.gaps) : undefined;
    const wrong = flow === undefined && rule?.kind === "wrong" && !response.accepted;
    return wrong ? undefined : absent(action, flow, response);
  }
  return judgeOperation(world, action, flow, sent, response);
}

/** No response shows a flow of another session. */
function foreignView(world: World, { step: { route } }: Sent, { views }: Response): Departure | undefined {
  const isStray = views.some(({ flowId }) => isForeign(world, sessionOf(route), flowId));
  return isStray
    ? departure("SESSION-BOUND", "flows of the route's own session only", "a flow of another session")
    : undefined;
}

function judgeCreation(world: World, sent: Sent, response: Response): Departure | undefined {
  world.visits.add("create_flow", "session");
  const [view] = response.views;
  const clause = "STATE-CREATE";
  if (world.failing.includes("create")) {
    return response.accepted
      ? departure("ERROR-PERSIST", "a refusal: nothing can be stored", printOf(response))
      : undefined;
  }
  if (!response.accepted) {
    // A target may refuse fields that the interface does not give.
    const open = Object.keys(sent.body).filter((field) => !createFields.has(field));
    const refusal = open.length > 0 && response.status >= 400;
    if (refusal && world.learned.holds(`takes create_flow with ${open.toSorted().join(", ")}`, "no")) return undefined;
    return departure(clause, "create_flow accepted", printOf(response));
  }
  if (view === undefined) return departure("FLOW-IDENTITY", "a flow with flowId and revision in the result", "none");
  if (world.owners.has(view.flowId))
    return departure("FLOW-IDENTITY", "a flowId that no other flow has", "one that is taken");
  const flow = addFlow(world, view, sent);
  return seenChanged(view, { action: "create_flow", clause, sent: sent.body, to: flow.state }, flow.expected, world);
}
