/** Judges the five reads: they show what the route's own session holds, and nothing else. */
import type { ActionName } from "../interface/fields.ts";
import { numberIn, partsIn } from "../harness/checks.ts";
import { actionClause } from "../interface/clauses/index.ts";
import { isEnded, mayChangeByItself, newFlow, type FlowState } from "../interface/flow-model.ts";
import type { RouteName } from "../story/story.ts";
import { departure, withValues, type Departure } from "../harness/finding.ts";
import { isRefusal, printOf, type Response, type Sent } from "./response.ts";
import { seen } from "./seen.ts";
import {
  flowsOfSession,
  flowWith,
  isForeign,
  isLoose,
  sessionOf,
  type KnownFlow,
  type SessionName,
  type World,
} from "./world.ts";

/** Changes less than this apart may have the same time stamp, ms. */
const SAME_MOMENT_MS = 10;
/** A shorter list counts as complete, not as a page. */
const SHORTEST_PAGE = 10;
/** Of flows that are missing so many are named. */
const MOST_NAMED = 3;

const EARLIER = "a flow that was updated earlier";

export function judgeRead(
  world: World,
  action: ActionName,
  named: KnownFlow | undefined,
  sent: Sent,
  response: Response,
): Departure | undefined {
  const { route } = sent.step;
  const own = named?.session === sessionOf(route) ? named : undefined;
  const refused = refusedFault(world, action, own, response);
  if (refused !== undefined || !response.accepted) return refused;
  for (const view of response.views) {
    const flow = flowWith(world, view.flowId);
    const wrong = flow && seen(world, flow, action, view);
    if (wrong !== undefined) return wrong;
  }
  if (action === "list_flows") return listed(world, sessionOf(route), response);
  if (action === "find_latest_flow") return latest(world, route, response);
  if (action === "get_task_summary") return own ? summed(world, own, response) : strangeSummary(world, named, response);
  return found(world, action, own, response);
}

/** A read is taken of each flow or of none: its fields are the profile's. Of a session without flows it may be refused. */
function refusedFault(
  { learned }: World,
  action: ActionName,
  own: KnownFlow | undefined,
  response: Response,
): Departure | undefined {
  const { accepted, status } = response;
  const isOfSession = action === "list_flows" || action === "find_latest_flow";
  const isClients = isRefusal(response) && status < 500;
  const isAbsent = own === undefined && !isOfSession;
  if (isAbsent && !accepted && !isClients) return departure("ABSENT-READ", "a refusal or nothing", printOf(response));
  if (isAbsent) return undefined;
  const isAsBefore = (accepted || isClients) && learned.holds(`takes ${action}`, accepted ? "yes" : "no");
  if (isAsBefore || (accepted && isOfSession)) return undefined;
  return accepted
    ? departure(actionClause(action), `${action} accepted of each flow`, "accepted, and refused of another flow")
    : departure(actionClause(action), `${action} accepted`, printOf(response));
}

/** The target may want the id or the token in another field than the profile's, and find nothing: then it finds none each time. */
export const isFoundAsBefore = ({ learned }: Pick<World, "learned">, action: ActionName, isShown: boolean): boolean =>
  learned.holds(findRule(action), isShown ? "yes" : "no");

/** Under which it is learned whether this read finds a flow at all. */
export const findRule = (action: ActionName): string => `${action} finds a flow by its id`;

function found(
  { learned }: World,
  action: ActionName,
  own: KnownFlow | undefined,
  { views }: Response,
): Departure | undefined {
  if (own === undefined && views.length > 0)
    return departure(actionClause(action), "no flow", "a flow that was not asked for");
  const isShown = views.some(({ flowId }) => flowId === own?.flowId);
  if (own === undefined || isFoundAsBefore({ learned }, action, isShown)) return undefined;
  return departure(actionClause(action), "the flow that was asked for", isShown ? "the flow" : "no flow");
}

function listed(world: World, session: SessionName, response: Response): Departure | undefined {
  const own = flowsOfSession(world, session);
  // A list may show ids only, and under any name.
  const result = response.envelope?.["result"];
  const parts = partsIn(result);
  const texts = new Set<unknown>(parts.flat());
  const named = parts.filter(([name]) => name === "flowId").map(([, value]) => value);
  const ids = named.length > 0 ? new Set(named) : texts;
  if ([...ids].some((id) => isForeign(world, session, id)))
    return departure("SESSION-BOUND", "flows of the route's own session only", "a flow of another session");
  const isShown = ({ flowId }: KnownFlow) => texts.has(flowId);
  const lists = parts.map(([, value]) => value).filter((value) => Array.isArray(value));
  if (lists.some((items) => own.some(({ flowId }) => isTwice(items, flowId))))
    return departure("ACTION-LIST-FLOWS", "each flow of the session once", "a flow twice");
  if (own.every(isShown)) return undefined;
  // A long list may be cut: then the oldest are missing, by creation or by their last change. Flows of earlier rows and
  // stories were created before; their last change is unknown, as is that of a flow that may change by itself.
  const byCreation = [...world.owners].filter(([, owner]) => owner === world.sessions[session]);
  const byChange = own
    .filter((flow) => !(isShown(flow) && isLoose(world, flow)))
    .toSorted((a, b) => a.updated.from - b.updated.from);
  const isOldestLeft = isCut(byCreation.map(([flowId]) => texts.has(flowId))) || isCut(byChange.map(isShown));
  const cut = ids.size >= SHORTEST_PAGE && isOldestLeft;
  if (cut) return undefined;
  const missing = own.filter((flow) => !isShown(flow)).map(({ name }) => name);
  const what = missing.length > MOST_NAMED ? "many flows are missing" : `without ${missing.join(", ")}`;
  return { ...departure("ACTION-LIST-FLOWS", "every flow of the session", "a flow is missing"), seen: { what } };
}

