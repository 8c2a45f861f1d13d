/**
 * The model that judges: the states that one flow may be in. Each answer narrows them, in a sequence as among overlapping
 * requests. Where none is left, the answer departs from the interface.
 */
import {
  isHeld,
  mayChangeByItself,
  outcomesOf,
  type Allowed,
  type FlowAction,
  type FlowState,
  type Gaps,
  type Operation,
  type SentRevision,
} from "../interface/flow-model.ts";
import { steady } from "../harness/open-values.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import { departure, type Departure } from "../harness/finding.ts";
import type { Sequential } from "./linearizable.ts";

/** A request about the flow, and its answer. */
export interface FlowOperation extends Omit<Operation, "action" | "revision"> {
  readonly action: FlowAction | "read";
  readonly sent?: number | undefined;
  /** No answer has shown the flow with the revision that was sent. */
  readonly isUnseen?: boolean;
  readonly status: number;
  readonly accepted: boolean;
  readonly code?: string | undefined;
  /** The flow's revision and status in the answer, where it holds a view of it. */
  readonly shows?: number | undefined;
  readonly showsStatus?: string | undefined;
}

export interface State {
  readonly flow: FlowState;
  readonly revision: number;
  /** The revision is a later one, which no answer has shown yet. */
  readonly isLater: boolean;
}

export type States = readonly [State, ...State[]];

/** One lawful outcome for a flow in one of its states. */
export interface Way {
  readonly state: State;
  readonly allowed: Allowed;
}

/** What overlapping requests make of a flow. `initial`: what it may be before; `taken`: the actions that it was seen to accept. */
export const flowHistory = (
  gaps: Gaps,
  initial: States,
  taken: ReadonlySet<string>,
): Sequential<State, FlowOperation> => ({
  initial,
  after(state, operation) {
    if (isFree(operation, gaps, taken)) return [state];
    const ways = waysOf([state], operation, gaps).filter(({ allowed }) => agrees(allowed, operation));
    const isRead = operation.action === "read";
    return statesIn(isRead ? [read(state, operation, gaps)] : ways.flatMap((way) => outcome(way, operation, gaps)));
  },
  keyOf,
});

const keyOf = ({ flow, revision, isLater }: State): string => `${Object.values(flow).join(" ")} ${revision} ${isLater}`;

