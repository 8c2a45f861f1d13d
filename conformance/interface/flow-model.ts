/**
 * The model: what the interface says a TaskFlow does, as plain data and one pure function. Written from the
 * interface alone. Where that is silent it allows what the profile names, or every outcome under a key by which the
 * target's first answer is learned and held against it.
 */
import type { ClauseId } from "./clauses/index.ts";
import type { Profile } from "./gaps.ts";

/** `begun`: created without a status; `resumed`: after resume_flow, whose next state the interface leaves open. */
type Phase = "begun" | "queued" | "resumed" | "waiting" | "blocked" | "finished" | "failed" | "cancelled";

export interface FlowState {
  readonly phase: Phase;
  /** request_cancel was applied. */
  readonly asked: boolean;
  /** cancel_flow was answered 202 and waits for children. */
  readonly pending: boolean;
  /** Child tasks that have not ended, and all of them. */
  readonly active: number;
  readonly tasks: number;
  /** The phase may be another one by now: a child came or ended, or a cancellation proceeds. The next view shows it. */
  readonly dirty: boolean;
}

/** A profile's, and what the judge may suppose and confirm: that children leave their flow alone until a request comes. */
export type Gaps = Profile["gaps"] & { readonly childrenStay?: true };

/** The actions that change a flow and need its revision. */
export const changeActions = ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const;
export type ChangeAction = (typeof changeActions)[number];
/** The actions about one flow that the model judges by its state. */
export const flowActions = [...changeActions, "cancel_flow", "run_task"] as const;
export type FlowAction = (typeof flowActions)[number];

/** `beyond`: so far ahead that a flow that has changed by itself does not have it either. */
export type SentRevision = "current" | "stale" | "future" | "beyond";

/** A request about a flow, reduced to what its outcome depends on beside the flow's state. */
export interface Operation {
  readonly action: FlowAction;
  /** How the revision that was sent stands to the flow's own; absent where none was sent. */
  readonly revision?: SentRevision | undefined;
  /** set_waiting with what makes a flow blocked. */
  readonly blocking?: boolean;
  /** The rule that refuses its fields, and with which status and code. */
  readonly wrong?: Pick<Allowed, "clause" | "status" | "code">;
  /** A name for fields of which the interface does not say whether they are right. */
  readonly open?: string;
  /** False of a set_waiting with data that are not there. */
  readonly repeats?: boolean;
}

export interface Allowed {
  readonly accepted: boolean;
  readonly status?: number;
  readonly code?: string;
  /** The state afterwards; unchanged where it is absent. */
  readonly to?: FlowState;
  /** Whether the flow has another revision afterwards; `any`: the interface does not say. */
  readonly revision: "new" | "same" | "any";
  /** The interface is silent: the first answer under this key is the target's own rule. */
  readonly learns?: string | undefined;
  readonly clause: ClauseId;
  /** The clause of its code, where that is the profile's. */
  readonly codeClause?: ClauseId;
}

export const isEnded = ({ phase }: FlowState): boolean =>
  phase === "finished" || phase === "failed" || phase === "cancelled";

/** Only such a flow is resumed. */
export const isHeld = ({ phase }: FlowState): boolean => phase === "waiting" || phase === "blocked";

export const newFlow = (phase: "begun" | "queued"): FlowState => ({
  phase,
  asked: false,
  pending: false,
  active: 0,
  tasks: 0,
  dirty: false,
});

/** A flow that may change without any request. */
export const mayChangeByItself = (flow: FlowState, gaps: Gaps): boolean =>
  cancellationGoesOn(flow, gaps) || childrenMayChange(flow, gaps);

/** A child may end at any moment, and only a profile says that this is no change of its flow. */
const childrenMayChange = ({ active }: FlowState, gaps: Gaps): boolean =>
  active > 0 && gaps["task.keeps-revision"] !== true && gaps.childrenStay !== true;

/** The interface does not say when and how a cancellation is completed. */
function cancellationGoesOn({ phase, asked, pending }: FlowState, gaps: Gaps): boolean {
  const isNamed = gaps["cancel.status"] !== undefined;
  if (pending || phase === "cancelled") return !isNamed;
  if (!asked || phase === "finished" || phase === "failed") return false;
  return !isNamed || gaps["cancel.completes"] === undefined || gaps["cancel.request-keeps-status"] !== true;
}

