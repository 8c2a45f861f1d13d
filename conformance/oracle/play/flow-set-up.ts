/** Brings a flow into a state, with children, by requests that are judged like any other. */
import { NotApplicable } from "../../harness/case-errors.ts";
import type { FlowView } from "../../harness/checks.ts";
import { SETTLING_MS } from "../../harness/flows.ts";
import { columnOf, isEnded, type Column, type FlowState } from "../../interface/flow-model.ts";
import type { RouteName, Step } from "../../story/story.ts";
import { keyForms, keyRule, type KeyForm } from "../forms.ts";
import { departure } from "../../harness/finding.ts";
import { childrenOf, isActive, ways, type Child } from "../flow-factors.ts";
import { creationOf, readOf, sendOf, type Fields } from "../flow-requests.ts";
import { COMPANION, type Play } from "./flow-rows.ts";
import type { KnownFlow } from "../world.ts";

/** Two changes this far apart have two time stamps, ms. */
export const APART_MS = 20;

export interface Wanted {
  readonly state: string;
  /** A name of the table of children; none if absent. */
  readonly children?: string;
  readonly goal?: string;
  /** What it is given when it is told to wait, where the target takes that. */
  readonly holding?: Fields;
  readonly changes?: number;
}

type Way = (typeof ways)[Column][number];

/** States in which a flow takes a child and stays in its state. */
const takesChildren: readonly string[] = ["new", "waiting", "blocked", "resumed"] satisfies Column[];

/** Makes the flow of this name. Not applicable where the target has no way into its state. */
export async function bring(play: Play, name: string, wanted: Wanted): Promise<void> {
  const { state, children = "none", goal, holding, changes = 0 } = wanted;
  if (play.isPaired && isActive(children) && name !== COMPANION) await bring(play, COMPANION, wanted);
  await createNamed(play, name, "route", goal === undefined ? {} : { goal });
  for (let index = 0; index < changes; index += 1)
    await change(play, name, { action: index % 2 === 0 ? "set_waiting" : "resume_flow" });
  const all = childrenOf(children);
  const isLate = (child: Child) => child.isLate === true && takesChildren.includes(state);
  const start = async (some: readonly Child[]) => {
    for (const { more, isOver } of some) await startChild(play, name, more, isOver === true);
  };
  await start(all.filter((child) => !isLate(child)));
  for (const way of ways[state as Column]) await go(play, name, way, holding);
  await start(all.filter(isLate));
  if (columnOf(namedFlow(play, name).state) !== state)
    throw new NotApplicable(`no flow could be brought into the state ${state}`);
  if (isActive(children) && namedFlow(play, name).state.active === 0) throw new NotApplicable("no child stays active");
}

async function go(play: Play, name: string, way: Way, holding: Fields = {}): Promise<void> {
  const { state: was, view } = namedFlow(play, name);
  if (way.action === "set_waiting" && Object.keys(holding).length > 0)
    await play.send(sendOf(play.world, way.action, name, { more: { ...holding, ...way.more } }));
  if (namedFlow(play, name).state === was) await change(play, name, way);
  if (way.action === "cancel_flow") await mustBeOver(play, name, was, view);
}

export async function createNamed(
  play: Play,
  name: string,
  route: RouteName = "route",
  more: Fields = {},
): Promise<void> {
  const step = creationOf(name, route);
  await play.send({ ...step, body: { ...step.body, ...(more as typeof step.body) } });
  if (!play.world.flows.has(name)) throw new NotApplicable("the session refuses more flows");
}

export function namedFlow({ world }: Play, name: string): KnownFlow {
  const flow = world.flows.get(name);
  if (flow === undefined) throw new NotApplicable("no flow could be created");
  return flow;
}

/** Learns whether the target takes a right run_task with this key, on a flow of its own. */
export async function learnKey(play: Play, form: KeyForm, runtime: string, key: Fields): Promise<void> {
  if (play.world.learned.get(keyRule(form, runtime)) !== undefined) return;
  await createNamed(play, "f9");
  await play.send(sendOf(play.world, "run_task", "f9", { more: { runtime, ...key } }));
}

/** Learns with which key the target takes a run_task of this runtime, on a flow of its own. */
export async function learnRuntime(play: Play, runtime: string): Promise<void> {
  if (keyForms.some((form) => play.world.learned.get(keyRule(form, runtime)) === "yes")) return;
  await createNamed(play, "f8");
  await startChild(play, "f8", { runtime }, false);
}

async function startChild(play: Play, name: string, more: Fields, isOver: boolean): Promise<void> {
  const flow = namedFlow(play, name);
  const { tasks } = flow.state;
  // Whether a key is wanted, and which, is open: after a refusal another form is sent.
  for (let tries = 0; tries < keyForms.length && flow.state.tasks === tasks; tries += 1)
    await play.send(sendOf(play.world, "run_task", name, { more }));
  if (flow.state.tasks === tasks) throw new NotApplicable("the target refuses a run_task of this form");
  if (!isOver) return;
  // A target that keeps the first answer, if only until the flow changes, shows the child as active still.
  const read = readOf(play.world, "get_task_summary", name);
  await play.send(read, { do: "settle", flow: name, task: flow.taskIds.length - 1, status: "succeeded" }, read);
}

/** A change as set-up: once more after a conflict, as a child that ends may have changed the flow. */
async function change(play: Play, name: string, { action, more = {} }: Way): Promise<void> {
  const flow = namedFlow(play, name);
  for (let tries = 0; tries < 2; tries += 1) {
    const { state } = flow;
    await play.send(sendOf(play.world, action, name, { more }));
    if (flow.state !== state) return;
    await play.send(readOf(play.world, "get_flow", name));
  }
}

/** After a cancellation that waits for nothing a flow comes to show another status than it did before, if it shows one. */
export async function mustBeOver(play: Play, name: string, was: FlowState, view?: FlowView): Promise<void> {
  const flow = namedFlow(play, name);
  const before = view?.["status"];
  if (flow.state.phase !== "cancelled" || before === undefined || isEnded(was)) return;
  const isOver = async () => {
    if ((flow.view?.["status"] ?? before) !== before) return true;
    flow.view = undefined;
    await play.send(readOf(play.world, "get_flow", name));
    return flow.view?.["status"] !== before;
  };
  if (!(await play.trial.until(isOver, SETTLING_MS, 120)))
    play.depart(departure("STATE-CANCEL", "a cancelled flow with another status", "the status from before"));
}

/** Time passes, so that what comes next is later. */
export const apart: Step = { do: "pass", ms: APART_MS };
