/** Section 3: the actions that change or cancel a flow gone wrong, alone and where they meet something else. */
import { setImmediate as tick } from "node:timers/promises";
import { z } from "zod";
import { isActive } from "../../../../fakes/flow-store.ts";
import { reject, accept, type Answer } from "../../../../plugin/answer.ts";
import type { FlowRecord, TaskRecord } from "../../../../plugin/ports.ts";
import { changeActions, flowActions } from "../../../interface/flow-model.ts";
import {
  asText,
  withAction,
  withCall,
  withFlowView,
  withOutcome,
  withParsing,
  withRequest,
  withStage,
  withStatuses,
  keepsAnswers,
  withNotes,
  withSchema,
  withFlowShown,
  withEnvelope,
} from "../../changes.ts";
import { shownAs } from "../../choices.ts";
import { isChunked } from "../../limit-books.ts";
import { passesOn } from "../../runtime.ts";
import { failing, type Subject, type Change } from "../../subject.ts";

/** A connection has one body: that which was read last. */
const bodies = new WeakMap<object, object>();
const bodyOfConnection = withStage("body", async (exchange, right) => {
  const outcome = await right();
  const { socket } = exchange.request;
  if (exchange.body !== undefined) bodies.set(socket, exchange.body);
  await tick();
  exchange.body &&= bodies.get(socket) as typeof exchange.body;
  return outcome;
});

/** run_task takes any fields, and the runtime has no rule for them. */
const anyTask: Change = withSchema("run_task", ({ shape }) => z.looseObject({ flowId: shape["flowId"] as z.ZodType }));

/** What cancel_flow is accepted with where the children are like this; undefined for no code. */
const codedWhere = (code: "cancel_pending" | undefined, fits: (tasks: readonly TaskRecord[]) => boolean): Change =>
  withOutcome("cancel_flow", (answer) => {
    const { tasks = [] } = answer.result as { tasks?: TaskRecord[] };
    return answer.ok && fits(tasks) ? accept(answer.result, code) : answer;
  });

const hasEnded = (task: TaskRecord | undefined): boolean => task !== undefined && !isActive(task);

/** A cache of a read that only its own route empties, or any of its session. */
const keptBy = (whose: "id" | "sessionKey", read: "find_latest_flow" | "list_flows" | "get_task_summary"): Change =>
  keepsAnswers(read, [...flowActions, "create_flow"], ({ context: { route } }) => route[whose]);

/** A cancellation goes for other flows of the session, too. */
const cancelsAsWell = (isMeant: (flow: FlowRecord) => boolean): Change =>
  withCall("cancel", async (input, flows) => {
    const result = await flows.cancel(input);
    const meant = (await flows.list()).filter(isMeant);
    if (result.cancelled) for (const { flowId } of meant) await flows.cancel({ flowId, cfg: {} });
    return result;
  });

