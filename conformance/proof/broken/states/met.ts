/** Sections 3 to 5: faults that show where two things meet: an action with what came before it, or with what comes beside it. */
import { setImmediate as tick } from "node:timers/promises";
import { reject } from "../../../../plugin/answer.ts";
import type { FlowRecord, Json } from "../../../../plugin/ports.ts";
import { perStart, withAction, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** A connection has one body: that which was read last. */
const bodyOfConnection: Change = perStart(() => {
  const bodies = new WeakMap<object, object>();
  return withStage("body", async (exchange, right) => {
    const outcome = await right();
    const { socket } = exchange.request;
    if (exchange.body !== undefined) bodies.set(socket, exchange.body);
    await tick();
    exchange.body &&= bodies.get(socket) as typeof exchange.body;
    return outcome;
  });
});

/** A change of such a flow is carried out at the flow's own revision. */
const atOwnRevision = (isSo: (flow: FlowRecord, body: Readonly<Record<string, Json>>) => boolean): Change =>
  withStage("action", async (exchange, right) => {
    const { body = {}, context } = exchange;
    const { flowId } = body;
    const flow = typeof flowId === "string" ? await context.flows.get(flowId) : undefined;
    return flow && isSo(flow, body)
      ? right({ ...exchange, body: { ...body, expectedRevision: flow.revision } })
      : right();
  });

export const met: readonly Subject[] = [
  ...failing("REVISION-OTHER", atOwnRevision, {
    "A revision ahead of the flow's is taken once its cancellation was requested": (flow, { expectedRevision: sent }) =>
      flow.cancelRequestedAt !== undefined && Number(sent) > flow.revision,
    "resume_flow of a blocked flow needs no revision": ({ status }, { action, expectedRevision: sent }) =>
      action === "resume_flow" && status === "blocked" && sent === undefined,
  }),
  ...failing("REVISION-STALE", {
    "A stale request_cancel is refused, and run_task as well from then on": perStart(() => {
      const noted = new Set<unknown>();
      return withStage("action", async (exchange, right) => {
        const { action, flowId } = exchange.body ?? {};
        if (action === "run_task" && noted.has(flowId)) return reject("cancel_requested");
        const outcome = await right();
        if (action === "request_cancel" && typeof outcome === "object" && outcome.code === "revision_conflict")
          noted.add(flowId);
        return outcome;
      });
    }),
  }),
  ...failing("STATES-DATA", {
    "set_waiting without wait data stores that of the set_waiting before, of whatever flow": perStart(() => {
      let last: unknown;
      return withAction("set_waiting", ({ fields, right }) => {
        last = fields["waitJson"] ?? last;
        return right(last === undefined ? fields : { ...fields, waitJson: last });
      });
    }),
  }),
  ...failing("REQUEST-RIGHT", {
    "Of pipelined requests the earlier one is carried out with the body of the later one": bodyOfConnection,
  }),
  ...failing("RUN-TASK-RIGHT", {
    "run_task with runtime acp is refused in a flow that waits": withAction(
      "run_task",
      async ({ fields: { runtime, flowId }, context, right }) =>
        runtime === "acp" && (await context.flows.get(String(flowId)))?.status === "waiting"
          ? reject("task_not_created")
          : right(),
    ),
    "run_task with runtime acp adds to the session's latest flow": withAction(
      "run_task",
      async ({ fields, context, right }) => {
        const latest = fields["runtime"] === "acp" ? await context.flows.findLatest() : undefined;
        return right(latest ? { ...fields, flowId: latest.flowId } : fields);
      },
    ),
  }),
  ...failing("CREATE-FLOW-FIELDS", {
    "A notifyPolicy without a status is refused": withAction("create_flow", ({ fields, right }) =>
      fields["notifyPolicy"] !== undefined && fields["status"] === undefined ? reject("invalid_request") : right(),
    ),
  }),
  ...failing("NEVER-CONTRADICTS", {
    "A create_flow whose fields are refused has stored its flow before": withStage(
      "action",
      async (exchange, right) => {
        const outcome = await right();
        const { action, goal } = exchange.body ?? {};
        const isRefused = typeof outcome === "object" && outcome.code === "invalid_request";
        if (isRefused && action === "create_flow" && typeof goal === "string")
          await exchange.context.flows.tryCreateManaged({ goal, controllerId: "" });
        return outcome;
      },
    ),
  }),
];
