/** Statuses, codes and headers that the interface leaves open. */
import { setTimeout as sleep } from "node:timers/promises";
import { together, withEnvelope, withReply, withStage, withStatuses, type Reply } from "../changes.ts";
import { lawful, mayWarn, type Change, type Different } from "../subject.ts";

/** Refusals get other codes, and a text that says no more than these. */
const recoded = (codes: Readonly<Record<string, string>>): Change =>
  withEnvelope((envelope) => {
    if (envelope["ok"] !== false) return envelope;
    const code = codes[String(envelope["code"])] ?? envelope["code"];
    return { ...envelope, code, error: `Refused: ${String(code)}.` };
  });

const header = (change: (headers: Reply["headers"], status: number) => Reply["headers"]): Change =>
  withReply((reply) => ({ ...reply, headers: change(reply.headers, reply.status) }));

export const statuses: readonly Different[] = [
  ...lawful({
    "the statuses of the ordered checks and of an absent flow, and the codes of the checks": together(
      withStatuses({
        method_not_allowed: 404,
        unsupported_media_type: 400,
        rate_limited: 503,
        too_many_in_flight: 503,
        payload_too_large: 400,
        request_timeout: 503,
        not_found: 410,
      }),
      recoded({
        method_not_allowed: "bad_method",
        unsupported_media_type: "bad_content_type",
        rate_limited: "slow_down",
        too_many_in_flight: "busy",
        unauthorized: "authentication_failed",
        payload_too_large: "too_large",
        request_timeout: "too_slow",
      }),
    ),
    "refused alike: method and content type with 400, both limits, a body too large or too slow as a malformed one":
      together(
        withStatuses({
          method_not_allowed: 400,
          unsupported_media_type: 400,
          payload_too_large: 400,
          request_timeout: 400,
        }),
        recoded({
          unsupported_media_type: "method_not_allowed",
          too_many_in_flight: "rate_limited",
          payload_too_large: "invalid_request",
          request_timeout: "invalid_request",
        }),
      ),
    "the status of the other rejections: 422": withStatuses({
      not_managed: 422,
      terminal: 422,
      cancel_requested: 422,
      mutation_rejected: 422,
      task_not_created: 422,
      cancel_rejected: 422,
    }),
    "the 2xx status of a success: 201": withReply((reply) =>
      reply.status === 200 ? { ...reply, status: 201 } : reply,
    ),
    "other headers beside, another challenge, the media type of a rejection": header((headers, status) => ({
      ...headers,
      ...(headers["WWW-Authenticate"] && { "WWW-Authenticate": 'Bearer realm="webhooks"' }),
      ...(status >= 400 && { "Content-Type": "application/problem+json" }),
      Server: "gateway/1",
      "X-Request-Id": "0f1e2d3c",
      Vary: "Origin",
    })),
    "a connection for each request": header((headers) => ({ ...headers, Connection: "close" })),
    "answers after 200 ms": withStage("action", async (_exchange, right) => {
      await sleep(200);
      return right();
    }),
  }),
  ...mayWarn("NEVER-5XX", {
    "the status of persist_failed and of fallbacks: 500": withStatuses({
      persist_failed: 500,
      mutation_rejected: 500,
      task_not_created: 500,
      cancel_rejected: 500,
    }),
  }),
];