/** The state as people call it: the columns of the visit table. */
export const visitColumns = [
  "new",
  "waiting",
  "blocked",
  "resumed",
  "cancel-requested",
  "cancel-pending",
  "finished",
  "failed",
  "cancelled",
] as const;
export type Column = (typeof visitColumns)[number];

export function columnOf(flow: FlowState): Column {
  if (isEnded(flow)) return flow.phase as Column;
  if (flow.pending) return "cancel-pending";
  if (flow.asked) return "cancel-requested";
  return flow.phase === "begun" || flow.phase === "queued" ? "new" : flow.phase;
}

const refuse = (clause: ClauseId, as: Pick<Allowed, "status" | "code" | "codeClause"> = {}): Allowed => ({
  ...as,
  accepted: false,
  revision: "same",
  clause,
});

/** Active children that every target has to take; how many more is open. */
const FEWEST_ACTIVE = 3;

const conflict = refuse("REVISION-STALE", { status: 409, code: "revision_conflict" });

/** The next state for each change that applies, and its clause. */
const changes = {
  set_waiting: (flow: FlowState, { blocking }: Operation) => ({
    to: { ...flow, phase: blocking === true ? "blocked" : "waiting", dirty: false } as const,
    clause: "STATE-SET-WAITING",
  }),
  resume_flow: (flow: FlowState) => ({
    to: { ...flow, phase: "resumed", dirty: false } as const,
    clause: "STATE-RESUME",
  }),
  finish_flow: (flow: FlowState) => ({ to: ended(flow, "finished"), clause: "STATE-FINISH" }),
  fail_flow: (flow: FlowState) => ({ to: ended(flow, "failed"), clause: "STATE-FAIL" }),
  request_cancel: (flow: FlowState) => ({ to: { ...flow, asked: true }, clause: "STATE-REQUEST-CANCEL" }),
} as const satisfies Record<string, (flow: FlowState, by: Operation) => { to: FlowState; clause: ClauseId }>;

function ended(flow: FlowState, phase: "finished" | "failed" | "cancelled"): FlowState {
  return { ...flow, phase, pending: false, dirty: false };
}

/** Every lawful outcome of an operation on a flow in this state. */
export function outcomesOf(flow: FlowState, by: Operation, gaps: Gaps): readonly Allowed[] {
  const { wrong, open, ...right } = by;
  if (wrong !== undefined) return withWrongFields(outcomesOf(flow, right, gaps), wrong);
  if (open !== undefined) return withOpenFields(outcomesOf(flow, right, gaps), `${by.action} with ${open}`);
  if (by.revision !== undefined && by.revision !== "current") return withOtherRevision(flow, by, gaps);
  if (by.action === "cancel_flow") return cancel(flow, gaps);
  return by.action === "run_task" ? runTask(flow, gaps) : change(flow, by, by.action, gaps);
}

/**
 * Whether fields are checked before the flow's state is open, except for those of a running task and where a profile gives
 * the refusal by state a code.
 */
function withWrongFields(byState: readonly Allowed[], wrong: NonNullable<Operation["wrong"]>): readonly Allowed[] {
  const isFirst = wrong.clause === "RUN-TASK-RUNNING-FIELDS";
  const others = byState.filter(({ accepted, code }) => !isFirst && !accepted && code === undefined);
  return [refuse(wrong.clause, wrong), ...others.map((one) => ({ ...one, learns: undefined }))];
}

/** A rule of the target is learned only where its state would allow the action, and nothing else. */
function withOpenFields(byState: readonly Allowed[], learns: string): readonly Allowed[] {
  const refused = refuse("ERROR-INVALID");
  const isRule = byState.length === 1 && byState[0]?.accepted === true;
  return [...byState, refused].map((one) => ({ ...one, learns: isRule ? learns : undefined }));
}

