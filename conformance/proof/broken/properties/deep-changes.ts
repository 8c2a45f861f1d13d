/** Faults of actions that show only after a history: they count, remember and forget, across all routes. */
import { revisionActions } from "../../../interface/fields.ts";
import { accept, reject } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import {
  together,
  currentRevision,
  isPending,
  perStart,
  withAction,
  withFlows,
  withOutcome,
  withRequest,
  withRefusals,
} from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** `then` is told how often such an action on a flow was answered with the code. */
const after = (actions: readonly string[], code: Code, then: (times: (flowId: unknown) => number) => Change): Change =>
  perStart(() => {
    const counts = new Map<unknown, number>();
    const noting = withOutcome(actions, (answer, { flowId }) => {
      if (answer.code === code) counts.set(flowId, (counts.get(flowId) ?? 0) + 1);
      return answer;
    });
    return together(
      noting,
      then((flowId) => counts.get(flowId) ?? 0),
    );
  });

const isChange = (action: unknown): boolean => (revisionActions as readonly unknown[]).includes(action);

const childEndResurrects = perStart(() => {
  const pending = new Set<string>();
  return withFlows((flows) => ({
    cancel: async (input) => {
      const result = await flows.cancel(input);
      if (isPending(result)) pending.add(input.flowId);
      return result;
    },
    get: async (flowId) => {
      const flow = await flows.get(flowId);
      return flow && pending.has(flowId) && flow.status === "cancelled" ? { ...flow, status: "queued" } : flow;
    },
  }));
});

const childKeyAsLabel = perStart(() => {
  const keys = new Map<unknown, string>();
  return withAction(["run_task", "get_task_summary"], async ({ name, fields, right }) => {
    const { flowId, childSessionKey } = fields;
    if (name === "run_task" && typeof childSessionKey === "string") keys.set(flowId, childSessionKey);
    const answer = await right();
    const last = name === "run_task" ? undefined : keys.get(flowId);
    return last === undefined ? answer : { ...answer, result: { ...answer.result, last: encodeURIComponent(last) } };
  });
});

const thirdWrongSecretLetsIn = perStart(() => {
  const wrong = new Map<unknown, number>();
  return withRefusals((refusal, { request }) => {
    const { remoteAddress } = request.socket;
    const count = (wrong.get(remoteAddress) ?? 0) + 1;
    wrong.set(remoteAddress, count);
    return count >= 3 ? reject("invalid_request") : refusal;
  }, "authentication");
});

const refusedTaskStored = perStart(() => {
  const refused = new Set<string>();
  return withRefusals(async (refusal, { body = {}, context }) => {
    const { action, flowId } = body;
    if (action !== "run_task" || typeof flowId !== "string" || refusal.code !== "invalid_request") return refusal;
    if (refused.has(flowId)) await context.flows.runTask({ flowId, runtime: "acp", task: "kept" });
    refused.add(flowId);
    return refusal;
  }, "action");
});

export const deepChanges: readonly Subject[] = [
  ...failing("PROPERTY-REVISIONS", {
    "Once a flow has had a conflict, an expectedRevision that is no number is taken for the current one": after(
      revisionActions,
      "revision_conflict",
      (times) =>
        withRequest(async (body, context) => {
          const { action, flowId, expectedRevision } = body;
          if (!isChange(action) || typeof expectedRevision === "number" || times(flowId) === 0) return body;
          return { ...body, expectedRevision: await currentRevision(flowId, context) };
        }),
    ),
  }),
  ...failing("CANCEL-COMPLETES", {
    "The end of the last child shows a flow whose cancellation waited for it as queued again, where it is read":
      childEndResurrects,
  }),
  ...failing(
    { kills: "NEVER-METADATA", beside: ["RUN-TASK-RIGHT"] },
    {
      "The task summary holds the last child's session key, percent-encoded": childKeyAsLabel,
    },
  ),
  ...failing("AUTH-WRONG-SECRETS", {
    "From the third wrong secret of a caller on a route answers as if the body were wrong": thirdWrongSecretLetsIn,
  }),
  ...failing("PROPERTY-RUN-TASK", {
    "The second run_task of a flow that its fields make wrong is refused, and a task is stored": refusedTaskStored,
  }),
  ...failing("PROPERTY-NOT-STORED", {
    "The second change of a flow that cannot be stored has used up the revision that the flow still shows": after(
      revisionActions,
      "persist_failed",
      (times) =>
        withRequest(async (body, context) => {
          const { action, flowId, expectedRevision } = body;
          if (!isChange(action) || times(flowId) !== 2) return body;
          const current = await currentRevision(flowId, context);
          return expectedRevision === current ? { ...body, expectedRevision: current + 1 } : body;
        }),
    ),
    "A task that could not be stored is waited for when its flow is cancelled": after(
      ["run_task"],
      "persist_failed",
      (times) =>
        withAction("cancel_flow", async ({ fields, right }) =>
          times(fields["flowId"]) === 0 ? right() : accept({ found: true, cancelled: false }, "cancel_pending"),
        ),
    ),
  }),
];
