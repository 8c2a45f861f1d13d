/** What a view of a flow must show, by what was sent and shown before. */
import { isDeepStrictEqual } from "node:util";
import { isJsonText, isShownAs, type FlowView } from "../harness/checks.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import { mayChangeByItself, type FlowState, type Gaps } from "../interface/flow-model.ts";
import { steady } from "../harness/open-values.ts";
import type { FieldNames } from "../interface/gaps.ts";
import { departure, type Departure } from "./departure.ts";
import type { Learned } from "./learned.ts";

/** Stands for a field that a change has removed: no later view may show it. */
const GONE = Symbol("gone");
/** Stands for data that no request has sent since the flow was created. */
const NEVER = Symbol("never sent");

/** The fields that only a change of the flow may alter. */
function watchedFields(fields: FieldNames): readonly string[] {
  const { stateData, waitData, blockedSummary } = fields;
  return ["status", "goal", "notifyPolicy", "controllerId", "currentStep", stateData, waitData, blockedSummary];
}

/** Fields that no change of a flow touches. */
const constant = new Set(["goal", "notifyPolicy", "controllerId"]);

/** Fields that the target may set by itself with any change. */
const isItsOwn = (field: string, { blockedSummary }: FieldNames): boolean =>
  field === "currentStep" || field === blockedSummary;

export interface ViewRules {
  readonly gaps: Gaps;
  readonly fields: FieldNames;
  readonly learned: Learned;
  /** Kinds of answer and the fields that they have shown: `get_flow goal`. */
  readonly shows: Set<string>;
}

export type Expected = Map<string, unknown>;

/** The status that the interface or the profile gives a state; undefined where neither does. */
export function statusOf(state: FlowState, { gaps }: Pick<ViewRules, "gaps">): string | undefined {
  if (state.phase === "cancelled") return gaps["cancel.status"];
  if (state.phase === "finished" || state.phase === "failed") return state.phase;
  if (state.dirty) return undefined;
  const keeps = gaps["cancel.request-keeps-status"] === true;
  if ((state.asked || state.pending) && !keeps) return undefined;
  if (state.phase === "begun") return gaps["flow.default-status"];
  if (state.phase === "resumed") return gaps["flow.resumed-status"];
  return state.phase;
}

/** What a view says of a field: null and leaving it out both say that the flow has none. */
const shown = (view: FlowView, field: string): unknown =>
  Object.hasOwn(view, field) ? (view[field] ?? undefined) : undefined;

/**
 * A view without a change since the last one: it shows the same. `isLoose`: the flow may have changed by itself, so only
 * the constant fields are compared.
 */
export function seenAgain(
  view: FlowView,
  kind: string,
  expected: Expected,
  rules: ViewRules,
  isLoose = false,
): Departure | undefined {
  for (const field of isLoose ? constant : watchedFields(rules.fields)) {
    const value = shown(view, field);
    const known = expected.get(field);
    const shows = `${kind} ${field}`;
    if (value === undefined) {
      if (isKnown(known) && rules.shows.has(shows) && !isLoose) return lost(field, kind);
      continue;
    }
    if (!isLoose) rules.shows.add(shows);
    // What a flow begins with the answer that created it need not show, unless it has shown what was sent.
    const isOpen = known === undefined || (known === NEVER && !rules.shows.has(`create_flow ${field}`));
    if (isOpen) expected.set(field, value);
    else if (!isKnown(known) || !isSame(field, known, value, rules)) {
      return departure("REVISION-UNCHANGED", `${field} as it was before`, `another ${field} in ${kind}`);
    }
  }
  return undefined;
}

/** A value that was shown or sent. */
const isKnown = (known: unknown): boolean => known !== undefined && known !== GONE && known !== NEVER;

const isData = (field: string, { fields }: Pick<ViewRules, "fields">): boolean =>
  field === fields.stateData || field === fields.waitData;

/** The answer to this action, or get_flow, has shown that data is shown. */
const isStored = ({ action }: AppliedChange, field: string, { shows }: ViewRules): boolean =>
  shows.has(`${action} ${field}`);

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

/** Of half a character one answer may show what another one has replaced. */
const isSameText = (known: unknown, value: unknown): boolean =>
  typeof known === "string" && typeof value === "string"
    ? wellFormed(known) === wellFormed(value)
    : isDeepStrictEqual(known, value);

const lost = (field: string, kind: string): Departure =>
  departure("REVISION-UNCHANGED", `${field} as it was before`, `no ${field} in ${kind}`);