export const changes: readonly Subject[] = [
  ...failing({
    "REVISION-STALE: A stale revision gets 412": withStatuses({ revision_conflict: 412 }),
    "REVISION-STALE: A conflict's result shows the flow with the revision that was sent": withOutcome(
      changeActions,
      (answer, fields) => {
        const { current } = answer.result as { current?: FlowRecord };
        if (answer.code !== "revision_conflict" || current === undefined) return answer;
        return { ...answer, result: { applied: false, current: { ...current, revision: fields["expectedRevision"] } } };
      },
    ),
    "STATES-SET-WAITING: A flow that is waiting is shown as paused": shownAs("waiting", "paused"),
    "STATES-SET-WAITING: set_waiting compares expectedRevision with that of the session's latest flow": withAction(
      "set_waiting",
      async ({ fields, context, right }) => {
        const latest = await context.flows.findLatest();
        return !latest || latest.revision === fields["expectedRevision"] ? right() : reject("revision_conflict");
      },
    ),
    "STATES-FAIL-FLOW: A flow that is failed is shown as error": shownAs("failed", "error"),
    "STATES-FINISH-FLOW: finish_flow makes a flow `succeeded`": withFlowView((view, { status }) => ({
      ...view,
      status,
    })),
    "RUN-TASK-WRONG: startedAt and lastEventAt are taken together, whatever the status": withRequest((body) => {
      const { startedAt, lastEventAt, ...others } = body;
      return startedAt === undefined || lastEventAt === undefined || body["status"] === "running" ? body : others;
    }),
    "RUN-TASK-WRONG: run_task in an ended flow is refused for its state before its fields are looked at": withStage(
      "action",
      async ({ body = {}, context }, right) => {
        const flow = body["action"] === "run_task" ? await context.flows.get(asText(body["flowId"])) : undefined;
        return flow?.endedAt === undefined ? right() : reject("terminal");
      },
    ),
    "REVISION-STALE: Of callers with the product's header the revision of an ended flow is not looked at": withRequest(
      async (body, { flows }, { headers }) => {
        const flow = headers.authorization === undefined && (await flows.get(asText(body["flowId"])));
        const isTaken = flow && flow.endedAt !== undefined && "expectedRevision" in body;
        return isTaken ? { ...body, expectedRevision: flow.revision } : body;
      },
    ),
    "STATES-DATA: Of a chunked set_waiting of a flow that waits already the state data are forgotten": withRequest(
      async (body, { flows }, request) => {
        const flow = isChunked(request) && (await flows.get(asText(body["flowId"])));
        const { stateJson: _, ...rest } = body;
        return flow && flow.status === "waiting" && body["action"] === "set_waiting" ? rest : body;
      },
    ),
    "CREATE-FLOW-FIELDS: A goal that stands behind the status is cut in the middle": withParsing((text, right) => {
      const body = right();
      const { goal, status } = body ?? {};
      const isLast =
        typeof goal === "string" && status !== undefined && text.indexOf('"goal"') > text.indexOf('"status"');
      return isLast ? { ...body, goal: goal.slice(0, Math.ceil(goal.length / 2)) } : body;
    }),
    "REQUEST-RIGHT: Of pipelined requests the earlier one is carried out with the body of the later one":
      bodyOfConnection,
    "RUN-TASK-RIGHT: run_task with runtime acp adds to the session's latest flow": withAction(
      "run_task",
      async ({ fields, context, right }) => {
        const latest = fields["runtime"] === "acp" ? await context.flows.findLatest() : undefined;
        return right(latest ? { ...fields, flowId: latest.flowId } : fields);
      },
    ),
    "NEVER-CONTRADICTS: A create_flow whose fields are refused has stored its flow before": withStage(
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
    "GAP-ENDED: Changes are passed on to the runtime, and only resume_flow looks at the status: ended flows change":
      passesOn(["set_waiting", "finish_flow", "fail_flow", "request_cancel"]),
    "STATES-FINISH-FLOW: find_latest_flow of a route is kept until that route changes a flow": keptBy(
      "id",
      "find_latest_flow",
    ),
    "STATES-FAIL-FLOW: list_flows of a route is kept until that route changes a flow": keptBy("id", "list_flows"),
    "STATES-CANCEL-FLOW, STATES-CANCEL-CHILDREN: The latest flow of a session is kept until one is created, or changed by its revision":
      keepsAnswers("find_latest_flow", [...changeActions, "create_flow"], ({ context }) => context.route.sessionKey),
    // The plugin's own check sees no flow.
    "REVISION-CANCEL-FLOW: cancel_flow passes its expectedRevision on to a runtime that does not look at it":
      withAction("cancel_flow", ({ fields, context, right }) =>
        right(fields, { ...context, flows: { ...context.flows, get: () => null } }),
      ),
    "RUN-TASK-RUNTIMES, RUN-TASK-STATUSES: run_task passes whatever fields it is sent on to the runtime": anyTask,
    "STATES-CANCEL-CHILDREN: Only the first child is looked at": codedWhere(undefined, ([first]) => hasEnded(first)),
    "STATES-CANCEL-CHILDREN: Only the last child is looked at": codedWhere(undefined, (tasks) =>
      hasEnded(tasks.at(-1)),
    ),
    "STATES-SET-WAITING: get_flow shows a route what it has shown that route before, until it changes the flow itself":
      keepsAnswers(
        "get_flow",
        changeActions,
        ({ context, fields }) => `${context.route.id} ${asText(fields["flowId"])}`,
      ),
    "ACTION-ABSENT: resolve_flow finds tokens in a table that inherits names": withAction(
      "resolve_flow",
      ({ fields, right }) => (asText(fields["token"]) in {} ? accept({ flow: {} }) : right()),
    ),
    "STATES-SET-WAITING: find_latest_flow shows the flow that was read last": withNotes<string>(
      ["get_flow", "find_latest_flow"],
      async ({ name, fields, context: { flows, parts }, right }, read) => {
        if (name === "get_flow") read.set("last", asText(fields["flowId"]));
        const flow = name === "get_flow" ? undefined : await flows.get(read.get("last") ?? "");
        return flow ? accept({ flow: parts.views.flow(flow) }) : right();
      },
    ),
    "NEVER-CONTRADICTS: cancel_flow cancels the waiting flows of the session as well": cancelsAsWell(
      ({ status }) => status === "waiting",
    ),
    "STATES-CANCEL-FLOW: cancel_flow cancels every flow of the session": cancelsAsWell(() => true),
    "CANCEL-CHILD-ENDED: A child that has ended still counts as active": codedWhere(
      "cancel_pending",
      (tasks) => tasks.length > 0,
    ),
    "CANCEL-COMPLETES: A flow whose cancellation was asked for is shown as queued when it is cancelled": withFlowShown(
      (flow) =>
        flow.status === "cancelled" && flow.cancelRequestedAt !== undefined ? { ...flow, status: "queued" } : flow,
    ),
    "STATES-SET-WAITING, STATES-FINISH-FLOW: The summary of a flow is kept until the flow changes or gets a task":
      keepsAnswers("get_task_summary"),
    "SESSION-FOREIGN-READS: One summary is kept for all flows of a session until one of them changes": keptBy(
      "sessionKey",
      "get_task_summary",
    ),
    "STATES-CANCEL-CHILDREN: A flow whose cancellation once waited for children is told to wait for ever":
      withNotes<Answer>("cancel_flow", async ({ fields: { flowId }, right }, waited) => {
        const answer = await right();
        if (answer.code === "cancel_pending" && !waited.has(flowId)) waited.set(flowId, answer);
        return waited.get(flowId) ?? answer;
      }),
    "NOT-STORED-REFUSED: A new flow gets its status by a change of its own, and is left behind where that cannot be stored":
      withCall("tryCreateManaged", async ({ status, ...input }, flows) => {
        const flow = await flows.tryCreateManaged(input);
        if (flow === null || "created" in flow || status !== "queued") return flow;
        const { flowId, revision: expectedRevision } = flow;
        const changed = await flows.resume({ flowId, expectedRevision, status });
        return changed.applied ? { ...changed.flow, revision: 0 } : null;
      }),
    "CANCEL-PENDING-CODE: The 202 of a pending cancellation has no code": withEnvelope((envelope, status) => {
      const { code: _code, ...rest } = envelope;
      return status === 202 ? rest : envelope;
    }),
  }),
];
