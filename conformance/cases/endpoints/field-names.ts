/** Sections 4 and 7: names that are near a field's name are not that field, neither in its place nor beside it. */
import { createFlow } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { nearNames, otherCases, type Spelling } from "../../interface/spellings.ts";
import { idOf } from "../../interface/values.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { Failure } from "../../harness/case-errors.ts";
import { check, flowsOf, setUp, type FlowView } from "../../harness/checks.ts";
import { changeActions } from "../../interface/flow-model.ts";
import { absentId } from "../../harness/flows.ts";
import { acceptedTime } from "../../harness/tasks.ts";
import { invalid, notChanged, spoiltRows, type Spoilt } from "../../oracle/spoilt-rows.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One request for each near name: it has the field's value, and the field is missing. */
function inItsPlace(right: Fields, field: string, as: Spoilt["as"], own = right[field]): Spoilt[] {
  const { [field]: _left, ...others } = right;
  return nearNames(field).map(({ what, name }) => ({
    factor: field,
    value: what,
    body: { ...others, [name]: own },
    as,
  }));
}

/** The near names have `near`, the field itself has `own`: a reader may take the first name for it, or the last. */
function besideIt(right: Fields, field: string, own: unknown, near: unknown, as: Spoilt["as"]): Spoilt[] {
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
      { factor: field, value: `${what}, before the right name`, body: { ...others, ...named, [field]: own }, as },
      { factor: field, value: `${what}, after the right name`, body: { ...others, [field]: own, ...named }, as },
    ];
  });
}

/** The name of the action under near names: what a missing action is answered with is open, but nothing may be done. */
const actionNamed = (right: ActionBody, harmless: ActionBody): Spoilt[] => [
  ...inItsPlace(right, "action", notChanged),
  ...besideIt({ ...right, ...harmless }, "action", harmless.action, right.action, notChanged),
];

const reading =
  "A name of another spelling is another name. Whether unknown fields are refused is open (section 4), but they stand " +
  "for nothing: a required field that is only there under another name is missing, and its own value counts beside one.";

const changeCases = changeActions.map((action) =>
  spoiltRows({
    id: `FIELD-NAMES-${idOf(action)}`,
    title: `A misspelled field name or \`action\` does not make ${action} change a flow`,
    clauses: ["REVISION-REQUIRED", "FLOW-IDENTITY", "BODY-OBJECT", "ERROR-INVALID"],
    requests: 86,
    reading,
    action,
    spoilt: ({ right, flow, stale, smallest }) => [
      ...inItsPlace(right, "flowId", invalid),
      ...besideIt(right, "flowId", absentId(flow.flowId), flow.flowId, {}),
      ...inItsPlace(right, "expectedRevision", invalid),
      ...besideIt(right, "expectedRevision", stale.revision, flow.revision, {}),
      ...actionNamed(right, smallest("get_flow")),
    ],
  }),
);

const runTaskCase = spoiltRows({
  id: "FIELD-NAMES-RUN-TASK",
  title: "A misspelled flowId, runtime, status or `action` does not make run_task add a task",
  clauses: ["RUN-TASK-FLOW", "RUN-TASK-RUNTIME", "RUN-TASK-RUNNING-FIELDS", "BODY-OBJECT", "ERROR-INVALID"],
  requests: 92,
  reading: `${reading} Whether runtime may be missing is open.`,
  action: "run_task",
  given: async (trial, { right }) => ({
    startedAt: await acceptedTime(trial, { ...right, flowId: (await trial.flow()).flowId }),
  }),
  spoilt({ right, flow: { flowId }, smallest, startedAt }) {
    const started = { ...right, startedAt };
    return [
      ...inItsPlace(right, "flowId", invalid),
      ...besideIt(right, "runtime", "shell", "acp", invalid),
      ...inItsPlace(started, "status", invalid, "running"),
      ...besideIt(started, "status", "queued", "running", invalid),
      ...besideIt(right, "flowId", absentId(flowId), flowId, {}),
      ...actionNamed(right, smallest("get_flow")),
    ];
  },
});

/** The fields of create_flow that the interface names: a right value, and another that may be right as well. */
const created = {
  goal: ["the goal itself", "a goal of another name"],
  status: ["queued", "waiting"],
  notifyPolicy: ["done_only", "silent"],
} as const;

const rightCreation = createFlow(created.goal[0], { status: "queued", notifyPolicy: "done_only" });

const flowIn = (exchange: Exchange): FlowView | undefined => (isAccepted(exchange) ? flowsOf(exchange)[0] : undefined);

function mustHaveOwn(exchange: Exchange): void {
  const flow = flowIn(exchange);
  const other = Object.entries(created).find(([field, [own]]) => (flow?.[field] ?? own) !== own);
  if (other !== undefined) throw new Failure(`the value of ${other[0]} itself`, "another value", [exchange]);
}

const createCase = spoiltRows({
  id: "FIELD-NAMES-CREATE-FLOW",
  title: "create_flow ignores or refuses other spellings of goal, status and notifyPolicy",
  clauses: ["ACTION-CREATE-FLOW", "FLOW-GOAL", "STATE-CREATE"],
  requests: 76,
  reading,
  action: "create_flow",
  async given(trial) {
    setUp(await trial.post(rightCreation), "create_flow");
    return {};
  },
  spoilt: () => [
    ...Object.entries(created).flatMap(([field, [own, near]]) => [
      ...nearNames(field).map(({ what, name }) => ({
        factor: field,
        value: `${what}, after the right name`,
        body: { ...rightCreation, [name]: near },
        as: mustHaveOwn,
      })),
      ...besideIt(rightCreation, field, own, near, mustHaveOwn),
    ]),
    ...inItsPlace(createFlow(created.goal[1]), "goal", (exchange) =>
      check(flowIn(exchange)?.["goal"] !== created.goal[1], "no flow with that goal", "one", exchange),
    ),
  ],
});

export const fieldNameCases: readonly Case[] = [createCase, ...changeCases, runTaskCase];