export function statesIn(left: readonly (State | Departure)[]): State[] {
  const states = left.filter((one) => "flow" in one);
  const keys = states.map(keyOf);
  return states.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

/** A refusal for fields that the interface does not give is not judged. */
function isFree({ action, accepted, status }: FlowOperation, gaps: Gaps, taken: ReadonlySet<string>): boolean {
  if ((action !== "run_task" && action !== "cancel_flow") || accepted) return false;
  if (status === 400 || status === 422) return true;
  return gaps["cancel.status"] === undefined && !taken.has(action) && status >= 400 && status !== 401;
}

/** Every lawful outcome of a request for an action. */
export function waysOf(states: readonly State[], { action, ...how }: FlowOperation, gaps: Gaps): Way[] {
  if (action === "read") return [];
  // A target may show a flow that is blocked as one that waits.
  const forms = how.blocking === true ? [how, { ...how, blocking: false }] : [how];
  return states.flatMap((state) =>
    relations(state, how)
      .flatMap((revision) => forms.flatMap((form) => outcomesOf(state.flow, { ...form, action, revision }, gaps)))
      .map((allowed) => ({ state, allowed })),
  );
}

/** More changes than a flow makes without a request. */
const BY_ITSELF = 5;

/** Whether the revision that was sent is current, stale or ahead; several where the flow's own is not known exactly. */
function relations(
  { revision, isLater }: State,
  { sent, isUnseen = false }: Pick<FlowOperation, "sent" | "isUnseen">,
): (SentRevision | undefined)[] {
  if (sent === undefined) return [undefined];
  if (sent < revision || (isLater && sent === revision)) return [isUnseen ? "beyond" : "stale"];
  if (isLater) return ["current", "stale", "future"];
  return [sent === revision ? "current" : sent > revision + BY_ITSELF ? "beyond" : "future"];
}

/** Whether an answer is one that an outcome allows, but for what it shows. */
export const agrees = ({ accepted, status, code }: Allowed, answer: FlowOperation): boolean =>
  accepted === answer.accepted &&
  (status ?? answer.status) === answer.status &&
  (code === undefined || code === answer.code) &&
  (accepted || answer.status >= 400 || (answer.status < 300 && answer.code !== undefined));

/** The state after a view of a flow that no request has changed: the same object where the view adds nothing. */
export function read(
  state: State,
  { shows, showsStatus }: Pick<FlowOperation, "shows" | "showsStatus">,
  gaps: Gaps,
  kind = "a view",
): State | Departure {
  if (shows === undefined) return state;
  const { revision, isLater } = state;
  const isLoose = mayChangeByItself(state.flow, gaps);
  const isNext = (isLater || isLoose) && shows > revision;
  if (!isNext && isLater) return departure("REVISION-ADVANCES", ...ANOTHER);
  if (shows < revision)
    return departure("REVISION-ADVANCES", "no revision before the one that the last answer showed", `one in ${kind}`);
  if (!isNext && shows > revision)
    return departure("REVISION-UNCHANGED", "the flow's revision", `a later one in ${kind}`);
  const status = isLoose ? undefined : showsStatus;
  return (
    flowStatusFault(state.flow, status, gaps, "REVISION-UNCHANGED", `in ${kind}`) ?? at(state, shows, status, gaps)
  );
}

function at(state: State, revision: number, status: string | undefined, gaps: Gaps): State {
  const flow = settledBy(state.flow, status, gaps);
  const isSame = flow === state.flow && revision === state.revision && !state.isLater;
  return isSame ? state : { flow, revision, isLater: false };
}

/** After a change by a child or a cancellation, the phase is known again once a view shows whether the flow waits. */
function settledBy(flow: FlowState, status: string | undefined, gaps: Gaps): FlowState {
  if (!flow.dirty || status === undefined) return flow;
  const settled = { ...flow, dirty: false };
  if (status === "waiting" || status === "blocked") return { ...settled, phase: status };
  return isHeld(flow) || (statusOf(settled, gaps) ?? status) !== status ? flow : settled;
}

const ANOTHER = ["a revision that the flow did not have before", "an old revision"] as const;

/** Whether these advance the revision is a gap. */
const byProfile: readonly ClauseId[] = ["STATE-CANCEL", "STATE-CANCEL-PENDING", "STATE-REQUEST-CANCEL"];

/** The state behind a refusal: a conflict says that the flow has another revision by now (section 7). */
export function refused(state: State, { code, sent, shows }: FlowOperation): State | Departure {
  if (code !== "revision_conflict" || sent !== state.revision || state.isLater) return state;
  if (shows === sent) return departure("REVISION-STALE", "no revision_conflict with the flow's own revision", "one");
  return { ...state, isLater: true };
}

/** The states after a request with one of its lawful outcomes. */
export function outcome({ state, allowed }: Way, operation: FlowOperation, gaps: Gaps): (State | Departure)[] {
  const { action, sent, shows, showsStatus } = operation;
  if (!allowed.accepted) {
    const left = refused(state, operation);
    return ["clause" in left ? left : read(left, operation, gaps)];
  }
  const { to = state.flow, revision, clause } = allowed;
  // A change was applied, so the revision that it sent was the flow's; cancel_flow may take no notice of it.
  const isSent = sent !== undefined && action !== "cancel_flow";
  const kept: State = { flow: to, revision: isSent ? sent : state.revision, isLater: state.isLater && !isSent };
  if (shows === undefined) return unseen(kept, revision);
  const wrong =
    revisionFault(state.flow, kept, allowed, shows, gaps) ??
    flowStatusFault(to, showsStatus, gaps, clause, `after ${action}`);
  return [wrong ?? at(kept, shows, showsStatus, gaps)];
}

/** `before`: the flow before the change; then the flow after it, with the revision that it had. */
function revisionFault(
  before: FlowState,
  { flow, revision, isLater }: State,
  { revision: change, clause }: Allowed,
  shows: number,
  gaps: Gaps,
): Departure | undefined {
  if (change === "same" && !isLater && shows !== revision)
    return departure("STATE-DEFAULTS", "the revision as it was", "another revision");
  if (shows < revision) return departure("REVISION-ADVANCES", "a later revision", "an earlier one");
  if (shows > revision) return isLater ? undefined : stepFault(before, flow, shows - revision, gaps);
  const isRight = change !== "new" && !isLater;
  return isRight
    ? undefined
    : departure(byProfile.includes(clause) ? "STATE-DEFAULTS" : "REVISION-ADVANCES", ...ANOTHER);
}

function stepFault(before: FlowState, flow: FlowState, by: number, gaps: Gaps): Departure | undefined {
  const step = gaps["flow.revision-step"] ?? by;
  // A cancellation may be two changes: that it is requested, and that it is done.
  const isLoose = mayChangeByItself(flow, gaps) || mayChangeByItself(before, gaps);
  if (by === step || isLoose || flow.phase === "cancelled" || flow.pending) return undefined;
  return departure("STATE-DEFAULTS", `the revision ${step} on`, "another one");
}

/** The states after a change that no answer shows. */
export function unseen(state: State, revision: Allowed["revision"]): State[] {
  const later = { ...state, isLater: true };
  return revision === "same" ? [state] : revision === "any" ? [state, later] : [later];
}

/** A status that is not the one that the interface or the profile gives a state. */
export function flowStatusFault(
  state: FlowState,
  status: string | undefined,
  gaps: Gaps,
  clause: ClauseId,
  where: string,
): Departure | undefined {
  const named = statusOf(state, gaps);
  if (named === undefined || status === undefined || named === status) return undefined;
  const isStated = statusOf(state, {}) !== undefined;
  const actual = `${steady(status, "another status")} ${where}`;
  return departure(isStated ? clause : "STATE-DEFAULTS", `status: ${named}`, actual);
}

/** The status that the interface or the profile gives a state; undefined where neither does. */
function statusOf(state: FlowState, gaps: Gaps): string | undefined {
  if (state.phase === "cancelled") return gaps["cancel.status"];
  if (state.phase === "finished" || state.phase === "failed") return state.phase;
  if (state.dirty) return undefined;
  const keeps = gaps["cancel.request-keeps-status"] === true;
  if ((state.asked || state.pending) && !keeps) return undefined;
  if (state.phase === "begun") return gaps["flow.default-status"];
  if (state.phase === "resumed") return gaps["flow.resumed-status"];
  return state.phase;
}
