/** What may meet in a request about a flow, as data from the interface alone: the factors of the cases made of rows. */
import type { Column, FlowAction } from "../interface/flow-model.ts";
import { namedValues } from "../foundation/value-name.ts";
import { SOME_TIME } from "../interface/values.ts";
import type { Reference, RouteName } from "../story/story.ts";
import type { Fields } from "./flow-requests.ts";

/** The requests that bring a flow without a cancellation into a state; the first one is the usual state. */
export const ways: Readonly<Record<Column, readonly { readonly action: FlowAction; readonly more?: Fields }[]>> = {
  waiting: [{ action: "set_waiting" }],
  new: [],
  blocked: [{ action: "set_waiting", more: { blockedSummary: "waits for somebody" } }],
  resumed: [{ action: "set_waiting" }, { action: "resume_flow" }],
  "cancel-requested": [{ action: "request_cancel" }],
  "cancel-pending": [{ action: "cancel_flow" }],
  finished: [{ action: "finish_flow" }],
  failed: [{ action: "fail_flow" }],
  cancelled: [{ action: "cancel_flow" }],
};

export const states = Object.keys(ways) as [Column, ...Column[]];

export const endedStates: readonly (string | undefined)[] = ["finished", "failed", "cancelled"] satisfies Column[];

export interface Child {
  readonly more: Fields;
  readonly isOver?: true;
  /** It is started when the flow is in its state, where a flow in that state takes one. */
  readonly isLate?: true;
}

/** A second time stamp, so that a target that mixes up two fields is noticed; ms since the epoch. */
const LATER = SOME_TIME + 90_000;

const running: Fields = { status: "running" };
const keyed: Fields = { ...running, childSessionKey: { $sessionKey: "route", as: "child" } };

/** The children of a flow, in the order in which they are started. */
export const children = {
  none: [],
  running: [{ more: running }],
  "not begun": [{ more: {} }],
  "begun last": [{ more: { runtime: "acp", ...running }, isLate: true }],
  ended: [{ more: running, isOver: true, isLate: true }],
  acp: [{ more: { runtime: "acp", ...running } }],
  "with a key": [{ more: keyed }],
  "with times": [{ more: { ...running, startedAt: SOME_TIME, lastEventAt: LATER, progressSummary: "half" } }],
  "the second of two": [{ more: running, isOver: true }, { more: running }],
  "the first of two": [{ more: running }, { more: running, isOver: true }],
  "two with one key": [{ more: keyed }, { more: keyed }],
  "running before one not begun": [{ more: running }, { more: {} }],
  "running behind one not begun": [{ more: {} }, { more: running }],
} as const satisfies Readonly<Record<string, readonly Child[]>>;
export type Children = keyof typeof children;

export const childrenOf = (name: string): readonly Child[] => children[name as Children];
export const isActive = (name: string): boolean => childrenOf(name).some(({ isOver }) => isOver !== true);

/** Who sends the action, and who reads afterwards: routes of one session are alike. */
export const senders = ["one route", "a sibling acts", "a sibling reads"] as const;
export const actorOf = (by: string): RouteName => (by === "a sibling acts" ? "sibling" : "route");
export const readerOf = (by: string): RouteName => (by === "a sibling reads" ? "sibling" : "route");

export const flowReads = ["get_flow", "resolve_flow", "get_task_summary"] as const;

export const reads = ["the flow", "the flow's token", "the session"] as const;

export interface Revision {
  /** What is sent in its place; undefined for no revision at all. */
  readonly sent: Omit<Reference, "$revision"> | undefined;
  /** Changes that the flow has had before, so that there is such a revision. */
  readonly history?: number;
}

/** How the revision that is sent stands to the flow's own. */
export const revisions = {
  current: { sent: { at: "current" } },
  "one back": { sent: { at: "stale", by: 1 }, history: 0 },
  // One digit, where the current revision has two: a comparison of texts takes it for a later one.
  "six back": { sent: { at: "stale", by: 6 }, history: 10 },
  "ten back": { sent: { at: "stale", by: 10 }, history: 10 },
  "one ahead": { sent: { at: "future", by: 1 } },
  "ten ahead": { sent: { at: "future", by: 10 } },
  "with a digit more": { sent: { at: "current", as: "longer" } },
  "one turn of 32 bits ahead": { sent: { at: "current", as: "wrapped" } },
  none: { sent: undefined },
} as const satisfies Readonly<Record<string, Revision>>;
export type RevisionName = keyof typeof revisions;

