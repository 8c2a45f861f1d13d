/**
 * The changes that a bound session can make. Each is split in two, the check, which may refuse, and the write: the
 * synchronous runtime does both at once, the awaited one can be told to wait between them.
 *
 * A mutation may be refused as not_found (also a flow of another session), revision_conflict, not_managed or
 * persist_failed, and by a checking runtime as terminal or mutation_rejected. `cancel` and `runTask` say why in prose.
 */
import type {
  CancelInput,
  CancelResult,
  CreateFlowInput,
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
  finishedIn,
  isActive,
  isTerminal,
  noteLeft,
  ownedFlow,
  writeFlow,
  type Changes,
  type ClearedField,
  type KeptFlow,
  type KeptRecord,
  type Left,
  type Store,
} from "./flow-store.ts";

/** A change after its check: refused, or ready to be written. */
export type Checked<Answer> = { refusal: Answer } | { write: () => Answer };

/** `cancel` and `runTask` say why in these sentences of a real gateway, and in no code. */
const reasons = {
  notFound: "Flow not found.",
  notManaged: "Flow does not accept managed child tasks.",
  changed: "Flow changed while cancellation was in progress.",
  cancelRequested: "Flow cancellation has already been requested.",
  cancelPending: "One or more child tasks are still active.",
  notOwned: "Task backing ownership could not be verified.",
  flowNotPersisted: "Flow persistence failed.",
  taskNotPersisted: "Task persistence failed.",
} as const;

const alreadyEnded = ({ status }: FlowRecord): string => `Flow is already ${status}.`;

export function create(store: Store, sessionKey: string, input: CreateFlowInput): Checked<FlowRecord | null> {
  if (store.failing.has("create")) return { refusal: null };
  const { controllerId, goal, currentStep, stateJson, waitJson } = input;
  // A foreign plugin may send null for what it leaves out.
  const [status, notifyPolicy] = [input.status ?? "queued", input.notifyPolicy ?? "done_only"];
  const fields = { ownerKey: sessionKey, syncMode: "managed", controllerId, status, notifyPolicy, goal };
  return { write: () => copyFlow(addFlow(store, fields, { currentStep, stateJson, waitJson }).record) };
}

/** The checks that all mutations share, in order, then the change. `from`: the statuses that its flow must be in. */
function mutate<Input extends RevisionInput>(
  action: string,
  change: (input: Input, store: Store, seen: KeptRecord) => Changes,
  cleared: readonly ClearedField[] = [],
  from?: readonly string[],
): (store: Store, sessionKey: string, input: Input) => Checked<MutationResult> {
  return (store, sessionKey, input) => {
    const { flowId } = input;
    const flow = ownedFlow(store, sessionKey, flowId);
    if (flow === undefined) return { refusal: { applied: false, code: "not_found" } };
    const seen = flow.record;
    const refuse = (code: string): Checked<MutationResult> => ({
      refusal: { applied: false, code, current: copyFlow(seen) },
    });
    // A stale revision is reported before anything else about the flow.
    if (input.expectedRevision !== seen.revision) return refuse("revision_conflict");
    if (seen.syncMode !== "managed") return refuse("not_managed");
    const isWrong = isTerminal(seen) || from?.includes(seen.status) === false;
    if (isWrong && store.kind === "checking") return refuse(isTerminal(seen) ? "terminal" : "mutation_rejected");
    if (store.failing.has("update")) return refuse("persist_failed");
    return {
      write: () => {
        if (isWrong) noteLeft(store, { flowId, action, check: "status" });
        return { applied: true, flow: writeFlow(store, flow, seen, change(input, store, seen), cleared) };
      },
    };
  };
}

export const setWaiting = mutate<SetWaitingInput>(
  "set_waiting",
  ({ currentStep, stateJson, waitJson, blockedTaskId, blockedSummary }) => {
    const status = blockedTaskId || blockedSummary ? "blocked" : "waiting";
    return { status, currentStep, stateJson, waitJson, blockedTaskId, blockedSummary };
  },
  ["blockedTaskId", "blockedSummary"],
);

