/**
 * The closed set of codes, with the HTTP status and the default message of each. A message is fixed, so that it never
 * repeats what the caller sent. An answer without a code is 200.
 */

/** Codes the specification names; the runtime may reject with any of them but `cancel_pending`. */
const ofSpecification = {
  not_found: { status: 404, message: "TaskFlow not found." },
  not_managed: { status: 409, message: "The TaskFlow is not managed." },
  revision_conflict: { status: 409, message: "expectedRevision is not the TaskFlow's current revision." },
  persist_failed: { status: 503, message: "The change could not be persisted." },
  cancel_requested: { status: 409, message: "Cancellation of the TaskFlow has been requested." },
  cancel_pending: { status: 202, message: "Cancellation is pending: child tasks are still active." },
  terminal: { status: 409, message: "The TaskFlow has already ended." },
  invalid_request: { status: 400, message: "The request is not valid." },
  request_rejected: { status: 409, message: "The request was rejected." },
  mutation_rejected: { status: 409, message: "The TaskFlow does not allow this change now." },
  create_rejected: { status: 409, message: "The TaskFlow was not created." },
  task_not_created: { status: 409, message: "The child task was not created." },
  cancel_rejected: { status: 409, message: "The TaskFlow was not cancelled." },
} as const;

/** Codes of the plugin's own, for what the specification leaves unnamed. */
const ofPlugin = {
  method_not_allowed: { status: 405, message: "Only POST is allowed." },
  unsupported_media_type: { status: 415, message: "Content-Type must be application/json." },
  rate_limited: { status: 429, message: "Too many requests; retry later." },
  too_many_in_flight: { status: 429, message: "Too many requests are in flight; retry later." },
  unauthorized: { status: 401, message: "Authentication failed." },
  payload_too_large: { status: 413, message: "The request body is too large." },
  request_timeout: { status: 408, message: "The request body did not arrive in time." },
  internal_error: { status: 500, message: "Internal error." },
} as const;

const codes = { ...ofSpecification, ...ofPlugin };
export type Code = keyof typeof codes;

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

export const specificationCodes = namesOf(ofSpecification);
export const pluginCodes = namesOf(ofPlugin);

type OfEach<Value> = Readonly<Record<Code, Value>>;
const pairs = namesOf(codes).map((code) => [code, codes[code]] as const);

export const statuses = Object.fromEntries(pairs.map(([code, { status }]) => [code, status])) as OfEach<number>;
export const messages = Object.fromEntries(pairs.map(([code, { message }]) => [code, message])) as OfEach<string>;

// cancel_pending is an outcome of cancel_flow, not a reason to reject.
const rejections: readonly Code[] = specificationCodes.filter((code) => code !== "cancel_pending");

/** The runtime's code if the specification has it for a rejection, else `fallback`. */
export function rejectionCode(code: string | undefined, fallback: Code): Code {
  return rejections.find((known) => known === code) ?? fallback;
}