/** Data of every JSON type, with what careless code drops, casts or renames. */
export const data = namedValues<unknown>({
  "an object": { step: "first" },
  "odd names": {
    order_id: 7,
    camelCase: 1.5,
    Order: true,
    ID: 1,
    id: 2,
    "a.b": { "": [[true], []] },
    'a "quoted" \\ name\n': null,
    when: ["2026-01-01T00:00:00.000Z", "2026-01-01T10:00:00+02:00", "2026-01-01T10:00:00Z"],
    text: "1e3",
    // Long names, texts and lists below the first level, where a store may cut them.
    ["long name ".repeat(10)]: { text: "long ".repeat(300), list: Array.from({ length: 1200 }, (_, at) => at) },
  },
  "a text": "first",
  "a word of JSON": "true",
  digits: "17",
  "an empty text": "",
  "a long text": "long ".repeat(2000),
  unicode: "Grüße, 世界, \u{1f469}\u200d\u{1f467}, e\u0301, \ufdd0",
  zero: 0,
  // Numbers at the edges of 32, 53 and 64 bits, and numbers with 17 significant digits.
  "large and precise numbers": { numbers: [2 ** 32, Number.MAX_SAFE_INTEGER, 2 ** 64, 1e21, 0.1 + 0.2, -1.5e-7] },
  false: false,
  "an empty object": {},
  "an empty list": [],
  "a list": ["b", "a", "b", 10, 9],
  "nested null": { first: null, rest: [null, 0, ""], below: { first: null } },
});

/** Data for a flow whose data are not what a row is about. */
export const someData = { stateJson: { step: "first" }, waitJson: { of: "the wait" } } as const satisfies Fields;

/** Goals with other scripts, characters with a meaning in other notations, words that look like values, and long ones. */
export const goals = namedValues({
  plain: "a plain goal",
  "other scripts": "Gr\u00fc\u00dfe aus Z\u00fcrich, \u4e16\u754c, \u05e9\u05dc\u05d5\u05dd",
  emoji: "\u{1f680} \u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{10fffd}",
  "not normalized": "e\u0301 is not \u00e9",
  separators: "one line\u2028another\u2029a third, no\ufeff mark, no\u200b width, \u202eturned",
  "no characters": "\ufdd0 and \uffff are no characters",
  signs: '"quoted" and \\ back </script><!-- %00 %20 ${x} {{y}} $& %s %d ~a ~% \'; --',
  // What a form writes for a space.
  plus: "C++, 1+1 = 2 and +49",
  lines: "two\nlines\tand a tab, C:\\new\\table\r\nits next line",
  comments: "see https://example.org/x?a=1#b /* c */",
  nul: "a NUL\u0000and what follows",
  controls: "control \u0001 \u001b[31m \u007f \u0085",
  "half a pair": "half \ud83d of one",
  "blanks around": "  blanks around it  ",
  "other blanks around": "\u00a0other blanks around it\u3000",
  "a full stop at the end": "the last sign counts.",
  null: "null",
  zero: "0",
  true: "true",
  object: "[object Object]",
  prototype: "__proto__",
  braces: "{}",
  "leading zeros": "007",
  exponent: "1e3",
  "mixed case": "MiXeD CaSe",
  date: "2026-01-01",
  "200 characters": `${"long goal ".repeat(19)}to the end`,
  "5,000 characters": `${"long goal ".repeat(499)}to the end`,
  "70,000 characters": `${"long goal ".repeat(6999)}to the end`,
});

/** The forms that a time stamp may have, for two moments. */
export const timeForms = [
  { what: "milliseconds", value: SOME_TIME, later: LATER },
  { what: "a date", value: new Date(SOME_TIME).toISOString(), later: new Date(LATER).toISOString() },
] as const;

/** Key in `learned`: whether the target accepts time stamps of this form. */
export const openTimes = (form: string): string => `run_task with time stamps: ${form}`;

/** The sets of fields with which a run_task is right. */
export const runningFields = {
  none: [],
  status: ["status"],
  startedAt: ["status", "startedAt"],
  lastEventAt: ["status", "lastEventAt"],
  progressSummary: ["status", "progressSummary"],
  "both times": ["status", "startedAt", "lastEventAt"],
  "start and progress": ["status", "startedAt", "progressSummary"],
  "event and progress": ["status", "lastEventAt", "progressSummary"],
  all: ["status", "startedAt", "lastEventAt", "progressSummary"],
} as const;

/** One field at a time: a refusal for one field would hide that another is accepted. */
export const wrongTaskFields = {
  startedAt: { startedAt: SOME_TIME },
  "startedAt as text": { startedAt: new Date(SOME_TIME).toISOString() },
  "startedAt of 0": { startedAt: 0 },
  lastEventAt: { lastEventAt: SOME_TIME },
  "lastEventAt of 0": { lastEventAt: 0 },
  "both times": { startedAt: SOME_TIME, lastEventAt: SOME_TIME },
  progressSummary: { progressSummary: "half of it" },
  "an empty progressSummary": { progressSummary: "" },
} as const satisfies Readonly<Record<string, Fields>>;

export const namesOf = <Name extends string>(values: Readonly<Record<Name, unknown>>): readonly [Name, ...Name[]] =>
  Object.keys(values) as [Name, ...Name[]];
