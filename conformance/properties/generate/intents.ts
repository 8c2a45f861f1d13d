/**
 * What a generator asks for, before it is known what the target will answer: an action on a flow in a certain state. Most
 * requests that come of it are lawful, and every state is met.
 */
import * as fc from "fast-check";
import { changeActions, visitColumns, flowActions, type Column, type FlowAction } from "../../interface/flow-model.ts";
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
export const anyText: fc.Arbitrary<string> = fc.oneof(
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
  anyText,
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.record({ step: anyText, done: fc.boolean() }),
);

/** Fields beside the required ones: none, or a few that are lawful. */
const fieldsOf: Partial<Record<IntendedAction, fc.Arbitrary<Fields>>> = {
  create_flow: fc.oneof(fc.record({ goal: anyText }), fc.record({ goal: anyText, status: fc.constant("queued") })),
  set_waiting: fc.oneof(
    fc.record({ stateJson: jsonData, waitJson: jsonData }, { requiredKeys: [] }),
    fc.constant({ blockedSummary: "waits for somebody" }),
  ),
  run_task: fc.constantFrom<Fields>({}, { status: "running" }, { runtime: "acp" }),
};

type Given = { readonly [Name in keyof Intent]?: Intent[Name] | fc.Arbitrary<Intent[Name]> };

/** Intents of which this is given, or drawn from what is given; the rest is drawn as usual. */
export function intentOf(given: Given & Required<Pick<Given, "action">>): fc.Arbitrary<Intent> {
  const { action } = given;
  if (action instanceof fc.Arbitrary) return action.chain((one) => intentOf({ ...given, action: one }));
  const usual = {
    column: fc.constantFrom(...visitColumns),
    nth: fc.nat(7),
    route: fc.constantFrom<RouteName>("route", "route", "sibling"),
    revision: "current",
    by: fc.integer({ min: 1, max: 5 }),
    more: fieldsOf[action] ?? {},
    looks: fc.constantFrom(true, false, false, false),
  };
  const drawn = Object.entries({ ...usual, ...given }).map(([name, value]) => [
    name,
    value instanceof fc.Arbitrary ? value : fc.constant(value),
  ]);
  return fc.record(Object.fromEntries(drawn)) as fc.Arbitrary<Intent>;
}

/** All of them, in any order. */
export const shuffled = <Item>(items: fc.Arbitrary<Item[]>): fc.Arbitrary<Item[]> =>
  items.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/** Every action about a flow in every state, each once. */
export const everyCell: fc.Arbitrary<Intent[]> = fc.tuple(
  ...flowActions.flatMap((action) => visitColumns.map((column) => intentOf({ action, column }))),
);

/** Each action again where the interface does not say whether it applies: the responses have to agree. */
export const secondTries: fc.Arbitrary<Intent[]> = fc.tuple(
  ...flowActions.flatMap((action) => [
    intentOf({ action, column: "cancel-requested" }),
    // All of these of one flow.
    intentOf({ action, column: "cancel-requested", nth: 1 }),
    intentOf({ action, column: "cancel-pending" }),
  ]),
);

const anyChange = fc.constantFrom(...changeActions);
const stale = intentOf({ action: anyChange, revision: "stale", looks: true });
const settled = intentOf({ action: "settle", looks: true });

/** What is mixed with the intents of `everyCell`. */
export const asides: fc.Arbitrary<Intent[]> = fc.tuple(
  stale,
  stale,
  intentOf({ action: anyChange, revision: "future", looks: true }),
  intentOf({ action: fc.constantFrom(...flowActions), route: "stranger", looks: true }),
  intentOf({ action: "look", column: fc.constantFrom("finished", "failed", "cancelled"), route: "stranger" }),
  intentOf({ action: "look", route: "stranger" }),
  settled,
  settled,
  intentOf({ action: "cycle", by: 3 }),
  ...(["tie", "create_flow", "list_flows", "find_latest_flow", "pass"] as const).map((action) => intentOf({ action })),
  ...(["list_flows", "find_latest_flow"] as const).map((action) => intentOf({ action, route: "stranger" })),
);
