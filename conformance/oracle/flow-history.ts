/** The sequential model of one flow: what requests do one after the other. `explained` looks for such an order. */
import {
  mayChangeByItself,
  newFlow,
  outcomesOf,
  type Allowed,
  type FlowAction,
  type FlowState,
  type Gaps,
} from "../interface/flow-model.ts";
import { statusOf } from "./flow-views.ts";
import type { Sequential } from "./linearizable.ts";

/** A request about the flow, and what its answer showed. */
export interface FlowOperation {
  readonly action: FlowAction | "read";
  /** The revision that was sent. */
  readonly sent?: number;
  readonly status: number;
  readonly accepted: boolean;
  readonly code?: string;
  /** The flow's revision and status in the answer, where it holds a view of it. */
  readonly shows?: number;
  readonly showsStatus?: string;
  /** A read that does not show the flow although others have: nothing in the interface removes a flow. */
  readonly isLost?: boolean;
}

interface State {
  readonly flow: FlowState;
  readonly revision: number;
  /** The revision is a later one, which no answer has shown yet. */
  readonly isLater: boolean;
}

/** The flow as it was created, with its first revision. `taken`: the actions that it was seen to accept. */
export const flowHistory = (
  gaps: Gaps,
  revision: number,
  taken: ReadonlySet<string>,
): Sequential<State, FlowOperation> => ({
  initial: { flow: newFlow("begun"), revision, isLater: false },
  after: (state, operation) =>
    operation.action === "read"
      ? read(state, operation, gaps)
      : isFree(operation, gaps, taken)
        ? [state]
        : change(state, operation, gaps),
  keyOf: ({ flow, revision: known, isLater }) => `${Object.values(flow).join(" ")} ${known} ${isLater}`,
});

const isLoose = ({ flow }: State, gaps: Gaps): boolean => mayChangeByItself(flow, gaps);

/** The states that a view allows: the same object where the view adds nothing. */
function read(state: State, { shows, showsStatus, isLost }: FlowOperation, gaps: Gaps): State[] {
  if (isLost === true) return [];
  if (shows === undefined) return [state];
  const loose = isLoose(state, gaps);
  const named = loose ? undefined : statusOf(state.flow, { gaps });
  if (named !== undefined && showsStatus !== undefined && named !== showsStatus) return [];
  if (state.isLater || loose) {
    if (shows < state.revision || (state.isLater && shows === state.revision)) return [];
    return shows === state.revision ? [state] : [{ ...state, revision: shows, isLater: false }];
  }
  return shows === state.revision ? [state] : [];
}

/** A refusal for fields that the interface does not give is not judged. */
function isFree({ action, accepted, status }: FlowOperation, gaps: Gaps, taken: ReadonlySet<string>): boolean {
  if ((action !== "run_task" && action !== "cancel_flow") || accepted) return false;
  if (status === 400 || status === 422) return true;
  return gaps["cancel.status"] === undefined && !taken.has(action) && status >= 400 && status !== 401;
}

function change(state: State, operation: FlowOperation, gaps: Gaps): State[] {
  const { action, accepted, status, code, sent } = operation;
  if (action === "read") return [];
  const found: State[] = [];
  for (const revision of relations(state, sent)) {
    for (const allowed of outcomesOf(state.flow, { action, ...(revision && { revision }) }, gaps)) {
      // What changes nothing may leave the revision, unless the profile says by how much a change advances it.
      const changesNothing = action === "set_waiting" && allowed.to?.phase === state.flow.phase;
      const mayStay = changesNothing && gaps["flow.revision-step"] === undefined;
      const one: Allowed = mayStay ? { ...allowed, revision: "any" } : allowed;
      const agrees =
        one.accepted === accepted &&
        (one.status ?? status) === status &&
        (one.code === undefined || one.code === code) &&
        (accepted || status >= 400);
      if (agrees) found.push(...(accepted ? applied(state, one, operation, gaps) : read(state, operation, gaps)));
    }
  }
  return found.filter((one, index) => found.indexOf(one) === index);
}

/** How a revision that was sent may stand to the flow's own. */
function relations(
  { revision, isLater }: State,
  sent: number | undefined,
): ("current" | "stale" | "future" | undefined)[] {
  if (sent === undefined) return [undefined];
  if (isLater) return sent <= revision ? ["stale"] : ["current", "stale", "future"];
  return [sent === revision ? "current" : sent < revision ? "stale" : "future"];
}

function applied(state: State, { to, revision }: Allowed, operation: FlowOperation, gaps: Gaps): State[] {
  const { sent, shows, showsStatus } = operation;
  const flow = to ?? state.flow;
  // The request was applied, so the revision that it sent was the flow's.
  const before = state.isLater && sent !== undefined ? sent : state.revision;
  const isKnown = !state.isLater || sent !== undefined;
  const kept: State = isKnown ? { flow, revision: before, isLater: false } : { ...state, flow };
  if (revision === "same" || (revision === "any" && shows === before)) return read(kept, operation, gaps);
  const later: State = { flow, revision: before, isLater: true };
  if (shows === undefined) return revision === "any" ? [kept, later] : [later];
  if (shows <= before) return [];
  const stepBy = gaps["flow.revision-step"];
  // A cancellation may be two changes: that it is requested, and that it is done.
  const isCancelling =
    isLoose(state, gaps) || mayChangeByItself(flow, gaps) || flow.phase === "cancelled" || flow.pending;
  if (revision === "new" && stepBy !== undefined && isKnown && !isCancelling && shows !== before + stepBy) return [];
  const then: State = { flow, revision: shows, isLater: false };
  const named = isLoose(then, gaps) ? undefined : statusOf(flow, { gaps });
  return named === undefined || showsStatus === undefined || named === showsStatus ? [then] : [];
}
