import type { FlowRecord } from "../ports.ts";

/** Statuses no flow leaves, in the words of the runtimes known. */
const endedStatuses: ReadonlySet<string> = new Set([
  "finished",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "lost",
]);

export const hasEnded = (flow: FlowRecord): boolean => endedStatuses.has(flow.status);

export const isCancelRequested = (flow: FlowRecord): boolean => typeof flow.cancelRequestedAt === "number";