function withOtherRevision(flow: FlowState, by: Operation, gaps: Gaps): readonly Allowed[] {
  // The interface shows no revision of cancel_flow: a target may refuse the field, or take no notice of it.
  if (by.action === "cancel_flow" && gaps["cancel.honours-revision"] !== true)
    return [refuse("REVISION-STALE"), ...cancel(flow, gaps)];
  if (by.revision === "stale") return [conflict];
  const refused = refuse("REVISION-UNCHANGED");
  // A flow that has changed by itself meanwhile may have that revision.
  return by.revision === "future" && mayChangeByItself(flow, gaps)
    ? [refused, ...outcomesOf(flow, { ...by, revision: "current" }, gaps)]
    : [refused];
}

function change(flow: FlowState, by: Operation, action: ChangeAction, gaps: Gaps): readonly Allowed[] {
  const { to, clause } = changes[action](flow, by);
  const applied: Allowed = { accepted: true, to, revision: revisionAfter(flow, by, to, gaps), clause };
  if (action === "resume_flow") {
    if (flow.dirty || (!isEnded(flow) && childrenMayChange(flow, gaps))) return eitherWay(flow, action, gaps, applied);
    if (!isHeld(flow)) return [resumeRefused(flow, gaps)];
  }
  const code = gaps["terminal.code"];
  // A child that has ended meanwhile may have advanced the revision.
  const late = childrenMayChange(flow, gaps) ? [conflict] : [];
  if (isEnded(flow) && code !== undefined) return [refuse("STATE-TERMINAL", { code }), ...late];
  // To finish a flow again, or to request its cancellation again, may change nothing.
  const isAgain = isEnded(flow) || ((flow.asked || flow.pending) && action === "request_cancel");
  if (isAgain) return eitherWay(flow, action, gaps, { ...applied, revision: "any" });
  return flow.asked || flow.pending ? eitherWay(flow, action, gaps, applied) : [applied, ...late];
}

/** What changes nothing that a caller could see may leave the revision as it is. */
function revisionAfter(flow: FlowState, { action, repeats }: Operation, to: FlowState, gaps: Gaps): "any" | "new" {
  const isAgain = action === "set_waiting" && repeats !== false && to.phase === flow.phase;
  const mayKeep = isAgain || action === "request_cancel";
  return mayKeep && gaps["flow.revision-step"] === undefined ? "any" : "new";
}

function resumeRefused(flow: FlowState, gaps: Gaps): Allowed {
  const code = isEnded(flow) ? gaps["terminal.code"] : gaps["resume.code"];
  const isOpen = code === undefined || mayChangeByItself(flow, gaps);
  return refuse("STATE-RESUME-ONLY", isOpen ? {} : { code, codeClause: "STATE-TERMINAL" });
}

/** Where the interface does not say whether an action applies: accepted or refused, but the same each time. */
function eitherWay(flow: FlowState, action: FlowAction, gaps: Gaps, applied: Allowed, ...others: Allowed[]): Allowed[] {
  const outcomes = [applied, ...others, refuse(applied.clause)];
  // Responses do not show what changed by itself, so one of them is no rule for the next.
  if (mayChangeByItself(flow, gaps)) return outcomes.map((one) => (one.accepted ? { ...one, revision: "any" } : one));
  if (flow.dirty) return outcomes;
  const children = flow.active > 0 ? " with active children" : "";
  const before = isEnded(flow) ? (flow.asked ? ", asked to cancel" : "") : `, ${flow.phase}`;
  const learns = `${action} of a flow: ${columnOf(flow)}${before}${children}`;
  return outcomes.map((one) => ({ ...one, learns }));
}

/** Without a named status the cancellation may be completed a moment after its response: a view shows it. */
const cancelled = (flow: FlowState, isNamed: boolean): FlowState => ({
  ...ended(flow, "cancelled"),
  active: 0,
  ...(!isNamed && { asked: true, dirty: true }),
});

