/**
 * What a generator asks for, before it is known what the target will answer: an action on a flow in a certain state. Most
 * requests that come of it are lawful, and every state is met.
 */
import * as fc from "fast-check";
import { changeActions, columns, flowActions, type Column, type FlowAction } from "../../interface/flow-model.ts";
import type { RouteName } from "../../story/story.ts";
import type { Fields } from "./flow-requests.ts";

type IntendedAction =
  FlowAction | "create_flow" | "list_flows" | "find_latest_flow" | "settle" | "pass" | "look" | "cycle" | "tie";

export interface Intent {
  readonly action: IntendedAction;
  readonly column: Column;
  /** Which of the flows in that state. */
  readonly nth: number;
  readonly route: RouteName;
  readonly revision: "current" | "stale" | "future" | "missing" | "odd";
  /** How many changes back, or how far ahead. */
  readonly by: number;
  /** The name of the odd revision. */
  readonly as?: string;
  readonly more: Fields;
  /** The flow is looked at afterwards. */
  readonly looks: boolean;
  /** By which read; by the least used one if absent. */
  readonly looksBy?: "get_flow" | "get_task_summary";
}

/** Texts that careless code mishandles; without blanks at the ends, which a target may trim. */
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

/** Fields beside the required ones: none, or a few that are lawful. */
const fieldsOf: Partial<Record<IntendedAction, fc.Arbitrary<Fields>>> = {
  create_flow: fc.oneof(fc.record({ goal: text }), fc.record({ goal: text, status: fc.constant("queued") })),
  set_waiting: fc.oneof(
    fc.record({ stateJson: jsonData, waitJson: jsonData }, { requiredKeys: [] }),
    fc.constant({ blockedSummary: "waits for somebody" }),
  ),
  run_task: fc.constantFrom<Fields>({}, { status: "running" }, { runtime: "acp" }),
};

/** An intent for an action and a state, with details by chance. */
export function intentFor(action: IntendedAction, column: Column, fixed: Partial<Intent> = {}): fc.Arbitrary<Intent> {
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
export const everyCell: fc.Arbitrary<Intent[]> = fc.tuple(
  ...flowActions.flatMap((action) => columns.map((column) => intentFor(action, column))),
);

/** One action repeated where the interface does not say whether it applies: the responses have to agree. */
export const secondTries: fc.Arbitrary<Intent[]> = fc
  .record({
    action: fc.constantFrom(...flowActions),
    column: fc.oneof(
      { arbitrary: fc.constantFrom<Column>("cancel asked", "cancel pending"), weight: 4 },
      { arbitrary: fc.constantFrom<Column>("finished", "failed", "cancelled"), weight: 3 },
    ),
  })
  .chain(({ action, column }) => fc.array(intentFor(action, column), { minLength: 3, maxLength: 3, size: "max" }));

/** Intents that are mixed with those of `everyCell`. */
export const aside: fc.Arbitrary<Intent> = fc
  .record({
    action: fc.constantFrom(...flowActions),
    changing: fc.constantFrom(...changeActions),
    column: fc.constantFrom(...columns),
  })
  .chain(({ action, changing, column }) =>
    fc.oneof(
      { arbitrary: intentFor(changing, column, { revision: "stale", looks: true }), weight: 4 },
      { arbitrary: intentFor(changing, column, { revision: "future", looks: true }), weight: 1 },
      { arbitrary: intentFor(action, column, { route: "stranger", looks: true }), weight: 1 },
      { arbitrary: intentFor("look", column, { route: "stranger" }), weight: 1 },
      { arbitrary: intentFor("settle", column, { looks: true }), weight: 3 },
      { arbitrary: intentFor("cycle", column), weight: 2 },
      { arbitrary: intentFor("tie", column), weight: 2 },
      { arbitrary: intentFor("create_flow", column), weight: 1 },
      { arbitrary: intentFor("list_flows", column), weight: 1 },
      { arbitrary: intentFor("list_flows", column, { route: "stranger" }), weight: 1 },
      { arbitrary: intentFor("find_latest_flow", column, { route: "stranger" }), weight: 1 },
      { arbitrary: intentFor("find_latest_flow", column), weight: 3 },
      { arbitrary: intentFor("pass", column), weight: 3 },
    ),
  );
