import type { Code } from "../codes.ts";
import type { FlowRecord } from "../ports.ts";

/** Terminal statuses, under the names that known runtimes use. */
const endedStatuses: ReadonlySet<string> = new Set([
  "finished",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "lost",
]);

export const hasEnded = (flow: FlowRecord): boolean => endedStatuses.has(flow.status);

/** Some runtimes refuse to cancel a flow or to add a task in prose alone, and only these sentences tell a failed write. */
export const isWriteFailure = (reason: string | undefined): boolean =>
  reason === "Flow persistence failed." || reason === "Task persistence failed.";

interface Refusal {
  readonly found: boolean;
  readonly reason?: string;
  readonly flow?: FlowRecord;
}

/** The code of a refusal for which the runtime gave none. */
export function codeOfRefusal({ found, reason, flow }: Refusal, otherwise: Code): Code {
  if (!found) return "not_found";
  if (flow && flow.syncMode !== "managed") return "not_managed";
  if (flow && hasEnded(flow)) return "terminal";
  return isWriteFailure(reason) ? "persist_failed" : otherwise;
}

export const isCancelRequested = (flow: FlowRecord): boolean => typeof flow.cancelRequestedAt === "number";

/**
 * The code with which a change of a managed flow is refused; undefined when the flow may change. The revision is checked
 * before the status. `from`: the statuses that the flow must be in.
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