interface AppliedChange {
  readonly action: string;
  readonly clause: ClauseId;
  /** The fields that were sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly to: FlowState;
}

/** A change whose response shows no view: forgets all fields but the constant ones. */
export function unseenChange(expected: Expected): void {
  for (const field of expected.keys()) if (!constant.has(field)) expected.delete(field);
}

/** A child may have changed its flow: forgets all fields but the constant ones and the state data. */
export function unseenChildren(expected: Expected, { stateData }: FieldNames): void {
  const data = expected.get(stateData);
  unseenChange(expected);
  if (isKnown(data)) expected.set(stateData, data);
}

/** The view in the response to an applied change: what was sent is there; the rest is kept or gone, by the target's rule. */
export function seenChanged(
  view: FlowView,
  change: AppliedChange,
  expected: Expected,
  rules: ViewRules,
): Departure | undefined {
  const { action, sent, clause, to } = change;
  const { stateData, waitData } = rules.fields;
  const isLoose = mayChangeByItself(to, rules.gaps);
  for (const field of watchedFields(rules.fields)) {
    const value = shown(view, field);
    const known = expected.get(field);
    if (value !== undefined) rules.shows.add(`${action} ${field}`);
    // Requesting a cancellation and completing it are different changes, and so are blocking and waiting.
    const kind = to.pending ? " (pending)" : to.phase === "blocked" ? " (blocked)" : "";
    // State and wait data may be kept as a pair: sending one of them replaces both.
    const data = [stateData, waitData].filter((name) => Object.hasOwn(sent, name));
    const after = `${field} after ${action}${kind}${data.length === 0 ? "" : ` with ${data.join(" and ")}`}`;
    // Of a flow that was sent none the target may show what it begins with, each time.
    const isBare =
      isData(field, rules) &&
      !isLoose &&
      (known === NEVER || action === "create_flow") &&
      !Object.hasOwn(sent, field) &&
      to.phase !== "blocked";
    if (isBare && !rules.learned.holds(`${after}, of a flow without`, value === undefined ? "none" : "some"))
      return departure(clause, `no ${field} that was not sent`, `some after ${action}`);
    if (field === "status") {
      const wrong = wrongStatus(value, change, rules);
      if (wrong !== undefined) return wrong;
    } else if (Object.hasOwn(sent, field) && sent[field] !== null) {
      const wrong =
        isData(field, rules) && value === undefined && isStored(change, field, rules) && to.phase !== "blocked";
      const isOther = value !== undefined && !isAsSent(field, sent[field], value, rules);
      if (isOther || wrong)
        return departure(
          field === "goal" ? "FLOW-GOAL" : clause,
          `${field} as it was sent`,
          isOther ? `another ${field}` : `no ${field}`,
        );
    } else if (isKnown(known) && !Object.hasOwn(sent, field) && !isItsOwn(field, rules.fields)) {
      const same = isDeepStrictEqual(value, known);
      const showsIt = rules.shows.has(`${action} ${field}`);
      if (value !== undefined && !same)
        return departure(clause, `${field} kept or gone`, `another ${field} after ${action}`);
      // Where a cancellation may be done already, it is unknown which of the two changes this is.
      const lawful = constant.has(field) ? same : isLoose || rules.learned.holds(after, same ? "kept" : "gone");
      if (!lawful && showsIt) return departure(clause, `${after} as the times before`, same ? "kept" : "gone");
    }
    // What the answer does not show a later read may: then it is what was sent.
    const given = isData(field, rules) && to.phase !== "blocked" ? (sent[field] ?? undefined) : undefined;
    if (value !== undefined) expected.set(field, value);
    else if (given !== undefined) expected.set(field, given);
    else if (isBare) expected.set(field, NEVER);
    else if (rules.shows.has(`${action} ${field}`)) expected.set(field, GONE);
    else expected.delete(field);
  }
  return undefined;
}

function wrongStatus(
  value: unknown,
  { action, clause, sent, to }: AppliedChange,
  rules: ViewRules,
): Departure | undefined {
  if (typeof value !== "string") return undefined;
  const seen = `${steady(value, "another status")} after ${action}`;
  // No other action has a status that the interface gives.
  const asked = action === "create_flow" && typeof sent["status"] === "string" ? sent["status"] : undefined;
  const named = asked ?? statusOf(to, rules);
  if (named !== undefined) {
    const isStated = asked !== undefined || statusOf(to, { gaps: {} }) !== undefined;
    const by = isStated ? clause : "STATE-DEFAULTS";
    return named === value ? undefined : departure(by, `status: ${named}`, seen);
  }
  // Of the statuses that the interface does not name, only that of a new flow has to be the same for every flow.
  if (to.phase !== "begun" || to.asked || to.pending || to.dirty) return undefined;
  if (rules.learned.holds("status of a new flow", value)) return undefined;
  return departure(clause, "the status that other new flows had", seen);
}
