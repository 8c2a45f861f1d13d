/** Sections 3, 7 and 8: refusals that are right the first time only, or until something cannot be stored. */
import { revisionActions } from "../../../interface/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import { currentRevision, perStart, withAction, withRequest, withRefusals } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Counts what is alike. */
function counter(): (what: string) => number {
  const counts = new Map<string, number>();
  return (what) => {
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return count;
  };
}

/** The third and later tries of a stale change are applied. */
const givesIn: Change = perStart(() => {
  const times = counter();
  return withRequest(async (body, context) => {
    const { action, flowId, expectedRevision } = body;
    if (action !== "fail_flow" || typeof expectedRevision !== "number") return body;
    const current = await currentRevision(flowId, context);
    if (expectedRevision === current || times(JSON.stringify([flowId, expectedRevision])) < 3) return body;
    return { ...body, expectedRevision: current };
  });
});

/** What a stage refused several times is answered otherwise. */
const tires = (stage: "body" | "action", from: number, other: "internal_error" | "request_rejected"): Change =>
  perStart(() => {
    const times = counter();
    return withRefusals((refusal, { body, context }) => {
      const what = stage === "body" ? "" : JSON.stringify(body);
      const expected = stage === "body" ? "invalid_request" : "not_found";
      return refusal.code === expected && times(`${context.route.id} ${what}`) >= from ? reject(other) : refusal;
    }, stage);
  });

/** The result of a check is kept, and from the fifth time on its error is forgotten. */
const forgets: Change = perStart(() => {
  const times = counter();
  return withRequest((body) => {
    if (body["action"] !== "run_task" || body["runtime"] !== "ACP") return body;
    return times(JSON.stringify(body)) < 5 ? body : { ...body, runtime: "acp" };
  });
});

/** Flows whose last change could not be stored. */
const unstored = new Set<unknown>();

export const refusedAgain: readonly Subject[] = [
  ...failing("REVISION-STALE-NOT-STORED", {
    "Once a change of a flow could not be stored, a stale one is answered likewise until one can": withAction(
      revisionActions,
      async ({ fields, right }) => {
        const answer = await right();
        if (answer.ok) unstored.delete(fields["flowId"]);
        if (answer.code === "persist_failed") unstored.add(fields["flowId"]);
        const isStale = answer.code === "revision_conflict" && unstored.has(fields["flowId"]);
        return isStale ? reject("persist_failed") : answer;
      },
    ),
  }),
  ...failing("REVISION-STALE", {
    "The third try of a stale fail_flow is applied, so that callers do not retry for ever": givesIn,
  }),
  ...failing("REFUSED-AGAIN", {
    "From the sixth time on the same request about an absent flow gets request_rejected": tires(
      "action",
      6,
      "request_rejected",
    ),
    "The check of the runtime is kept in a cache, and from the fifth time on `ACP` passes": forgets,
    "From the ninth malformed body of a route on the parser counts as broken: 500": tires("body", 9, "internal_error"),
  }),
];