export const resume = mutate<ResumeInput>(
  "resume_flow",
  ({ status = "queued", currentStep, stateJson }) => ({ status, currentStep, stateJson }),
  ["waitJson", "blockedTaskId", "blockedSummary"],
  ["waiting", "blocked"],
);

export const finish = mutate<FinishInput>(
  "finish_flow",
  ({ stateJson }, store) => ({ status: finishedIn(store), stateJson }),
  ["waitJson", "blockedTaskId", "blockedSummary"],
);

export const fail = mutate<FailInput>(
  "fail_flow",
  ({ stateJson, blockedTaskId, blockedSummary }) => ({ status: "failed", stateJson, blockedTaskId, blockedSummary }),
  ["waitJson"],
);

export const requestCancel = mutate("request_cancel", (_input, store, seen) => cancelRequested(store, seen));

/** Keeps the date of the first request. */
function cancelRequested(store: Store, seen: KeptRecord): Changes {
  return { cancelRequestedAt: seen.cancelRequestedAt ?? store.clock.now() };
}

export function cancel(store: Store, sessionKey: string, input: CancelInput): Checked<CancelResult> {
  const flow = ownedFlow(store, sessionKey, input.flowId);
  if (flow === undefined) return { refusal: { found: false, cancelled: false, reason: reasons.notFound } };
  const seen = flow.record;
  const answer = (reason: string): CancelResult => ({
    found: true,
    cancelled: false,
    reason,
    flow: copyFlow(flow.record),
    tasks: copyTasks(flow),
  });
  const refuse = (reason: string): Checked<CancelResult> => ({ refusal: answer(reason) });
  const isStale = input.expectedRevision !== undefined && input.expectedRevision !== seen.revision;
  if (isStale && store.kind === "checking") return refuse(reasons.changed);
  if (seen.syncMode !== "managed") return refuse(reasons.notManaged);
  if (isTerminal(seen)) return refuse(alreadyEnded(seen));
  if (flow.cancelPending) return refuse(reasons.cancelPending);
  if (store.failing.has("cancel")) return refuse(reasons.flowNotPersisted);
  return {
    write: () => {
      if (isStale) noteLeft(store, { flowId: input.flowId, action: "cancel_flow", check: "revision" });
      if (!flow.tasks.some(isActive)) return { found: true, cancelled: true, ...cancelled(store, flow, seen) };
      writeFlow(store, flow, seen, cancelRequested(store, seen));
      flow.cancelPending = true;
      return answer(reasons.cancelPending);
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
  if (flow === undefined) return { refusal: { found: false, created: false, reason: reasons.notFound } };
  const seen = flow.record;
  const refuse = (reason: string): Checked<RunTaskResult> => ({
    refusal: { found: true, created: false, reason, flow: copyFlow(seen) },
  });
  if (seen.syncMode !== "managed") return refuse(reasons.notManaged);
  if (seen.cancelRequestedAt !== undefined) return refuse(reasons.cancelRequested);
  if (isTerminal(seen)) return refuse(alreadyEnded(seen));
  // Otherwise a route would act with the authority of another session.
  if (input.childSessionKey && input.childSessionKey !== sessionKey && store.sessions.has(input.childSessionKey)) {
    return refuse(reasons.notOwned);
  }
  if (store.failing.has("task")) return refuse(reasons.taskNotPersisted);
  return {
    write: () => {
      for (const check of uncheckedIn(input)) noteLeft(store, { flowId: input.flowId, action: "run_task", check });
      const task = newTask(store, sessionKey, input);
      flow.tasks.push(task);
      return { created: true, flow: copyFlow(flow.record), task: { ...task } };
    },
  };
}

/** The rules on the fields of run_task that an input breaks. A field that is null was not sent. */
function uncheckedIn({ runtime, status, startedAt, lastEventAt, progressSummary }: RunTaskInput): Left["check"][] {
  const isRunning = [startedAt, lastEventAt, progressSummary].some((value) => value !== null && value !== undefined);
  return [
    ...(runtimes.includes(runtime) ? [] : (["runtime"] as const)),
    ...(isRunning && status !== "running" ? (["running fields"] as const) : []),
  ];
}

const runtimes: readonly string[] = ["subagent", "acp"];

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
