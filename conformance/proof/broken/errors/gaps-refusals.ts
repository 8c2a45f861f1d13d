/** Statuses, codes and headers of refusals, otherwise than the reference profile says. */
import type { Code } from "../../../../plugin/codes.ts";
import { withEnvelope, withReply, withStatuses } from "../../changes.ts";
import type { Subject } from "../../subject.ts";

const refusals = [
  { kill: "METHOD", code: "method_not_allowed", what: "another method" },
  { kill: "CONTENT-TYPE", code: "unsupported_media_type", what: "another content type" },
  { kill: "RATE", code: "rate_limited", what: "the rate limit" },
  { kill: "IN-FLIGHT", code: "too_many_in_flight", what: "the in-flight limit" },
  { kill: "TOO-LARGE", code: "payload_too_large", what: "a body that is too large" },
  { kill: "TIMEOUT", code: "request_timeout", what: "a body that is too slow" },
] as const satisfies readonly { kill: string; code: Code; what: string }[];

export const gapsRefusals: readonly Subject[] = [
  ...refusals.flatMap(({ kill, code, what }): Subject[] => [
    {
      id: `gap-refused-${kill.toLowerCase()}-400`,
      bug: `The status for ${what} is 400.`,
      kills: [`GAP-REFUSED-${kill}`],
      change: withStatuses({ [code]: 400 }),
    },
    {
      id: `gap-refused-${kill.toLowerCase()}-code`,
      bug: `The code for ${what} is request_rejected.`,
      kills: [`GAP-REFUSED-${kill}`],
      change: withEnvelope((envelope) => ({
        ...envelope,
        ...(envelope["code"] === code && { code: "request_rejected" }),
      })),
    },
  ]),
  {
    id: "gap-method-allow",
    bug: "A 405 has no Allow header.",
    kills: ["GAP-METHOD-ALLOW"],
    change: withReply((reply) => {
      const { Allow: _left, ...headers } = reply.headers;
      return { ...reply, headers };
    }),
  },
];
