/** Sections 2, 4 and 7: values that are near a right one, in each field that decides what a request does. */
import { cancelFlow, change, getFlow, runTask } from "../../interface/bodies.ts";
import {
  bodyWith,
  nearIds,
  noIds,
  noNumbers,
  noRevisions,
  noRuntimes,
  notRunning,
  type NearValue,
} from "../../interface/near-values.ts";
import type { ActionBody } from "../../interface/request.ts";
import { idOf } from "../../interface/values.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { cellFailure, eachCell, mustRefuseCell, type Cell } from "../../harness/cells.ts";
import { twin } from "../../harness/checks.ts";
import {
  cancelled,
  changeActions,
  mustBeUnchanged,
  mustReadFields,
  readBack,
  shownIn,
  twoFlows,
  understood,
  waitingFlow,
} from "../../harness/flows.ts";
import { acceptedValue, mustAddNone, taskCount, taskForm } from "../../harness/tasks.ts";

const invalid = { status: 400, code: "invalid_request" } as const;

const cellsOf = (right: ActionBody, field: string, values: readonly NearValue[], column = field): Cell[] =>
  values.map(({ what, json }) => ({ row: what, column, body: bodyWith(right, field, json) }));

const refused = (cell: Cell, exchange: Exchange) => mustRefuseCell(cell, exchange);
const malformed = (cell: Cell, exchange: Exchange) => mustRefuseCell(cell, exchange, invalid);

const changeCases: readonly Case[] = changeActions.map((action) => ({
  id: `FIELD-VALUES-${idOf(action)}`,
  title: `${action} is refused with each value that is near the flow's id or revision, and changes nothing`,
  clauses: ["REVISION-REQUIRED", "FLOW-IDENTITY", "ERROR-INVALID", "ERROR-NOT-FOUND"],
  requests: 112,
  reading:
    "A revision is an integer and a flowId a string (section 2). What is no number is malformed as a revision; numbers " +
    "that no revision is, and ids that no flow has, may be refused with any status and code.",
  async run(trial) {
    const flow = await waitingFlow(trial);
    const before = await readBack(trial, flow.flowId);
    const right = change(action, flow);
    const missing = ["flowId", "expectedRevision"].map((column): Cell => ({
      row: "no value",
      column,
      body: { ...right, [column]: undefined },
    }));
    const noNumber = cellsOf(right, "expectedRevision", noNumbers(flow.revision));
    await eachCell(trial, [...missing, ...noNumber], malformed);
    await eachCell(trial, cellsOf(right, "expectedRevision", noRevisions(flow.revision)), refused);
    await mustBeUnchanged(trial, before);
    await eachCell(trial, cellsOf(right, "flowId", [...nearIds(flow.flowId), ...noIds(flow.flowId)]), refused);
    await mustBeUnchanged(trial, before);
    twin(await trial.post(right));
  },
}));

const idReading = "No flow has such an id. White space around an id may be trimmed, so that is not judged.";

const cancelCase: Case = {
  id: "FIELD-VALUES-CANCEL-FLOW",
  title: "cancel_flow is refused with each text that is near a flow's id, and cancels nothing",
  clauses: ["STATE-CANCEL", "ERROR-NOT-FOUND"],
  requests: 56,
  reading: idReading,
  async run(trial) {
    const [flow, other] = await twoFlows(trial);
    await cancelled(trial, other.flowId);
    const { fields } = trial.profile;
    const right = cancelFlow(flow.flowId, fields);
    await eachCell(trial, cellsOf(right, fields.cancelFlowId, nearIds(flow.flowId)), refused);
    twin(await trial.post(change("set_waiting", flow)));
  },
};

const getCase: Case = {
  id: "FIELD-VALUES-GET-FLOW",
  title: "get_flow shows no flow for a text that is near its id",
  clauses: ["ACTION-GET-FLOW"],
  requests: 52,
  reading: idReading,
  async run(trial) {
    const [flow] = await twoFlows(trial);
    const { fields } = trial.profile;
    const right = getFlow(flow.flowId, fields);
    const exchange = understood(await trial.post(right), "get_flow");
    if (shownIn(exchange, flow.flowId) === undefined) throw new NotApplicable("get_flow does not show the flow");
    await mustReadFields(trial, right, exchange);
    await eachCell(trial, cellsOf(right, fields.getFlowId, nearIds(flow.flowId)), (cell, answer) => {
      if (isAccepted(answer) && shownIn(answer, flow.flowId) !== undefined)
        throw cellFailure(cell, "no flow", "the flow", answer);
    });
  },
};

