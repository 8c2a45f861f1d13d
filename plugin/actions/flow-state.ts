import type { Code } from "../codes.ts";
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

/**
 * Why a managed flow as read may not be changed; undefined when it may. A stale revision goes before its state. `from`:
 * the statuses it must be in.
 */
export function objection(
  flow: FlowRecord,
  expectedRevision: number | undefined,
  from?: readonly string[],
): Code | undefined {
  if (expectedRevision !== undefined && flow.revision !== expectedRevision) return "revision_conflict";
  if (hasEnded(flow)) return "terminal";
  return from && !from.includes(flow.status) ? "mutation_rejected" : undefined;
}
