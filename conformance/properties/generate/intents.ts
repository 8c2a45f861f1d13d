/**
 * What a generator asks for, before it is known what the target will answer: an action on a flow in a certain state. Most
 * requests that come of it are lawful, and every state is met.
 */
import * as fc from "fast-check";
import { changeActions, columns, flowActions, type Column, type FlowAction } from "../../interface/flow-model.ts";
import type { RouteName } from "../../story/story.ts";
import type { Fields } from "../../oracle/flow-requests.ts";

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

/** All of them, in any order. */
export const shuffled = <Item>(items: fc.Arbitrary<Item[]>): fc.Arbitrary<Item[]> =>
  items.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/** Every action about a flow in every state, each once. */
export const everyCell: fc.Arbitrary<Intent[]> = fc.tuple(
  ...flowActions.flatMap((action) => columns.map((column) => intentFor(action, column))),
);

/** Each action again where the interface does not say whether it applies: the responses have to agree. */
export const secondTries: fc.Arbitrary<Intent[]> = fc.tuple(
  ...flowActions.flatMap((action) => [
    intentFor(action, "cancel asked"),
    intentFor(action, "cancel asked"),
    intentFor(action, "cancel pending"),
  ]),
);

const anyColumn = fc.constantFrom(...columns);
const endedColumn = fc.constantFrom<Column>("finished", "failed", "cancelled");
const about = (
  action: fc.Arbitrary<IntendedAction>,
  column: fc.Arbitrary<Column>,
  fixed: Partial<Intent> = {},
): fc.Arbitrary<Intent> => fc.tuple(action, column).chain(([intended, state]) => intentFor(intended, state, fixed));
const anyChange = fc.constantFrom(...changeActions);
const only = (action: IntendedAction, fixed: Partial<Intent> = {}) => about(fc.constant(action), anyColumn, fixed);
const stale = about(anyChange, anyColumn, { revision: "stale", looks: true });
const settled = only("settle", { looks: true });

/** What is mixed with the intents of `everyCell`. */
export const asides: fc.Arbitrary<Intent[]> = fc.tuple(
  stale,
  stale,
  about(anyChange, anyColumn, { revision: "future", looks: true }),
  about(fc.constantFrom(...flowActions), anyColumn, { route: "stranger", looks: true }),
  about(fc.constant("look"), endedColumn, { route: "stranger" }),
  only("look", { route: "stranger" }),
  settled,
  settled,
  only("cycle", { by: 3 }),
  only("tie"),
  only("create_flow"),
  only("list_flows"),
  only("list_flows", { route: "stranger" }),
  only("find_latest_flow"),
  only("find_latest_flow", { route: "stranger" }),
  only("pass"),
);
