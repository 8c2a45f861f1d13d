/**
 * What a generator asks for, before it is known what the target will answer: an action on a flow in a wished state. The
 * plan finds such a flow or brings one there, so that most requests are lawful and every state is met.
 */
import * as fc from "fast-check";
import { createFlow, runTask } from "../../fixtures/bodies.ts";
import type { ActionName } from "../../fixtures/fields.ts";
import { columnOf, columns, isEnded, type Column, type FlowAction } from "../interface/flow-model.ts";
import type { FieldNames } from "../interface/gaps.ts";
import { withChildKey } from "./child-key.ts";
import type { Reference, RouteName, SendStep, Step } from "../story/story.ts";
import type { VisitColumn } from "./visits.ts";
import type { KnownFlow, World } from "./world.ts";

export type WishedAction =
  FlowAction | "create_flow" | "list_flows" | "find_latest_flow" | "settle" | "pass" | "look" | "cycle" | "tie";

export interface Wish {
  readonly action: WishedAction;
  readonly column: Column;
  /** Which of the flows in that state. */
  readonly nth: number;
  readonly route: RouteName;
  readonly revision: "current" | "stale" | "future" | "missing" | "odd";
  /** How many changes back, or how far ahead. */
  readonly by: number;
  /** What stands in place of an odd revision. */
  readonly as?: string;
  readonly more: Fields;
  /** The flow is looked at afterwards. */
  readonly looks: boolean;
  /** By which read; by the least used one if absent. */
  readonly looksBy?: "get_flow" | "get_task_summary";
}

export type Fields = Readonly<Record<string, unknown>>;
type Body = NonNullable<SendStep["body"]>;

/** Texts with everything that careless code trips over; no blanks at the ends, which a target may trim. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "plain",
    "$1 \\d+ [a-z]* (?=x)",
    '{"action":"list_flows"}',
    "null",
    "__proto__",
    "<b>&amp;%20",
    "\u202e\u00e9\u4e2d\ud83d\ude00",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).map((value) => `t${value.trim()}.`),
);

/** JSON values that every implementation keeps as they are. */
export const jsonData: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.boolean(),
  text,
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.record({ step: text, done: fc.boolean() }),
);

export const changing = ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const;
const flowActions: readonly FlowAction[] = [...changing, "cancel_flow", "run_task"];

/** Fields beside the required ones: none, or a few that are lawful. */
const fieldsOf: Partial<Record<WishedAction, fc.Arbitrary<Fields>>> = {
  create_flow: fc.oneof(fc.record({ goal: text }), fc.record({ goal: text, status: fc.constant("queued") })),
  set_waiting: fc.oneof(
    fc.record({ stateJson: jsonData, waitJson: jsonData }, { requiredKeys: [] }),
    fc.constant({ blockedSummary: "waits for somebody" }),
  ),
  run_task: fc.constantFrom<Fields>({}, { status: "running" }, { runtime: "acp" }),
};

/** Details of a wish for an action and a state. */
export function wishFor(action: WishedAction, column: Column, fixed: Partial<Wish> = {}): fc.Arbitrary<Wish> {
  return fc
    .record({
      nth: fc.nat(7),
      route: fc.constantFrom<RouteName>("route", "route", "sibling"),
      by: fc.integer({ min: 1, max: 5 }),
      more: fieldsOf[action] ?? fc.constant({}),
      looks: fc.constantFrom(true, false, false, false),
    })
    .map((details) => ({ action, column, revision: "current" as const, ...details, ...fixed }));
}

/** Every action about a flow in every state, each once. */
export const everyCell: fc.Arbitrary<Wish[]> = fc.tuple(
  ...flowActions.flatMap((action) => columns.map((column) => wishFor(action, column))),
);

/** One action again and again where the interface does not say whether it applies: the answers are compared. */
export const secondTries: fc.Arbitrary<Wish[]> = fc
  .record({
    action: fc.constantFrom(...flowActions),
    column: fc.oneof(
      { arbitrary: fc.constantFrom<Column>("cancel asked", "cancel pending"), weight: 4 },
      { arbitrary: fc.constantFrom<Column>("finished", "failed", "cancelled"), weight: 3 },
    ),
  })
  .chain(({ action, column }) => fc.array(wishFor(action, column), { minLength: 3, maxLength: 3, size: "max" }));

