/** How each gap's value is observed on a target: by the case that judges it, expecting a value that no target has. */
import { flowsOf } from "../harness/checks.ts";
import { envelopeOf, type Exchange } from "../http/exchange.ts";
import type { CaseResult } from "../harness/result.ts";
import { gaps, type GapId } from "../interface/gaps.ts";

/** A case that fails whatever the target does, and where its failure shows the target's own value. */
interface Observation {
  readonly case: string;
  read(exchange: Exchange, result: CaseResult): unknown;
}

/** Values that no target has: a case that expects one fails, and its failure shows the target's own value. */
export const nobodys = { number: 599, text: "nobody-has-this" } as const;

const status = (exchange: Exchange): unknown => exchange.answer?.status;
const code = (exchange: Exchange): unknown => envelopeOf(exchange)?.code;
const header = (name: string) => (exchange: Exchange) => exchange.answer?.headers.get(name)?.join(", ");
const inFlow = (name: string) => (exchange: Exchange) => flowsOf(exchange)[0]?.[name];
const media = (exchange: Exchange): unknown => header("content-type")(exchange)?.split(";")[0]?.trim().toLowerCase();
const step = (_exchange: Exchange, { actual = "" }: CaseResult): unknown => Number(/^\+(\d+)$/.exec(actual)?.[1]);

/** Gaps whose values are statuses, codes, texts and counts. */
export const observations: Readonly<Partial<Record<GapId, Observation>>> = {
  "method.status": { case: "GAP-REFUSED-METHOD", read: status },
  "method.code": { case: "GAP-REFUSED-METHOD", read: code },
  "method.allow": { case: "GAP-METHOD-ALLOW", read: header("allow") },
  "content-type.status": { case: "GAP-REFUSED-CONTENT-TYPE", read: status },
  "content-type.code": { case: "GAP-REFUSED-CONTENT-TYPE", read: code },
  "rate.status": { case: "GAP-REFUSED-RATE", read: status },
  "rate.code": { case: "GAP-REFUSED-RATE", read: code },
  "in-flight.status": { case: "GAP-REFUSED-IN-FLIGHT", read: status },
  "in-flight.code": { case: "GAP-REFUSED-IN-FLIGHT", read: code },
  "auth.code": { case: "AUTH-CODE", read: code },
  "auth.challenge": { case: "AUTH-CHALLENGE", read: header("www-authenticate") },
  "body.too-large.status": { case: "GAP-REFUSED-TOO-LARGE", read: status },
  "body.too-large.code": { case: "GAP-REFUSED-TOO-LARGE", read: code },
  "body.timeout.status": { case: "GAP-REFUSED-TIMEOUT", read: status },
  "body.timeout.code": { case: "GAP-REFUSED-TIMEOUT", read: code },
  "validation.unknown-action": { case: "GAP-UNKNOWN-ACTION", read: code },
  "validation.unknown-field": { case: "GAP-UNKNOWN-FIELD", read: code },
  "validation.blank-text": { case: "GAP-BLANK-TEXT", read: code },
  "validation.missing-field": { case: "GAP-MISSING-FIELD", read: code },
  "validation.wrong-type": { case: "GAP-WRONG-TYPE", read: code },
  "status.not_found": { case: "GAP-NOT-FOUND-STATUS", read: status },
  "status.persist_failed": { case: "GAP-NOT-STORED", read: status },
  "status.cancel_requested": { case: "RUN-TASK-CANCEL-REQUESTED", read: status },
  "status.not_managed": { case: "GAP-NOT-MANAGED", read: status },
  "terminal.code": { case: "GAP-ENDED-BY-FAIL-FLOW", read: code },
  "resume.code": { case: "GAP-RESUME-CODE", read: code },
  "task.ended-code": { case: "RUN-TASK-ENDED", read: code },
  "task.foreign-child-code": { case: "RUN-TASK-FOREIGN-CHILD", read: code },
  "cancel.pending-code": { case: "CANCEL-PENDING-CODE", read: code },
  "cancel.status": { case: "CANCEL-STATUS", read: inFlow("status") },
  "flow.first-revision": { case: "GAP-FIRST-REVISION", read: inFlow("revision") },
  "flow.revision-step": { case: "GAP-REVISION-STEP", read: step },
  "flow.default-status": { case: "GAP-DEFAULT-STATUS", read: inFlow("status") },
  "flow.default-notify-policy": { case: "GAP-DEFAULT-NOTIFY-POLICY", read: inFlow("notifyPolicy") },
  "flow.resumed-status": { case: "GAP-RESUMED-STATUS", read: inFlow("status") },
  "envelope.content-type": { case: "ENVELOPE-JSON-TYPE", read: media },
};

/** Values to try, for gaps whose value a failure cannot show. */
const tried: Readonly<Partial<Record<GapId, readonly unknown[]>>> = {
  "create.controller-field": ["controllerId"],
  "rate.tracked-keys": [4096],
  // "256 KB" in its two readings.
  "body.max-bytes": [262_144, 256_000],
  "absent-read": ["null", "not_found"],
};

/** The values to try for a gap, one by one; none for a gap that is observed. */
export function triedValues(gap: GapId): readonly unknown[] {
  if (tried[gap] !== undefined) return tried[gap];
  return gaps[gap].value.safeParse(true).success ? [true, false] : [];
}
