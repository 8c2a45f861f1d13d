/** What a view of a flow must show, by what was sent and shown before. */
import { isDeepStrictEqual } from "node:util";
import { isJsonText, isShownAs, type FlowView } from "../harness/checks.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import { mayChangeByItself, type FlowState, type Gaps } from "../interface/flow-model.ts";
import type { FieldNames } from "../interface/gaps.ts";
import { departure, withValues, type Departure } from "../harness/finding.ts";
import type { Learned } from "./learned.ts";

/** A change has removed the field: no later view may show it. */
const GONE = Symbol("gone");
/** No request has sent this data since the flow was created. */
const NEVER = Symbol("never sent");

const constant: readonly string[] = ["goal", "notifyPolicy", "controllerId"];

/** Data that requests give the flow. */
const storedIn = ({ stateData, waitData }: FieldNames): readonly string[] => [stateData, waitData];

/** Fields that the target may set by itself with any change; the flow's states say what its status may be. */
const ownIn = ({ blockedSummary }: FieldNames): readonly string[] => ["status", "currentStep", blockedSummary];

export interface ViewRules {
  readonly gaps: Gaps;
  readonly fields: FieldNames;
  readonly learned: Learned;
  /** Kinds of answer and the fields that they have shown: `get_flow goal`. */
  readonly shows: Set<string>;
}

export type ExpectedFields = Map<string, unknown>;

/** What a view says of a field: null and leaving it out both say that the flow has none. */
const shown = (view: FlowView, field: string): unknown =>
  Object.hasOwn(view, field) ? (view[field] ?? undefined) : undefined;

/**
 * A view without a change since the last one: it shows the same. Of a flow that may have changed by itself only the constant
 * fields are compared.
 */
export function seenAgain(
  view: FlowView,
  kind: string,
  { expected, state }: { readonly expected: ExpectedFields; readonly state: FlowState },
  rules: ViewRules,
): Departure | undefined {
  const isLoose = mayChangeByItself(state, rules.gaps);
  for (const field of isLoose ? constant : [...ownIn(rules.fields), ...constant, ...storedIn(rules.fields)]) {
    const value = shown(view, field);
    const known = expected.get(field);
    const shows = `${kind} ${field}`;
    const other = (actual: string) => {
      const found = departure("REVISION-UNCHANGED", `${field} as it was before`, `${actual} ${field} in ${kind}`);
      return isKnown(known) ? withValues(found, field, known, value) : found;
    };
    if (value === undefined) {
      if (isKnown(known) && rules.shows.has(shows) && !isLoose) return other("no");
      continue;
    }
    if (!isLoose) rules.shows.add(shows);
    // create_flow need not show the initial value of a field, unless this target has shown the field there.
    const isOpen = known === undefined || (known === NEVER && !rules.shows.has(`create_flow ${field}`));
    if (isOpen) expected.set(field, value);
    else if (!isKnown(known) || !isSame(field, known, value, rules)) return other("another");
  }
  return undefined;
}

const isKnown = (known: unknown): boolean => known !== undefined && known !== GONE && known !== NEVER;

const isData = (field: string, { fields }: Pick<ViewRules, "fields">): boolean => storedIn(fields).includes(field);

/** Of a goal the white space around it may go, and what is no text in Unicode may be replaced. */
function isGoal(sent: unknown, shown: unknown): boolean {
  if (typeof sent !== "string" || typeof shown !== "string") return sent === shown;
  return [sent, sent.trim()].some((text) => text === shown || wellFormed(text) === shown);
}

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** A target may show data as their JSON text, and a JSON text as the value that it stands for, but then all of one type. */
function isSameData(sent: unknown, shown: unknown, { learned }: ViewRules): boolean {
  if (!isShownAs(sent, shown)) return false;
  const kind = isJsonText(sent) ? "texts of JSON" : typeof sent;
  return kind === "string" || learned.holds(`data: ${kind} shown as texts`, String(typeof shown === "string"));
}

function isAsSent(field: string, sent: unknown, shown: unknown, rules: ViewRules): boolean {
  if (field === "goal") return isGoal(sent, shown);
  if (field === "notifyPolicy") return sent === shown;
  return !isData(field, rules) || isSameData(sent, shown, rules);
}

/** What was sent may be shown as JSON or as its text, and a later view may show it in the other way. */
const isSame = (field: string, known: unknown, value: unknown, rules: ViewRules): boolean =>
  isData(field, rules) ? isShownAs(known, value) : isSameText(known, value);

/** A lone surrogate may come back as U+FFFD in one answer and unchanged in another. */
export const isSameText = (known: unknown, value: unknown): boolean =>
  typeof known === "string" && typeof value === "string"
    ? wellFormed(known) === wellFormed(value)
    : isDeepStrictEqual(known, value);

interface AppliedChange {
  readonly action: string;
  readonly clause: ClauseId;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly to: FlowState;
}