/** What a deck of lawful wishes is mixed with. */
export const aside: fc.Arbitrary<Wish> = fc
  .record({
    action: fc.constantFrom(...flowActions),
    changing: fc.constantFrom(...changing),
    column: fc.constantFrom(...columns),
  })
  .chain(({ action, changing, column }) =>
    fc.oneof(
      { arbitrary: wishFor(changing, column, { revision: "stale", looks: true }), weight: 4 },
      { arbitrary: wishFor(changing, column, { revision: "future", looks: true }), weight: 1 },
      { arbitrary: wishFor(action, column, { route: "stranger", looks: true }), weight: 1 },
      { arbitrary: wishFor("look", column, { route: "stranger" }), weight: 1 },
      { arbitrary: wishFor("settle", column, { looks: true }), weight: 3 },
      { arbitrary: wishFor("cycle", column), weight: 2 },
      { arbitrary: wishFor("tie", column), weight: 2 },
      { arbitrary: wishFor("create_flow", column), weight: 1 },
      { arbitrary: wishFor("list_flows", column), weight: 1 },
      { arbitrary: wishFor("list_flows", column, { route: "stranger" }), weight: 1 },
      { arbitrary: wishFor("find_latest_flow", column, { route: "stranger" }), weight: 1 },
      { arbitrary: wishFor("find_latest_flow", column), weight: 3 },
      { arbitrary: wishFor("pass", column), weight: 3 },
    ),
  );

const isStill = ({ state }: KnownFlow): boolean => !isEnded(state) && !state.pending && !state.asked;
/** How a flow comes into a state, from a still one. */
const ways: Readonly<Record<Column, readonly { readonly action: FlowAction; readonly more?: Fields }[]>> = {
  new: [],
  waiting: [{ action: "set_waiting" }],
  blocked: [{ action: "set_waiting", more: { blockedSummary: "waits for somebody" } }],
  resumed: [{ action: "set_waiting" }, { action: "resume_flow" }],
  "cancel asked": [{ action: "request_cancel" }],
  "cancel pending": [{ action: "run_task" }, { action: "cancel_flow" }],
  finished: [{ action: "finish_flow" }],
  failed: [{ action: "fail_flow" }],
  cancelled: [{ action: "cancel_flow" }],
};

/** A flow in the wished state, and what brings it there first. */
function bring(world: World, { column, nth }: Pick<Wish, "column" | "nth">): { name: string; steps: Step[] } {
  const { fields } = world.rules;
  const own = [...world.flows.values()].filter(({ session }) => session === "home");
  const there = own.filter(({ state }) => columnOf(state) === column);
  const chosen = there[nth % Math.max(1, there.length)];
  if (chosen !== undefined) return { name: chosen.name, steps: [] };
  const still = own.filter((flow) => isStill(flow) && flow.state.active === 0);
  // Now and then a flow without a past.
  const from = column === "new" || nth % 3 === 0 ? undefined : still[nth % Math.max(1, still.length)];
  const name = from?.name ?? `f${world.flows.size + 1}`;
  const created: Step[] = from ? [] : [{ do: "send", route: "route", as: name, body: createFlow() as unknown as Body }];
  const way = ways[column].map(({ action, more = {} }) =>
    sendOf(action, name, { route: "route", more: withChildKey(world, action, more), fields }),
  );
  return { name, steps: [...created, ...way] };
}

/** Requests for a wish: what it wishes, and a look at what it did. Each is made when the one before is answered. */
export function* planWish(world: World, wish: Wish): Generator<Step> {
  const { action, route, more } = wish;
  const { fields } = world.rules;
  if (action === "pass") yield { do: "pass", ms: 20 * wish.by };
  else if (action === "list_flows" || action === "find_latest_flow") yield readOf(action, "", route, fields);
  else if (action === "create_flow") {
    yield { do: "send", route, as: `f${world.flows.size + 1}`, body: { action, ...named(more, fields) } };
  } else if (action === "settle") yield* settled(world, wish);
  else if (action === "cycle") yield* cycled(world, wish);
  else if (action === "tie") yield* tied(world, wish);
  else {
    const { name, steps } = bring(world, wish);
    yield* steps;
    if (steps.length > 0) world.visits.brought(wish.column, columnSeen(world, name) === wish.column);
    if (action === "look") yield look(world, name, route);
    else {
      const revision = revisionFor(name, wish);
      if (looks.some((one) => world.visits.of(one, columnSeen(world, name)) === 0)) yield look(world, name, route);
      yield sendOf(action, name, { route, more: withChildKey(world, action, more), fields, revision });
      if (wish.looks) yield wish.looksBy ? readOf(wish.looksBy, name, "route", fields) : look(world, name, "route");
    }
  }
}

/** Flows of which a read shows no revision either. */
const unread = new WeakSet<KnownFlow>();

/** Where an answer showed nothing of a flow, its revision is read before a step needs it. */
export function* withReads(world: World, steps: Iterable<Step>): Generator<Step> {
  for (const step of steps) {
    const values = step.do === "send" ? Object.values(step.body ?? {}) : [];
    for (const value of values) {
      const { $revision: name } = (typeof value === "object" && value !== null ? value : {}) as Reference;
      const flow = name === undefined ? undefined : world.flows.get(name);
      if (name === undefined || flow === undefined || flow.revision !== undefined || unread.has(flow)) continue;
      yield readOf("get_flow", name, "route", world.rules.fields);
      if (flow.revision === undefined) unread.add(flow);
    }
    yield step;
  }
}

