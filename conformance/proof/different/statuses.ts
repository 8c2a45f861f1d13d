/** Statuses, codes and headers that the interface leaves open. */
import { setTimeout as sleep } from "node:timers/promises";
import { both, withEnvelope, withReply, withStage, withStatuses } from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";

const otherCodes: Readonly<Record<string, string>> = {
  method_not_allowed: "bad_method",
  unsupported_media_type: "bad_content_type",
  rate_limited: "slow_down",
  too_many_in_flight: "busy",
  unauthorized: "authentication_failed",
  payload_too_large: "too_large",
  request_timeout: "too_slow",
};

/** Rejections of the ordered checks get other codes, except those that the interface names. */
const codes: Change = withEnvelope((envelope) => {
  const { code } = envelope;
  return typeof code === "string" ? { ...envelope, code: otherCodes[code] ?? code } : envelope;
});

const header = (
  change: (headers: Readonly<Record<string, string | number>>) => Record<string, string | number>,
): Change => withReply((reply) => ({ ...reply, headers: change(reply.headers) }));

const without = (name: string): Change => header(({ [name]: _left, ...headers }) => headers);

/** What is refused with another status than the reference profile's. */
const refusedWith: Readonly<Record<string, readonly [what: string, over: Parameters<typeof withStatuses>[0]]>> = {
  "method-400": ["another method", { method_not_allowed: 400 }],
  "method-404": ["another method", { method_not_allowed: 404 }],
  "content-type-400": ["another content type", { unsupported_media_type: 400 }],
  "rate-limit-503": ["the rate limit", { rate_limited: 503 }],
  "in-flight-503": ["the in-flight limit", { too_many_in_flight: 503 }],
  "too-large-400": ["a body that is too large", { payload_too_large: 400 }],
  "timeout-503": ["a body that is too slow", { request_timeout: 503 }],
  "not-found-410": ["an absent flow", { not_found: 410 }],
  "not-found-200": ["an absent flow, with ok false", { not_found: 200 }],
};

const otherStatuses = subjectsOf<Different>(
  Object.fromEntries(
    Object.entries(refusedWith).map(([id, [what, over]]) => [
      id,
      { freedom: `the status for ${what}: ${Object.values(over).join()}`, change: withStatuses(over) },
    ]),
  ),
);

const others: readonly Different[] = subjectsOf<Different>({
  "method-and-content-type-alike": {
    freedom: "method and content type refused alike, with 400",
    change: both(
      withStatuses({ unsupported_media_type: 400, method_not_allowed: 400 }),
      withEnvelope((envelope) => ({
        ...envelope,
        ...(envelope["code"] === "unsupported_media_type" && {
          code: "method_not_allowed",
          error: "Only POST is allowed.",
        }),
      })),
    ),
  },
  "limits-alike": {
    freedom: "both limits refused alike",
    change: withEnvelope((envelope) => ({
      ...envelope,
      ...(envelope["code"] === "too_many_in_flight" && {
        code: "rate_limited",
        error: "Too many requests; retry later.",
      }),
    })),
  },
  "body-refusals-invalid-request": {
    freedom: "a body too large or too slow refused as invalid_request with 400",
    change: both(
      withStatuses({ payload_too_large: 400, request_timeout: 400 }),
      withEnvelope((envelope) => ({
        ...envelope,
        ...(["payload_too_large", "request_timeout"].includes(String(envelope["code"])) && { code: "invalid_request" }),
      })),
    ),
  },
  "rejections-422": {
    freedom: "the status of the other rejections: 422",
    change: withStatuses({
      not_managed: 422,
      terminal: 422,
      cancel_requested: 422,
      mutation_rejected: 422,
      task_not_created: 422,
      cancel_rejected: 422,
    }),
  },
  "rejections-500": {
    freedom: "the status of persist_failed and of fallbacks: 500",
    warns: ["NEVER-5XX"],
    change: withStatuses({ persist_failed: 500, mutation_rejected: 500, task_not_created: 500, cancel_rejected: 500 }),
  },
  "other-codes": { freedom: "codes beyond those listed", change: codes },
  "missing-credentials": {
    freedom: "the code of a 401: another one where there is no secret at all",
    warns: ["AUTH-SAME-ANSWER"],
    change: withEnvelope((envelope, status, { headers }) =>
      status === 401 && headers.authorization === undefined ? { ...envelope, code: "missing_credentials" } : envelope,
    ),
  },
  "success-201": {
    freedom: "the 2xx status of a success: 201",
    change: withReply((reply) => (reply.status === 200 ? { ...reply, status: 201 } : reply)),
  },
  "no-retry-after": { freedom: "no Retry-After", change: without("Retry-After") },
  "no-challenge": { freedom: "no WWW-Authenticate", change: without("WWW-Authenticate") },
  "other-challenge": {
    freedom: "another challenge",
    change: header((headers) => ({
      ...headers,
      ...(headers["WWW-Authenticate"] && { "WWW-Authenticate": 'Bearer realm="webhooks"' }),
    })),
  },
  "headers-lower-case": {
    freedom: "the case of header names",
    change: header((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  },
  "connection-close": {
    freedom: "a connection for each request",
    change: header((headers) => ({ ...headers, Connection: "close" })),
  },
  "content-type-bare": {
    freedom: "the answer's content type without a charset",
    change: header((headers) => ({ ...headers, "Content-Type": "application/json" })),
  },
  "content-type-problem": {
    freedom: "the media type of a rejection",
    change: withReply((reply) =>
      reply.status < 400
        ? reply
        : { ...reply, headers: { ...reply.headers, "Content-Type": "application/problem+json" } },
    ),
  },
  "many-headers": {
    freedom: "other headers beside",
    change: header((headers) => ({ ...headers, Server: "gateway/1", "X-Request-Id": "0f1e2d3c", Vary: "Origin" })),
  },
  "slow-200-ms": {
    freedom: "answers after 200 ms",
    change: withStage("action", ({ run }) => async (exchange) => {
      await sleep(200);
      return run(exchange);
    }),
  },
});

export const statuses: readonly Different[] = [...otherStatuses, ...others];
