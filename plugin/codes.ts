/** The closed set of codes, with the status and the default message of each. */

/** Codes the specification names; the runtime may reject with any of them but `cancel_pending`. */
export const specificationCodes = [
  "not_found",
  "not_managed",
  "revision_conflict",
  "persist_failed",
  "cancel_requested",
  "cancel_pending",
  "terminal",
  "invalid_request",
  "request_rejected",
  "mutation_rejected",
  "create_rejected",
  "task_not_created",
  "cancel_rejected",
] as const;

/** Codes of the plugin's own, for what the specification leaves unnamed. */
export const pluginCodes = [
  "method_not_allowed",
  "unsupported_media_type",
  "rate_limited",
  "too_many_in_flight",
  "unauthorized",
  "payload_too_large",
  "request_timeout",
  "internal_error",
] as const;

export type Code = (typeof specificationCodes)[number] | (typeof pluginCodes)[number];

/** HTTP status by code. An answer without a code is 200. */
export const statuses: Readonly<Record<Code, number>> = {
  not_found: 404,
  not_managed: 409,
  revision_conflict: 409,
  persist_failed: 503,
  cancel_requested: 409,
  cancel_pending: 202,
  terminal: 409,
  invalid_request: 400,
  request_rejected: 409,
  mutation_rejected: 409,
  create_rejected: 409,
  task_not_created: 409,
  cancel_rejected: 409,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  rate_limited: 429,
  too_many_in_flight: 429,
  unauthorized: 401,
  payload_too_large: 413,
  request_timeout: 408,
  internal_error: 500,
};

/** The text of `error` by code: fixed, so that it never repeats what the caller sent. */
export const messages: Readonly<Record<Code, string>> = {
  not_found: "TaskFlow not found.",
  not_managed: "The TaskFlow is not managed.",
  revision_conflict: "expectedRevision is not the TaskFlow's current revision.",
  persist_failed: "The change could not be persisted.",
  cancel_requested: "Cancellation of the TaskFlow has been requested.",
  cancel_pending: "Cancellation is pending: child tasks are still active.",
  terminal: "The TaskFlow has already ended.",
  invalid_request: "The request is not valid.",
  request_rejected: "The request was rejected.",
  mutation_rejected: "The TaskFlow does not allow this change now.",
  create_rejected: "The TaskFlow was not created.",
  task_not_created: "The child task was not created.",
  cancel_rejected: "The TaskFlow was not cancelled.",
  method_not_allowed: "Only POST is allowed.",
  unsupported_media_type: "Content-Type must be application/json.",
  rate_limited: "Too many requests; retry later.",
  too_many_in_flight: "Too many requests are in flight; retry later.",
  unauthorized: "Authentication failed.",
  payload_too_large: "The request body is too large.",
  request_timeout: "The request body did not arrive in time.",
  internal_error: "Internal error.",
};

// cancel_pending is an outcome of cancel_flow, not a reason to reject.
const rejections: readonly Code[] = specificationCodes.filter((code) => code !== "cancel_pending");

/** The runtime's code if the specification has it for a rejection, else `fallback`. */
export function rejectionCode(code: string | undefined, fallback: Code): Code {
  return rejections.find((known) => known === code) ?? fallback;
}