/** What is sent as the flow's revision; undefined for none. */
function revisionFor(name: string, { revision: at, by, as }: Wish): Reference | undefined {
  if (at === "missing") return undefined;
  if (at === "odd") return { $revision: name, at: "current", ...(as !== undefined && { as }) };
  return { $revision: name, at, ...(at !== "current" && { by }) };
}

const looks = ["get_flow", "get_task_summary", "resolve_flow"] as const;

function columnSeen(world: World, name: string): VisitColumn {
  const flow = world.flows.get(name);
  return flow === undefined ? "absent" : columnOf(flow.state);
}

/** Looks at a flow in the way that was used least while flows were in its state. */
function look(world: World, name: string, route: RouteName): SendStep {
  const column = columnSeen(world, name);
  const [least = "get_flow"] = looks.toSorted((a, b) => world.visits.of(a, column) - world.visits.of(b, column));
  return readOf(least, name, route, world.rules.fields);
}

/** One flow waits and is resumed again and again: what is kept of it shows after a while. */
function* cycled(world: World, { by, route, nth }: Wish): Generator<Step> {
  const { fields } = world.rules;
  const { name, steps } = bring(world, { column: "waiting", nth });
  yield* steps;
  const how = { route, fields } as const;
  for (let turn = 0; turn < by; turn += 1) {
    if (turn > 0) yield sendOf("set_waiting", name, { ...how, more: turn % 2 === 0 ? { stateJson: turn } : {} });
    yield sendOf("resume_flow", name, { ...how, more: {} });
  }
  yield look(world, name, route);
  yield readOf("list_flows", "", route, fields);
}

/** Two older flows are changed in one moment, and the latest is asked for. */
function* tied(world: World, { route, nth }: Wish): Generator<Step> {
  const { fields } = world.rules;
  const still = [...world.flows.values()].filter((flow) => flow.session === "home" && isStill(flow));
  const start = nth % Math.max(1, still.length - 2);
  yield { do: "pass", ms: 20 };
  for (const { name } of still.slice(start, start + 2)) yield sendOf("set_waiting", name, { route, more: {}, fields });
  yield readOf("find_latest_flow", "", route, fields);
}

/** The end of a child task; of one whose flow waits for it, where there is one. */
function* settled(world: World, { nth }: Wish): Generator<Step> {
  const having = [...world.flows.values()].filter(({ taskIds }) => taskIds.some((id) => id !== undefined));
  const waiting = having.filter(({ state }) => state.pending);
  const from = waiting.length > 0 && nth % 2 === 0 ? waiting : having;
  const flow = from[nth % Math.max(1, from.length)];
  if (flow === undefined) return;
  const task = flow.taskIds.findIndex((taskId) => taskId !== undefined);
  yield { do: "settle", flow: flow.name, task, status: "succeeded" };
  yield readOf("get_flow", flow.name, "route", world.rules.fields);
}

/** Fields by the names that the profile gives them. */
function named(more: Fields, fields: FieldNames): Fields {
  const names: Readonly<Record<string, string>> = {
    stateJson: fields.stateData,
    waitJson: fields.waitData,
    blockedSummary: fields.blockedSummary,
  };
  return Object.fromEntries(Object.entries(more).map(([name, value]) => [names[name] ?? name, value]));
}

interface How {
  readonly route: RouteName;
  readonly more: Fields;
  readonly fields: FieldNames;
  /** The current one if absent; none at all if undefined. */
  readonly revision?: Reference | undefined;
}

/** A request for an action on a flow. */
export function sendOf(action: FlowAction, name: string, how: How): SendStep {
  const { route, more, fields } = how;
  const $flow = { $flow: name };
  const revision = "revision" in how ? how.revision : { $revision: name, at: "current" };
  const given = named(more, fields);
  const body = {
    cancel_flow: { action, [fields.cancelFlowId]: $flow },
    run_task: { ...runTask(""), flowId: $flow },
  } as Partial<Record<FlowAction, object>>;
  const required = body[action] ?? { action, flowId: $flow, ...(revision && { expectedRevision: revision }) };
  return { do: "send", route, body: { ...required, ...given } as Body };
}

/** A read of, or around, a flow. */
export function readOf(action: ActionName, name: string, route: RouteName, fields: FieldNames): SendStep {
  const $flow = { $flow: name };
  const id: Partial<Record<ActionName, object>> = {
    get_flow: { [fields.getFlowId]: $flow },
    resolve_flow: { [fields.resolveToken]: $flow },
    get_task_summary: { [fields.summaryFlowId]: $flow },
  };
  return { do: "send", route, body: { action, ...id[action] } };
}
