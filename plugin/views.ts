import type { FlowRecord, TaskRecord, TaskSummary } from "./ports.ts";

/*
 * What a response shows of a record: allow-lists, so that a field which a runtime adds is not shown. Owner and session
 * metadata (ownerKey, requesterOrigin, requesterSessionKey, childSessionKey) is on no list.
 */

const flowFields = [
  "flowId",
  "syncMode",
  "controllerId",
  "revision",
  "status",
  "notifyPolicy",
  "goal",
  "currentStep",
  "blockedTaskId",
  "blockedSummary",
  "stateJson",
  "waitJson",
  "cancelRequestedAt",
  "createdAt",
  "updatedAt",
  "endedAt",
] as const satisfies readonly (keyof FlowRecord)[];

const taskFields = [
  "taskId",
  "runtime",
  "parentFlowId",
  "task",
  "status",
  "deliveryStatus",
  "notifyPolicy",
  "scopeKind",
  "sourceId",
  "parentTaskId",
  "agentId",
  "runId",
  "label",
  "createdAt",
  "startedAt",
  "lastEventAt",
  "endedAt",
  "progressSummary",
] as const satisfies readonly (keyof TaskRecord)[];

const summaryFields = ["total", "active", "terminal", "failures"] as const satisfies readonly (keyof TaskSummary)[];

export interface Views {
  flow(flow: FlowRecord): object;
  task(task: TaskRecord): object;
  summary(summary: TaskSummary): object;
}

function pick<Item extends object>(item: Item, fields: readonly (keyof Item)[]): Partial<Item> {
  const picked: Partial<Item> = {};
  for (const field of fields) if (item[field] !== undefined) picked[field] = item[field];
  return picked;
}

const counts = (record: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(record).filter(([, count]) => typeof count === "number"));

export const views: Views = {
  flow(flow) {
    const view = pick(flow, flowFields);
    // Some runtimes call a finished flow succeeded; the specification's word is finished.
    if (flow.status === "succeeded") view.status = "finished";
    return view;
  },
  task: (task) => pick(task, taskFields),
  summary: (summary) => ({
    ...pick(summary, summaryFields),
    byStatus: counts(summary.byStatus),
    byRuntime: counts(summary.byRuntime),
  }),
};