const runTaskIdCase: Case = {
  id: "FIELD-VALUES-RUN-TASK",
  title: "run_task is refused with each value that is near a flow's id, and adds no task",
  clauses: ["RUN-TASK-FLOW", "FLOW-IDENTITY", "ERROR-NOT-FOUND"],
  requests: 72,
  reading: idReading,
  async run(trial) {
    const { flowId } = await trial.flow();
    const right = runTask(flowId, await taskForm(trial, flowId));
    const before = await taskCount(trial, flowId);
    await eachCell(trial, cellsOf(right, "flowId", [...nearIds(flowId), ...noIds(flowId)]), refused);
    await mustAddNone(trial, flowId, before);
    twin(await trial.post(right));
  },
};

/** What may stand beside the runtime; a check may depend on it. */
const surroundings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  runtime: {},
  "runtime, status running": { status: "running" },
  "runtime, status queued": { status: "queued" },
  "runtime, progress": { status: "running", progressSummary: "half of it" },
};

const runtimeCase: Case = {
  id: "RUN-TASK-RUNTIMES",
  title: "run_task gets 400 invalid_request for each runtime that is not an allowed value, whatever is beside it",
  clauses: ["RUN-TASK-RUNTIME", "ERROR-INVALID"],
  requests: 116,
  reading: "The allowed values are `subagent` and `acp`, spelled so (section 4).",
  async run(trial) {
    const { flowId } = await trial.flow();
    const form = await taskForm(trial, flowId);
    const lawful: (readonly [column: string, right: ActionBody])[] = [];
    for (const [column, more] of Object.entries(surroundings)) {
      const right = runTask(flowId, { ...form, ...more });
      if (isAccepted(await trial.post(right))) lawful.push([column, right]);
    }
    if (lawful.length === 0) throw new Unreached("run_task is accepted with no runtime", trial.last);
    const before = await taskCount(trial, flowId);
    // Two of the surroundings for each value, in turns: every value and every surrounding meet others.
    const cells = noRuntimes.flatMap((value, index) =>
      [0, 2]
        .map((step) => lawful[(index + step) % lawful.length])
        .flatMap((one) => (one === undefined ? [] : cellsOf(one[1], "runtime", [value], one[0]))),
    );
    await eachCell(trial, cells, malformed);
    await mustAddNone(trial, flowId, before);
  },
};

const statusCase: Case = {
  id: "RUN-TASK-STATUSES",
  title: "A field of a running task gets 400 invalid_request with each status that is not `running`",
  clauses: ["RUN-TASK-RUNNING-FIELDS", "ERROR-INVALID"],
  requests: 50,
  reading: "The rule holds for any status other than `running`, spelled so (section 4).",
  async run(trial) {
    const { flowId } = await trial.flow();
    const form = await taskForm(trial, flowId);
    const time = await acceptedValue(trial, flowId, "startedAt", form);
    twin(await trial.post(runTask(flowId, { ...form, status: "running", progressSummary: "half of it" })));
    const before = await taskCount(trial, flowId);
    // All three fields with each status: RUN-TASK-WRONG has each of them alone, with fewer statuses.
    const running = { startedAt: time, lastEventAt: time, progressSummary: "half of it" };
    const cells = notRunning.flatMap((status, at) => {
      const body = runTask(flowId, { ...form, runtime: at % 2 === 0 ? "subagent" : "acp", ...running });
      return cellsOf(body, "status", [status], "a running task's fields");
    });
    await eachCell(trial, cells, malformed);
    await mustAddNone(trial, flowId, before);
  },
};

export const fieldValueCases: readonly Case[] = [
  ...changeCases,
  cancelCase,
  getCase,
  runTaskIdCase,
  runtimeCase,
  statusCase,
];
