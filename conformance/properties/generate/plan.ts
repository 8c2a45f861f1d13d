/** How an intent becomes steps: a flow in the state that it names is found or brought there, then the action is sent. */
import { columnOf, isEnded, type Column } from "../../interface/flow-model.ts";
import type { Reference, RouteName, SendStep, Step } from "../../story/story.ts";
import { ways } from "../../oracle/flow-factors.ts";
import { flowsOfSession, type KnownFlow, type World } from "../../oracle/world.ts";
import { asProfiled, creationOf, readOf, sendOf } from "../../oracle/flow-requests.ts";
import type { Intent } from "./intents.ts";

/** The steps of an intent. Each is made when the one before is answered. */
export function* planIntent(world: World, intent: Intent): Generator<Step> {
  yield* once(world, intent);
  // The second refusal may be another one.
  if (intent.revision !== "current" && intent.nth % 2 === 0) yield* once(world, intent);
}

function* once(world: World, intent: Intent): Generator<Step> {
  const { action, route, more, nth } = intent;
  if (action === "pass") yield { do: "pass", ms: 20 * intent.by };
  else if (action === "list_flows" || action === "find_latest_flow") yield readOf(world, action, "", route);
  else if (action === "create_flow") {
    yield { do: "send", route, as: newName(world), body: { action, ...asProfiled(more, world.fields) } };
  } else if (action === "settle") yield* settleTask(world, intent);
  else if (action === "cycle") yield* cycle(world, intent);
  else if (action === "tie") yield* tie(world, intent);
  else {
    const { name, steps } = bring(world, intent);
    yield* steps;
    if (action === "look" || nth % 4 === 0) yield look(world, name, intent, route);
    if (action === "look") return;
    yield sendOf(world, action, name, { route, more, revision: revisionFor(name, intent) });
    if (intent.looks) yield look(world, name, intent);
  }
}

const isStill = ({ state }: KnownFlow): boolean => !isEnded(state) && !state.pending && !state.asked;
/** The requests that bring an idle flow (no child, no cancellation) into a state. */
const waysInto = (column: Column) =>
  column === "cancel-pending" ? [{ action: "run_task" } as const, ...ways[column]] : ways[column];

/** A flow for the state, and the steps that bring it there first. */
function bring(world: World, { column, nth }: Pick<Intent, "column" | "nth">): { name: string; steps: Step[] } {
  const own = flowsOfSession(world, "home");
  const there = own.filter(({ state }) => columnOf(state) === column);
  const chosen = there[nth % Math.max(1, there.length)];
  if (chosen !== undefined) return { name: chosen.name, steps: [] };
  const still = own.filter((flow) => isStill(flow) && flow.state.active === 0);
  // Now and then a new flow.
  const from = column === "new" || nth % 3 === 0 ? undefined : still[nth % Math.max(1, still.length)];
  const name = from?.name ?? newName(world);
  const created = from ? [] : [creationOf(name)];
  return {
    name,
    steps: [...created, ...waysInto(column).map(({ action, more = {} }) => sendOf(world, action, name, { more }))],
  };
}

const newName = ({ flows }: World): string => `f${flows.size + 1}`;

/** What is sent as the flow's revision; undefined for none. */
function revisionFor(name: string, { revision: at, by, as }: Intent): Reference | undefined {
  if (at === "missing") return undefined;
  if (at === "odd") return { $revision: name, at: "current", ...(as !== undefined && { as }) };
  return { $revision: name, at, ...(at !== "current" && { by }) };
}

const looks = ["get_flow", "get_task_summary", "resolve_flow"] as const;

/** Looks at a flow, in another way each time. */
function look(world: World, name: string, { by, looksBy }: Intent, route: RouteName = "route"): SendStep {
  return readOf(world, looksBy ?? looks[by % looks.length] ?? "get_flow", name, route);
}

/** One flow waits and is resumed again and again: some targets forget a flow's data only after a while. */
function* cycle(world: World, intent: Intent): Generator<Step> {
  const { by, route, nth } = intent;
  const { name, steps } = bring(world, { column: "waiting", nth });
  yield* steps;
  for (let turn = 0; turn < by; turn += 1) {
    if (turn > 0) yield sendOf(world, "set_waiting", name, { route, more: { stateJson: turn } });
    yield sendOf(world, "resume_flow", name, { route });
  }
  yield look(world, name, intent, route);
  yield readOf(world, "list_flows", "", route);
}

/** Two flows of which neither was created last are changed within one moment, then find_latest_flow is sent. */
function* tie(world: World, { route, nth }: Intent): Generator<Step> {
  const stillThere = () => flowsOfSession(world, "home").filter(isStill);
  for (let missing = 3 - stillThere().length; missing > 0; missing -= 1) yield creationOf(newName(world));
  const still = stillThere();
  const start = nth % Math.max(1, still.length - 2);
  yield { do: "pass", ms: 20 };
  for (const { name } of still.slice(start, start + 2)) yield sendOf(world, "set_waiting", name, { route });
  yield readOf(world, "find_latest_flow", "", route);
}

/** The end of a child task; of one whose flow waits for it, where there is one. */
function* settleTask(world: World, { nth }: Intent): Generator<Step> {
  const having = [...world.flows.values()].filter(({ taskIds }) => taskIds.some((id) => id !== undefined));
  const waiting = having.filter(({ state }) => state.pending);
  const from = waiting.length > 0 && nth % 2 === 0 ? waiting : having;
  const flow = from[nth % Math.max(1, from.length)];
  if (flow === undefined) return;
  const task = flow.taskIds.findIndex((taskId) => taskId !== undefined);
  yield { do: "settle", flow: flow.name, task, status: "succeeded" };
  yield readOf(world, "get_flow", flow.name);
}