/** After a change without a view in its response only the constant fields are known. */
export function unseenChange(expected: ExpectedFields): void {
  for (const field of expected.keys()) if (!constant.includes(field)) expected.delete(field);
}

/** After a change by a child only the constant fields and the state data are known. */
export function unseenChildren(expected: ExpectedFields, { stateData }: FieldNames): void {
  const data = expected.get(stateData);
  unseenChange(expected);
  if (isKnown(data)) expected.set(stateData, data);
}

/** The view in the response to an applied change: what was sent is there; the rest is kept or gone, by the target's rule. */
export function seenChanged(
  view: FlowView,
  change: AppliedChange,
  expected: ExpectedFields,
  rules: ViewRules,
): Departure | undefined {
  const { action, sent, to } = change;
  for (const field of [...ownIn(rules.fields), ...constant, ...storedIn(rules.fields)]) {
    const value = shown(view, field);
    if (value !== undefined) rules.shows.add(`${action} ${field}`);
    const one = { field, value, known: expected.get(field), showsIt: rules.shows.has(`${action} ${field}`) };
    const wrong = ownIn(rules.fields).includes(field)
      ? undefined
      : (bareFault(one, change, rules) ?? sentFault(one, change, rules) ?? keptFault(one, change, rules));
    if (wrong !== undefined) return wrong;
    // A field missing in this answer may appear in a later read, with the value that was sent.
    const given = isData(field, rules) && to.phase !== "blocked" ? (sent[field] ?? undefined) : undefined;
    const unseen = isBare(one, change, rules) ? NEVER : one.showsIt ? GONE : undefined;
    const next = value ?? given ?? unseen;
    if (next === undefined) expected.delete(field);
    else expected.set(field, next);
  }
  return undefined;
}

interface SeenField {
  readonly field: string;
  readonly value: unknown;
  readonly known: unknown;
  /** An answer to this action has shown it. */
  readonly showsIt: boolean;
}

/** Key in `learned`: whether the target keeps or clears the field with such a change. */
function fateOf(field: string, { action, sent, to }: AppliedChange, { fields }: ViewRules): string {
  // Requesting a cancellation and completing it are different changes, and so are blocking and waiting.
  const kind = to.pending ? " (pending)" : to.phase === "blocked" ? " (blocked)" : "";
  // State and wait data may be kept as a pair: sending one of them replaces both.
  const data = storedIn(fields).filter((name) => Object.hasOwn(sent, name));
  return `${field} after ${action}${kind}${data.length === 0 ? "" : ` with ${data.join(" and ")}`}`;
}

/** Data of a flow that was sent none: the target may show what it begins with, each time. */
const isBare = ({ field, known }: SeenField, { action, sent, to }: AppliedChange, rules: ViewRules): boolean =>
  isData(field, rules) &&
  !mayChangeByItself(to, rules.gaps) &&
  (known === NEVER || action === "create_flow") &&
  !Object.hasOwn(sent, field) &&
  to.phase !== "blocked";

function bareFault(one: SeenField, change: AppliedChange, rules: ViewRules): Departure | undefined {
  if (!isBare(one, change, rules)) return undefined;
  const rule = `${fateOf(one.field, change, rules)}, of a flow without`;
  if (rules.learned.holds(rule, one.value === undefined ? "none" : "some")) return undefined;
  return departure(change.clause, `no ${one.field} that was not sent`, `some after ${change.action}`);
}

function sentFault({ field, value, showsIt }: SeenField, { clause, sent, to }: AppliedChange, rules: ViewRules) {
  const given = sent[field] ?? undefined;
  if (given === undefined) return undefined;
  const isLost = value === undefined && isData(field, rules) && showsIt && to.phase !== "blocked";
  if (!isLost && (value === undefined || isAsSent(field, given, value, rules))) return undefined;
  const actual = isLost ? `no ${field}` : `another ${field}`;
  const found = departure(field === "goal" ? "FLOW-GOAL" : clause, `${field} as it was sent`, actual);
  return withValues(found, field, given, value);
}

function keptFault({ field, value, known, showsIt }: SeenField, change: AppliedChange, rules: ViewRules) {
  if (!isKnown(known) || Object.hasOwn(change.sent, field)) return undefined;
  const { action, clause, to } = change;
  const isSame = isDeepStrictEqual(value, known);
  if (value !== undefined && !isSame)
    return withValues(
      departure(clause, `${field} kept or gone`, `another ${field} after ${action}`),
      field,
      known,
      value,
    );
  const [fate, actual] = [fateOf(field, change, rules), isSame ? "kept" : "gone"];
  // If the cancellation may be complete already, it is unknown whether this view shows the request or the completion.
  const isOpen = isData(field, rules) && (mayChangeByItself(to, rules.gaps) || rules.learned.holds(fate, actual));
  return (isSame && constant.includes(field)) || isOpen || !showsIt
    ? undefined
    : departure(clause, `${fate} as the times before`, actual);
}
