/** Sections 4 and 7: names that are near a field's name are not that field, neither in its place nor beside it. */
import { change, createFlow, getFlow, runTask } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { nearNames, otherCases, type Spelling } from "../../interface/spellings.ts";
import { idOf } from "../../interface/values.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { cellFailure, eachCell, mustRefuseCell, type Cell } from "../../harness/cells.ts";
import { flowsOf, setUp, twin, type FlowView } from "../../harness/checks.ts";
import { absentId, changeActions, changed, mustBeUnchanged, readBack, shownIn } from "../../harness/flows.ts";
import { acceptedValue, mustAddNone, taskCount, taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const invalid = { status: 400, code: "invalid_request" } as const;

type Fields = Readonly<Record<string, unknown>>;

/** One request for each near name: it has the field's value, and the field is missing. */
function inItsPlace(right: Fields, field: string, value = right[field]): Cell[] {
  const { [field]: _left, ...others } = right;
  return nearNames(field).map(({ what, name }) => ({
    row: `in its place ${what}`,
    column: field,
    body: { ...others, [name]: value },
  }));
}

/** The near names have `near`, the field itself has `own`: a reader may take the first name for it, or the last. */
function besideIt(right: Fields, field: string, own: unknown, near: unknown): Cell[] {
  const { [field]: _left, ...others } = right;
  const cases = otherCases(field);
  const known = new Set(cases.map(({ name }) => name));
  const sets: readonly (readonly [what: string, spellings: readonly Spelling[]])[] = [
    ["names in other cases", cases],
    ["other names", nearNames(field).filter(({ name }) => !known.has(name))],
  ];
  return sets.flatMap(([what, spellings]) => {
    const named = Object.fromEntries(spellings.map(({ name }) => [name, near]));
    return [
      { row: `before it ${what}`, column: field, body: { ...others, ...named, [field]: own } },
      { row: `behind it ${what}`, column: field, body: { ...others, [field]: own, ...named } },
    ];
  });
}

/** The name of the action under near names: what a missing action is answered with is open, but nothing may be done. */
const actionNamed = (right: ActionBody, harmless: ActionBody): Cell[] => [
  ...inItsPlace(right, "action"),
  ...besideIt({ ...right, ...harmless }, "action", harmless.action, right.action),
];

/** Fails where an accepted request has changed the flow. */
async function mustNotAct(trial: Trial, cell: Cell, exchange: Exchange, before: FlowView): Promise<void> {
  if (!isAccepted(exchange)) return;
  const flow = shownIn(exchange, before.flowId) ?? (await readBack(trial, before.flowId));
  if (flow === undefined || flow.revision === before.revision) return;
  throw cellFailure(cell, "the flow as it was before", "another revision", exchange);
}

const reading =
  "A name of another spelling is another name. Whether unknown fields are refused is open (section 4), but they stand " +
  "for nothing: a required field that is only there under another name is missing, and its own value counts beside one.";

const changeCases: readonly Case[] = changeActions.map((action) => ({
  id: `FIELD-NAMES-${idOf(action)}`,
  title: `No other spelling of a field's name, nor of \`action\`, makes ${action} change a flow`,
  clauses: ["REVISION-REQUIRED", "FLOW-IDENTITY", "BODY-OBJECT", "ERROR-INVALID"],
  requests: 84,
  reading,
  async run(trial) {
    const stale = await trial.flow();
    const flow = await changed(trial, "set_waiting", stale);
    const before = await readBack(trial, flow.flowId);
    const right = change(action, flow);
    for (const field of ["flowId", "expectedRevision"] as const) {
      const wrong = field === "flowId" ? absentId(flow.flowId) : stale.revision;
      await eachCell(trial, inItsPlace(right, field), (cell, exchange) => mustRefuseCell(cell, exchange, invalid));
      await eachCell(trial, besideIt(right, field, wrong, right[field]), (cell, exchange) =>
        mustRefuseCell(cell, exchange),
      );
      await mustBeUnchanged(trial, before);
    }
    await eachCell(trial, actionNamed(right, getFlow(flow.flowId, trial.profile.fields)), (cell, exchange) =>
      mustNotAct(trial, cell, exchange, flow),
    );
    await mustBeUnchanged(trial, before);
    twin(await trial.post(right));
  },
}));

const runTaskCase: Case = {
  id: "FIELD-NAMES-RUN-TASK",
  title: "No other spelling of flowId, runtime, status or `action` makes run_task add a task",
  clauses: ["RUN-TASK-FLOW", "RUN-TASK-RUNTIME", "RUN-TASK-RUNNING-FIELDS", "BODY-OBJECT", "ERROR-INVALID"],
  requests: 90,
  reading: `${reading} Whether runtime may be missing is open.`,
  async run(trial) {
    const flow = await trial.flow();
    const { flowId } = flow;
    const form = await taskForm(trial, flowId);
    const right = runTask(flowId, form);
    const startedAt = await acceptedValue(trial, flowId, "startedAt", form);
    const started = { ...right, startedAt };
    const before = await taskCount(trial, flowId);
    const malformed = [
      ...inItsPlace(right, "flowId"),
      ...besideIt(right, "runtime", "shell", "acp"),
      ...inItsPlace(started, "status", "running"),
      ...besideIt(started, "status", "queued", "running"),
    ];
    await eachCell(trial, malformed, (cell, exchange) => mustRefuseCell(cell, exchange, invalid));
    await eachCell(trial, besideIt(right, "flowId", absentId(flowId), flowId), (cell, exchange) =>
      mustRefuseCell(cell, exchange),
    );
    await mustAddNone(trial, flowId, before);
    const harmless = getFlow(flowId, trial.profile.fields);
    await eachCell(trial, actionNamed(right, harmless), () => undefined);
    await mustAddNone(trial, flowId, before);
  },
};

/** The fields of create_flow that the interface names: a right value, and another that may be right as well. */
const created = {
  goal: ["the goal itself", "a goal of another name"],
  status: ["queued", "waiting"],
  notifyPolicy: ["done_only", "silent"],
} as const;

const createCells = Object.entries(created).flatMap(([field, [own, near]]) => {
  const right = createFlow(created.goal[0], { status: created.status[0], notifyPolicy: created.notifyPolicy[0] });
  const each = nearNames(field).map(({ what, name }) => ({
    row: `behind it ${what}`,
    column: field,
    body: { ...right, [name]: near },
  }));
  return [...each, ...besideIt(right, field, own, near)];
});

const createCase: Case = {
  id: "FIELD-NAMES-CREATE-FLOW",
  title: "No other spelling of goal, status or notifyPolicy gives a new flow its value",
  clauses: ["ACTION-CREATE-FLOW", "FLOW-GOAL", "STATE-CREATE"],
  requests: 76,
  reading,
  async run(trial) {
    setUp(
      await trial.post(createFlow(created.goal[0], { status: "queued", notifyPolicy: "done_only" })),
      "create_flow",
    );
    await eachCell(trial, createCells, (cell, exchange) => {
      const [flow] = isAccepted(exchange) ? flowsOf(exchange) : [];
      for (const [field, [own]] of Object.entries(created)) {
        if (flow?.[field] === undefined || flow[field] === own) continue;
        throw cellFailure(cell, `the value of ${field} itself`, "another value", exchange);
      }
    });
    await eachCell(trial, inItsPlace(createFlow(created.goal[1]), "goal"), (cell, exchange) => {
      const [flow] = isAccepted(exchange) ? flowsOf(exchange) : [];
      if (flow?.["goal"] !== created.goal[1]) return;
      throw cellFailure(cell, "no flow with that goal", "one", exchange);
    });
  },
};

export const fieldNameCases: readonly Case[] = [createCase, ...changeCases, runTaskCase];
