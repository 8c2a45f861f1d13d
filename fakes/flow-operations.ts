/**
 * The changes that a bound session can make. Each is split in two, the check, which may refuse, and the write: the
 * synchronous runtime does both at once, the awaited one can be told to wait between them.
 */
import type {
  CancelInput,
  CancelResult,
  CreateFlowInput,
  CreateRefusal,
  FailInput,
  FinishInput,
  FlowRecord,
  MutationResult,
  ResumeInput,
  RevisionInput,
  RunTaskInput,
  RunTaskResult,
  SetWaitingInput,
  TaskRecord,
} from "../plugin/ports.ts";
import {
  addFlow,
  canaries,
  copyFlow,
  isActive,
  isTerminal,
  ownedFlow,
  writeFlow,
  type Changes,
  type ClearedField,
  type KeptFlow,
  type KeptRecord,
  type Store,
} from "./flow-store.ts";

/** A change after its check: refused, or ready to be written. */
export type Checked<Answer> = { refusal: Answer } | { write: () => Answer };

// The sentences of a real gateway: some plugins read the prose.
const reasons = {
  not_found: "Flow not found.",
  not_managed: "Flow does not accept managed child tasks.",
  revision_conflict: "Flow changed while cancellation was in progress.",
  cancel_requested: "Flow cancellation has already been requested.",
  cancel_pending: "One or more child tasks are still active.",
  task_not_created: "Task backing ownership could not be verified.",
} as const;
const flowNotPersisted = "Flow persistence failed.";
const taskNotPersisted = "Task persistence failed.";

const creatable = new Set(["queued", "running", "waiting", "blocked"]);

function alreadyEnded(record: FlowRecord): string {
  return `Flow is already ${record.status}.`;
}

export function create(
  store: Store,
  sessionKey: string,
  input: CreateFlowInput,
): Checked<FlowRecord | CreateRefusal | null> {
  const status = input.status ?? "queued";
  if (!creatable.has(status)) return { refusal: { created: false, code: "create_rejected" } };
  if (store.failing.has("create")) return { refusal: null };
  return {
    write: () => {
      const flow = addFlow(
        store,
        {
          sessionKey,
          syncMode: "managed",
          controllerId: input.controllerId,
          status,
          notifyPolicy: input.notifyPolicy ?? "done_only",
          goal: input.goal,
        },
        { currentStep: input.currentStep, stateJson: input.stateJson, waitJson: input.waitJson },
      );
      return copyFlow(flow.record);
    },
  };
}

/** The checks that all mutations share, in order, then the change. */
function mutate(
  store: Store,
  sessionKey: string,
  input: RevisionInput,
  change: (seen: KeptRecord) => { changes: Changes; cleared?: readonly ClearedField[] } | "mutation_rejected",
): Checked<MutationResult> {
  const flow = ownedFlow(store, sessionKey, input.flowId);
  if (flow === undefined) return { refusal: { applied: false, code: "not_found", reason: reasons.not_found } };
  const seen = flow.record;
  const refuse = (code: string): Checked<MutationResult> => ({
    refusal: { applied: false, code, current: copyFlow(seen) },
  });
  // A stale revision is reported before anything else about the flow.
  if (input.expectedRevision !== seen.revision) return refuse("revision_conflict");
  if (seen.syncMode !== "managed") return refuse("not_managed");
  if (isTerminal(seen)) return refuse("terminal");
  const decided = change(seen);
  if (decided === "mutation_rejected") return refuse(decided);
  if (store.failing.has("update")) return refuse("persist_failed");
  return {
    write: () => ({ applied: true, flow: writeFlow(store, flow, seen, decided.changes, decided.cleared) }),
  };
}

export function setWaiting(store: Store, sessionKey: string, input: SetWaitingInput): Checked<MutationResult> {
  const { currentStep, stateJson, waitJson, blockedTaskId, blockedSummary } = input;
  const status = blockedTaskId || blockedSummary ? "blocked" : "waiting";
  return mutate(store, sessionKey, input, () => ({
    changes: { status, currentStep, stateJson, waitJson, blockedTaskId, blockedSummary },
    cleared: ["blockedTaskId", "blockedSummary"],
  }));
}

export function resume(store: Store, sessionKey: string, input: ResumeInput): Checked<MutationResult> {
  const { status = "queued", currentStep, stateJson } = input;
  return mutate(store, sessionKey, input, (seen) =>
    seen.status === "waiting" || seen.status === "blocked"
      ? {
          changes: { status, currentStep, stateJson },
          cleared: ["waitJson", "blockedTaskId", "blockedSummary"],
        }
      : "mutation_rejected",
  );
}

export function finish(store: Store, sessionKey: string, input: FinishInput): Checked<MutationResult> {
  return mutate(store, sessionKey, input, () => ({
    changes: { status: "finished", stateJson: input.stateJson },
    cleared: ["waitJson", "blockedTaskId", "blockedSummary"],
  }));
}

export function fail(store: Store, sessionKey: string, input: FailInput): Checked<MutationResult> {
  const { stateJson, blockedTaskId, blockedSummary } = input;
  return mutate(store, sessionKey, input, () => ({
    changes: { status: "failed", stateJson, blockedTaskId, blockedSummary },
    cleared: ["waitJson"],
  }));
}

