/** Sections 3, 5 and 7: refusals that are right the first times only. */
import { reject } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import { perStart, withRefusals, type StageName } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** What a stage has refused with a code so often on a route is refused with another one. */
const tires = (stage: StageName, code: Code, from: number, other: Code): Change =>
  perStart(() => {
    const counts = new Map<string, number>();
    return withRefusals((refusal, { body, context }) => {
      if (refusal.code !== code) return refusal;
      const alike = JSON.stringify([context.route.id, body]);
      const count = (counts.get(alike) ?? 0) + 1;
      counts.set(alike, count);
      return count >= from ? reject(other) : refusal;
    }, stage);
  });

export const refusedAgain: readonly Subject[] = [
  ...failing("REFUSED-AGAIN", {
    "From the sixth time on the same request about an absent flow gets request_rejected": tires(
      "action",
      "not_found",
      6,
      "request_rejected",
    ),
    "From the ninth malformed body of a route on the parser counts as broken: 500": tires(
      "body",
      "invalid_request",
      9,
      "internal_error",
    ),
  }),
  ...failing("AUTH-WRONG-SECRETS", {
    "From the third wrong secret on a route answers as if the body were wrong": tires(
      "authentication",
      "unauthorized",
      3,
      "invalid_request",
    ),
  }),
];
