import type { FlowRecord, TaskRecord, TaskSummary } from "./ports.ts";

/*
 * What a response shows of a record: allow-lists, so that a field which a runtime adds is not shown. Owner and session
 * metadata (ownerKey, requesterOrigin, requesterSessionKey, childSessionKey) is on no list. Literals, not loops over names:
 * every view then has one shape, which is written several times as fast. A field that is undefined is not sent.
 */

export interface Views {
  flow(flow: FlowRecord): object;
  task(task: TaskRecord): object;
  summary(summary: TaskSummary): object;
}

const counts = (record: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(record).filter(([, count]) => typeof count === "number"));

export const views: Views = {
  flow: (flow) => ({
    flowId: flow.flowId,
    syncMode: flow.syncMode,
    controllerId: flow.controllerId,
    revision: flow.revision,
    // Some runtimes call a finished flow succeeded; the specification's word is finished.
    status: flow.status === "succeeded" ? "finished" : flow.status,
    notifyPolicy: flow.notifyPolicy,
    goal: flow.goal,
    currentStep: flow.currentStep,
    blockedTaskId: flow.blockedTaskId,
    blockedSummary: flow.blockedSummary,
    stateJson: flow.stateJson,
    waitJson: flow.waitJson,
    cancelRequestedAt: flow.cancelRequestedAt,
    createdAt: flow.createdAt,
    updatedAt: flow.updatedAt,
    endedAt: flow.endedAt,
  }),
  task: (task) => ({
    taskId: task.taskId,
    runtime: task.runtime,
    parentFlowId: task.parentFlowId,
    task: task.task,
    status: task.status,
    deliveryStatus: task.deliveryStatus,
    notifyPolicy: task.notifyPolicy,
    scopeKind: task.scopeKind,
    sourceId: task.sourceId,
    parentTaskId: task.parentTaskId,
    agentId: task.agentId,
    runId: task.runId,
    label: task.label,
    createdAt: task.createdAt,
    startedAt: task.startedAt,
    lastEventAt: task.lastEventAt,
    endedAt: task.endedAt,
    progressSummary: task.progressSummary,
  }),
  summary: (summary) => ({
    total: summary.total,
    active: summary.active,
    terminal: summary.terminal,
    failures: summary.failures,
    byStatus: counts(summary.byStatus),
    byRuntime: counts(summary.byRuntime),
  }),
};