export function requestCancel(store: Store, sessionKey: string, input: RevisionInput): Checked<MutationResult> {
  return mutate(store, sessionKey, input, (seen) => ({ changes: cancelRequested(store, seen) }));
}

/** Keeps the date of the first request. */
function cancelRequested(store: Store, seen: KeptRecord): Changes {
  return { cancelRequestedAt: seen.cancelRequestedAt ?? store.clock.now() };
}

export function cancel(store: Store, sessionKey: string, input: CancelInput): Checked<CancelResult> {
  const flow = ownedFlow(store, sessionKey, input.flowId);
  if (flow === undefined) {
    return { refusal: { found: false, cancelled: false, code: "not_found", reason: reasons.not_found } };
  }
  const seen = flow.record;
  const answer = (code: string, reason: string): CancelResult => ({
    found: true,
    cancelled: false,
    code,
    reason,
    flow: copyFlow(flow.record),
    tasks: copyTasks(flow),
  });
  const refuse = (code: string, reason: string): Checked<CancelResult> => ({ refusal: answer(code, reason) });
  if (input.expectedRevision !== undefined && input.expectedRevision !== seen.revision) {
    return refuse("revision_conflict", reasons.revision_conflict);
  }
  if (seen.syncMode !== "managed") return refuse("not_managed", reasons.not_managed);
  if (isTerminal(seen)) return refuse("terminal", alreadyEnded(seen));
  if (flow.cancelPending) return refuse("cancel_pending", reasons.cancel_pending);
  if (store.failing.has("cancel")) return refuse("persist_failed", flowNotPersisted);
  return {
    write: () => {
      if (!flow.tasks.some(isActive)) return { found: true, cancelled: true, ...cancelled(store, flow, seen) };
      writeFlow(store, flow, seen, cancelRequested(store, seen));
      flow.cancelPending = true;
      return answer("cancel_pending", reasons.cancel_pending);
    },
  };
}

function cancelled(store: Store, flow: KeptFlow, seen: KeptRecord): { flow: FlowRecord; tasks: TaskRecord[] } {
  const changes = { status: "cancelled", ...cancelRequested(store, seen) };
  return { flow: writeFlow(store, flow, seen, changes), tasks: copyTasks(flow) };
}

/** Cancels a flow whose cancellation was pending, once no child task is active. */
export function completePendingCancel(store: Store, flow: KeptFlow): void {
  if (flow.cancelPending && !flow.tasks.some(isActive)) cancelled(store, flow, flow.record);
}

function copyTasks(flow: KeptFlow): TaskRecord[] {
  return flow.tasks.map((task) => ({ ...task }));
}

export function runTask(store: Store, sessionKey: string, input: RunTaskInput): Checked<RunTaskResult> {
  const flow = ownedFlow(store, sessionKey, input.flowId);
  if (flow === undefined) {
    return { refusal: { found: false, created: false, code: "not_found", reason: reasons.not_found } };
  }
  const seen = flow.record;
  const refuse = (code: string, reason: string): Checked<RunTaskResult> => ({
    refusal: { found: true, created: false, code, reason, flow: copyFlow(seen) },
  });
  if (seen.syncMode !== "managed") return refuse("not_managed", reasons.not_managed);
  if (isTerminal(seen)) return refuse("terminal", alreadyEnded(seen));
  if (seen.cancelRequestedAt !== undefined) return refuse("cancel_requested", reasons.cancel_requested);
  // Otherwise a route would act with the authority of another session.
  if (input.childSessionKey && input.childSessionKey !== sessionKey && store.sessions.has(input.childSessionKey)) {
    return refuse("task_not_created", reasons.task_not_created);
  }
  if (store.failing.has("task")) return refuse("persist_failed", taskNotPersisted);
  return {
    write: () => {
      const task = newTask(store, sessionKey, input);
      flow.tasks.push(task);
      return { created: true, flow: copyFlow(flow.record), task: { ...task } };
    },
  };
}

const optionalTexts = [
  "sourceId",
  "childSessionKey",
  "parentTaskId",
  "agentId",
  "runId",
  "label",
  "progressSummary",
] as const;

function newTask(store: Store, sessionKey: string, input: RunTaskInput): TaskRecord {
  const now = store.clock.now();
  const task: TaskRecord = {
    taskId: store.newId(),
    runtime: input.runtime,
    parentFlowId: input.flowId,
    task: input.task,
    status: input.status ?? "queued",
    deliveryStatus: "pending",
    notifyPolicy: input.notifyPolicy ?? "done_only",
    scopeKind: "session",
    createdAt: now,
    ownerKey: sessionKey,
    requesterSessionKey: canaries[1],
  };
  for (const field of optionalTexts) {
    const text = input[field];
    if (text !== null && text !== undefined) task[field] = text;
  }
  if (task.status === "running") {
    task.startedAt = input.startedAt ?? now;
    task.lastEventAt = input.lastEventAt ?? task.startedAt;
  }
  return task;
}
