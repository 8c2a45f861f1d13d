/** Statuses, codes and headers of refusals, otherwise than the reference profile says. */
import type { Code } from "../../../../plugin/codes.ts";
import { withEnvelope, withReply, withStatuses } from "../../changes.ts";
import { failing, type Subject } from "../../subject.ts";

const refusals = [
  { kill: "METHOD", code: "method_not_allowed", what: "another method" },
  { kill: "CONTENT-TYPE", code: "unsupported_media_type", what: "another content type" },
  { kill: "RATE", code: "rate_limited", what: "the rate limit" },
  { kill: "IN-FLIGHT", code: "too_many_in_flight", what: "the in-flight limit" },
  { kill: "TOO-LARGE", code: "payload_too_large", what: "a body that is too large" },
  { kill: "TIMEOUT", code: "request_timeout", what: "a body that is too slow" },
] as const satisfies readonly { kill: string; code: Code; what: string }[];

export const gapsRefusals: readonly Subject[] = [
  ...refusals.flatMap(({ kill, code, what }) =>
    failing(`GAP-REFUSED-${kill}`, {
      [`The status for ${what} is 400`]: withStatuses({ [code]: 400 }),
      [`The code for ${what} is request_rejected`]: withEnvelope((envelope) =>
        envelope["code"] === code ? { ...envelope, code: "request_rejected" } : envelope,
      ),
    }),
  ),
  ...failing("GAP-METHOD-ALLOW", withReply, {
    "A 405 has no Allow header": (reply) => {
      const { Allow: _left, ...headers } = reply.headers;
      return { ...reply, headers };
    },
  }),
];
