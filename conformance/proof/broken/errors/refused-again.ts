/** Sections 3, 5 and 7: refusals that are right the first times only. */
import { reject } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import { perStart, withRefusals, withRequest, type StageName } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Counts what is alike. */
function counter(): (what: unknown) => number {
  const counts = new Map<string, number>();
  return (what) => {
    const alike = JSON.stringify(what);
    const count = (counts.get(alike) ?? 0) + 1;
    counts.set(alike, count);
    return count;
  };
}

/** What a stage has refused with a code so often on a route is refused with another one. */
const tires = ([stage, code, from, other]: readonly [StageName, Code, from: number, other: Code]): Change =>
  perStart(() => {
    const times = counter();
    return withRefusals((refusal, { body, context }) => {
      return refusal.code === code && times([context.route.id, body]) >= from ? reject(other) : refusal;
    }, stage);
  });

/** The result of a check is kept, and from the fifth time on its error is forgotten. */
const forgets: Change = perStart(() => {
  const times = counter();
  return withRequest((body) => {
    if (body["action"] !== "run_task" || body["runtime"] !== "ACP") return body;
    return times(body) < 5 ? body : { ...body, runtime: "acp" };
  });
});

/** The second wrong run_task of a flow is refused, too, and leaves a task. */
const keepsRefused: Change = perStart(() => {
  const times = counter();
  return withRefusals(async (refusal, { body = {}, context }) => {
    const { action, flowId } = body;
    if (action !== "run_task" || typeof flowId !== "string" || refusal.code !== "invalid_request") return refusal;
    if (times(flowId) > 1) await context.flows.runTask({ flowId, runtime: "acp", task: "kept" });
    return refusal;
  }, "action");
});

export const refusedAgain: readonly Subject[] = [
  ...failing("REFUSED-AGAIN", tires, {
    "From the sixth time on the same request about an absent flow gets request_rejected": [
      "action",
      "not_found",
      6,
      "request_rejected",
    ],
    "From the ninth malformed body of a route on the parser counts as broken: 500": [
      "body",
      "invalid_request",
      9,
      "internal_error",
    ],
  }),
  ...failing("REFUSED-AGAIN", {
    "The check of the runtime is kept in a cache, and from the fifth time on `ACP` passes": forgets,
  }),
  ...failing("AUTH-WRONG-SECRETS", tires, {
    "From the third wrong secret on a route answers as if the body were wrong": [
      "authentication",
      "unauthorized",
      3,
      "invalid_request",
    ],
  }),
  ...failing("PROPERTY-RUN-TASK", {
    "The second run_task of a flow that its fields make wrong is refused, and a task is stored": keepsRefused,
  }),
];