/** True where only the oldest flows are missing. */
const isCut = (shown: readonly boolean[]): boolean => shown.lastIndexOf(false) < shown.indexOf(true);

function latest(world: World, route: RouteName, response: Response): Departure | undefined {
  const own = flowsOfSession(world, sessionOf(route));
  if (own.length === 0) return undefined;
  const last = Math.max(...own.map(({ updated }) => updated.from));
  const [view] = response.views;
  const flow = view && own.find(({ flowId }) => flowId === view.flowId);
  if (flow === undefined) {
    // Flows of earlier stories were updated before this one began, unless a cancellation or a child of theirs has ended since.
    const mayBeLater = [{ asked: true }, { active: 1 }].some((of) =>
      mayChangeByItself({ ...newFlow("begun"), ...of }, world.gaps),
    );
    const stray = view && `${view.flowId} ${view.revision}`;
    if (stray !== undefined && mayBeLater && !world.strays.has(stray)) return void world.strays.add(stray);
    const actual = view === undefined ? "no flow" : EARLIER;
    return departure("ACTION-FIND-LATEST-FLOW", "find_latest_flow: the flow updated last", actual);
  }
  if (flow.updated.to > last - SAME_MOMENT_MS || isLoose(world, flow)) return undefined;
  return departure("ACTION-FIND-LATEST-FLOW", "find_latest_flow: the flow updated last", EARLIER);
}

/** A flow that the session does not have is not summed up, not even as one without tasks. */
function strangeSummary({ learned }: World, named: KnownFlow | undefined, response: Response): Departure | undefined {
  const total = numberIn(response.envelope?.["result"], "total");
  if (total === undefined || learned.get(countRule("total")) !== "yes") return undefined;
  const clause = named === undefined ? "ERROR-NOT-FOUND" : "SESSION-BOUND";
  return departure(clause, "not_found or nothing, as of a flow that does not exist", `a summary (total ${total})`);
}

/** Key in `learned`: whether this number of a summary counts tasks. */
export const countRule = (name: string): string => `the summary's ${name} counts tasks`;

/** The shape of a summary is open; where its first `total` counts the tasks, later ones have to. */
function summed(world: World, flow: KnownFlow, response: Response): Departure | undefined {
  const { state, started, mustHaveNoActive } = flow;
  const shown = (name: string) => numberIn(response.envelope?.["result"], name);
  if (mustHaveNoActive && (shown("active") ?? 0) > 0)
    return departure("STATE-CANCEL-PENDING", "cancel_flow answered with 202, as a child is active", "another 2xx");
  if (shown("total") === undefined && state.tasks > 0 && world.learned.get(countRule("total")) === "yes")
    return departure("ACTION-GET-TASK-SUMMARY", "total: the flow's tasks", "no total");
  const total = countFault(world, flow, "total", shown("total"));
  // Whether a child that does not run yet is active is open, and so is when those of a cancelled flow end.
  const isSure = state.phase !== "cancelled" && !state.asked && !state.pending;
  if (total !== undefined || !isSure || started.some(({ status }) => status !== "running")) return total;
  return countFault(world, flow, "active", shown("active"));
}

/** The counts of a summary: what they have to be, and whether one tells that it counts tasks. */
const counts = {
  /** 0 without tasks, or the right number, shows that it counts tasks. */
  total: {
    rightOf: ({ tasks }: FlowState) => tasks,
    isSign: (right: number, shown: number) => right === 0 || shown === right,
  },
  /** 0 without active tasks shows nothing. */
  active: { rightOf: ({ active }: FlowState) => active, isSign: (right: number) => right > 0 },
} as const;

function countFault(
  world: World,
  flow: KnownFlow,
  name: keyof typeof counts,
  shown: number | undefined,
): Departure | undefined {
  if (shown === undefined) return undefined;
  const right = counts[name].rightOf(flow.state);
  const hasEnded = isEnded(flow.state);
  const isRight = shown === right;
  if (counts[name].isSign(right, shown) && !hasEnded) world.learned.holds(countRule(name), isRight ? "yes" : "no");
  if (isRight || world.learned.get(countRule(name)) !== "yes") return undefined;
  // Active tasks may have ended by themselves, or with their flow.
  if (name === "active" && shown < right && (hasEnded || isLoose(world, flow))) return undefined;
  const found =
    flow.taskRefused && shown > right
      ? departure("ACTION-RUN-TASK", "no task of a run_task that was refused", `another number (${name})`)
      : departure("ACTION-GET-TASK-SUMMARY", `${name}: the flow's tasks`, "another number");
  return withValues(found, name, right, shown);
}

/** Whether two items of a list are this flow, as views or as ids; tasks name their flow, too. */
function isTwice(items: readonly unknown[], flowId: string): boolean {
  const isIt = (item: unknown) => {
    const { flowId: shown, taskId } = (item ?? {}) as { flowId?: unknown; taskId?: unknown };
    return item === flowId || (shown === flowId && taskId === undefined);
  };
  return items.filter(isIt).length > 1;
}