function cancel(flow: FlowState, gaps: Gaps): readonly Allowed[] {
  if (isEnded(flow) || flow.pending) return cancelAgain(flow, gaps);
  const isNamed = gaps["cancel.status"] !== undefined;
  const clause = "STATE-CANCEL";
  const over: Allowed = { accepted: true, to: cancelled(flow, isNamed), revision: "any", clause };
  // A cancellation that was requested may be completed by now.
  const completed = cancellationGoesOn(flow, gaps) ? [refuse(clause)] : [];
  if (flow.active === 0) return [{ ...over, revision: isNamed ? "new" : "any" }, ...completed];
  const waits: Allowed = {
    ...waiting(gaps),
    accepted: true,
    to: { ...flow, pending: true },
    // Where it was requested before, the flow need not change.
    revision: isNamed && !flow.asked ? "new" : "any",
  };
  // A target may end the children first, or they have ended: then none is active any more.
  const mayBeOver = gaps["cancel.pending-code"] === undefined || gaps["task.keeps-revision"] !== true;
  return [waits, ...(mayBeOver ? [over] : []), ...completed];
}

/** What an accepted one says while children are active. */
function waiting({ "cancel.pending-code": code }: Gaps) {
  const coded = code === undefined ? {} : ({ code, codeClause: "ERROR-CANCEL-CODES" } as const);
  return { status: 202, ...coded, clause: "STATE-CANCEL-PENDING" } as const;
}

/** cancel_flow of a flow that has ended, or whose cancellation waits for children. */
function cancelAgain(flow: FlowState, gaps: Gaps): readonly Allowed[] {
  const code = gaps["terminal.code"];
  if (isEnded(flow) && code !== undefined) return [refuse("STATE-TERMINAL", { code })];
  const isNamed = gaps["cancel.status"] !== undefined;
  const isSure = flow.pending && flow.active > 0 && isNamed && !childrenMayChange(flow, gaps);
  const stays: Allowed = {
    accepted: true,
    to: flow,
    revision: isNamed ? "same" : "any",
    clause: "STATE-CANCEL",
    ...(isSure && waiting(gaps)),
  };
  // The interface asks of a flow only that it exists: one that has ended may be cancelled all the same.
  const changes = !isNamed && isEnded(flow) ? [{ ...stays, to: cancelled(flow, isNamed) }] : [];
  return eitherWay(flow, "cancel_flow", gaps, stays, ...changes);
}

function runTask(flow: FlowState, gaps: Gaps): readonly Allowed[] {
  const added: Allowed = {
    accepted: true,
    to: { ...flow, active: flow.active + 1, tasks: flow.tasks + 1, dirty: becomesDirty(flow, gaps) },
    revision: gaps["task.keeps-revision"] === true ? "same" : "any",
    clause: "ACTION-RUN-TASK",
  };
  const action = "run_task";
  if (isEnded(flow)) {
    const code = gaps["task.ended-code"];
    return code === undefined ? eitherWay(flow, action, gaps, added) : [refuse("STATE-TERMINAL", { code })];
  }
  if (flow.active >= FEWEST_ACTIVE && !flow.asked && !flow.pending) return [added, refuse("ACTION-RUN-TASK")];
  if (!flow.asked && !flow.pending) return [added];
  const status = gaps["status.cancel_requested"];
  if (status === undefined || mayChangeByItself(flow, gaps)) return eitherWay(flow, action, gaps, added);
  return [refuse("ERROR-CANCEL-CODES", { status, code: "cancel_requested" })];
}

/** A child may change its flow's phase, unless the profile says that it leaves the flow alone. */
const becomesDirty = (flow: FlowState, gaps: Gaps): boolean => !isEnded(flow) && gaps["task.keeps-revision"] !== true;

/** What the end of a child makes of its flow: the last one may complete a cancellation that waits for it. */
export function settle(flow: FlowState, gaps: Gaps): readonly Pick<Allowed, "to" | "revision" | "clause">[] {
  const left = { ...flow, active: Math.max(0, flow.active - 1), dirty: flow.dirty || becomesDirty(flow, gaps) };
  const clause = "STATE-CANCEL-PENDING";
  const stays = { to: left, revision: gaps["task.keeps-revision"] === true ? "same" : "any", clause } as const;
  if (!flow.pending || left.active > 0) return [stays];
  const over = { to: ended(left, "cancelled"), revision: "new", clause } as const;
  const completes = gaps["cancel.completes"];
  return completes === undefined ? [stays, over] : [completes ? over : stays];
}
