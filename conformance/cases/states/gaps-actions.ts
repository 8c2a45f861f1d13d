/** What the interface leaves open about actions, as far as a profile binds it. */
import { createFlow, runTask, smallest } from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import { changeActions } from "../../interface/flow-model.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { flowOf, flowsOf, setUp } from "../../harness/checks.ts";
import { absentId, flowAfter, mustUnderstand, readBack, sendChange } from "../../harness/flows.ts";
import { flowReads } from "../../oracle/flow-factors.ts";
import { codeOf, flowField, mustFit, openValues, refusedCode, refusedStatus } from "../../harness/open-values.ts";
import { mustAddNone, rightTask, startedTask, taskCount } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Which response to look at: to the last of these actions, sent one by one to a new flow; to create_flow if there is none. */
type Path = readonly ActionName[];

interface Course extends Pick<Case, "id" | "title" | "clauses"> {
  /** What create_flow is sent beside the goal. */
  readonly created?: Readonly<Record<string, unknown>>;
  readonly reads: Parameters<typeof openValues>[0]["reads"];
  readonly paths: readonly Path[];
}

async function lastOf(trial: Trial, path: Path, created = {}): Promise<Exchange> {
  let exchange = setUp(await trial.post(createFlow("open", created)), "create_flow");
  let flow = flowOf(exchange);
  for (const [index, action] of path.entries()) {
    const isTask = action === "run_task";
    // Running, so that it is active; a refusal of one says something where another flow takes it.
    const task = isTask && (await rightTask(trial, flow.flowId, { status: "running" }));
    if (task && index > 0) await startedTask(trial, (await trial.flow()).flowId, { status: "running" });
    exchange = await trial.post(task || smallest(action, flow, trial.profile.fields));
    if (index === path.length - 1) break;
    if (action === "cancel_flow") mustUnderstand(exchange, action);
    else setUp(exchange, action);
    // A cancellation may be completed a moment after its answer.
    if (action === "cancel_flow") flow = (await readBack(trial, flow.flowId)) ?? flow;
    // After run_task the revision from before is sent: whether it is still the flow's is open.
    else if (!isTask) flow = await flowAfter(trial, exchange, flow.flowId);
  }
  return exchange;
}

const ended = (action: ActionName): Path[] =>
  (["finish_flow", "fail_flow", "cancel_flow"] as const).map((ending) => [ending, action]);

const courses: readonly Course[] = [
  {
    id: "GAP-CREATED",
    title: "A new flow has the profile's revision, default status and notifyPolicy",
    clauses: ["STATE-DEFAULTS"],
    reads: {
      "flow.first-revision": flowField("revision"),
      "flow.default-status": flowField("status"),
      "flow.default-notify-policy": flowField("notifyPolicy"),
    },
    paths: [[], ["get_flow"]],
  },
  {
    id: "GAP-RESUMED-STATUS",
    title: "A flow resumed without a status gets the profile's status",
    clauses: ["STATE-DEFAULTS"],
    reads: { "flow.resumed-status": flowField("status") },
    paths: [
      ["set_waiting", "resume_flow"],
      ["set_waiting", "resume_flow", "get_flow"],
    ],
  },
  {
    id: "GAP-RESUME-CODE",
    title: "resume_flow of a flow neither waiting nor blocked gets the profile's code",
    clauses: ["STATE-RESUME-ONLY", "VALIDATION"],
    reads: { "resume.code": refusedCode },
    created: { status: "queued" },
    paths: [["resume_flow"]],
  },
  {
    id: "GAP-ENDED",
    title: "A change or cancel_flow of an ended flow gets the profile's code",
    clauses: ["STATE-TERMINAL", "ERROR-CANCEL-CODES"],
    reads: { "terminal.code": refusedCode },
    paths: [
      ...ended("set_waiting"),
      ...ended("cancel_flow"),
      ...changeActions.slice(1).map((action): Path => ["finish_flow", action]),
    ],
  },
  {
    id: "RUN-TASK-ENDED",
    title: "run_task in an ended flow gets the profile's code",
    clauses: ["STATE-TERMINAL"],
    reads: { "task.ended-code": refusedCode },
    paths: ended("run_task"),
  },
  {
    id: "RUN-TASK-CANCEL-REQUESTED",
    title: "run_task after a requested cancellation gets cancel_requested with the profile's status",
    clauses: ["ERROR-CANCEL-CODES"],
    reads: { "status.cancel_requested": refusedStatus("cancel_requested") },
    paths: [
      ["request_cancel", "run_task"],
      ["run_task", "cancel_flow", "run_task"],
    ],
  },
  {
    id: "RUN-TASK-KEEPS-REVISION",
    title: "run_task does not change the flow's revision",
    clauses: ["STATE-DEFAULTS"],
    reads: { "task.keeps-revision": isAccepted },
    paths: [["run_task", "set_waiting"]],
  },
  {
    id: "CANCEL-STATUS",
    title: "A cancelled flow has the profile's status",
    clauses: ["STATE-DEFAULTS"],
    reads: { "cancel.status": flowField("status") },
    paths: [["cancel_flow"], ["cancel_flow", "get_flow"]],
  },
  {
    id: "CANCEL-PENDING-CODE",
    title: "The 202 of a pending cancellation has the profile's code",
    clauses: ["ERROR-CANCEL-CODES"],
    reads: { "cancel.pending-code": (exchange) => (exchange.answer?.status === 202 ? codeOf(exchange) : undefined) },
    paths: [["run_task", "cancel_flow"]],
  },
  {
    id: "CANCEL-REQUEST-KEEPS-STATUS",
    title: "request_cancel does not change the status",
    clauses: ["STATE-DEFAULTS"],
    reads: {
      "cancel.request-keeps-status": (exchange) => {
        const status = flowField("status")(exchange);
        return status === undefined ? undefined : status === "waiting";
      },
    },
    paths: [
      ["set_waiting", "request_cancel"],
      ["set_waiting", "request_cancel", "get_flow"],
    ],
  },
];

export const gapActionCases: readonly Case[] = [
  ...courses.map(({ paths, created, ...about }) =>
    openValues({
      ...about,
      requests: 40,
      async *shown(trial) {
        for (const path of paths) yield await lastOf(trial, path, created);
      },
    }),
  ),
  openValues({
    id: "GAP-ABSENT-READ",
    title: "A read of a flow that does not exist is answered as the profile says",
    clauses: ["ABSENT-READ"],
    reads: {
      "absent-read": (exchange) =>
        isAccepted(exchange) ? (flowsOf(exchange).length === 0 ? "null" : null) : refusedCode(exchange),
    },
    requests: 7,
    async *shown(trial) {
      const flow = await trial.flow();
      for (const action of flowReads) {
        const read = (flowId: string) => trial.post(smallest(action, { ...flow, flowId }, trial.profile.fields));
        if (isAccepted(await read(flow.flowId))) yield await read(absentId(flow.flowId));
      }
    },
  }),
  {
    id: "GAP-REVISION-STEP",
    title: "Each applied change adds the profile's step to the revision",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["flow.revision-step"],
    requests: 12,
    async run(trial) {
      let flow = await trial.flow();
      for (const action of ["set_waiting", "resume_flow", "request_cancel", "finish_flow"] as const) {
        const next = await sendChange(trial, action, flow);
        mustFit(trial, "flow.revision-step", next.revision - flow.revision, ...trial.last);
        flow = next;
      }
    },
  },
  openValues({
    id: "RUN-TASK-FOREIGN-CHILD",
    title: "run_task with a childSessionKey of another session gets the profile's code",
    clauses: ["SESSION-BOUND"],
    reads: { "task.foreign-child-code": refusedCode },
    requests: 10,
    reading: "Else a route would act with the authority of a session that is not its own (section 5, rule 7).",
    async *shown(trial) {
      setUp(await trial.post(await rightTask(trial, (await trial.flow()).flowId)), "run_task");
      const [{ flowId }, { sessionKey }] = [await trial.flow(), trial.stranger];
      await trial.flow({}, trial.stranger);
      const before = await taskCount(trial, flowId);
      const refused = await trial.post(runTask(flowId, { childSessionKey: sessionKey }));
      if (!isAccepted(refused)) await mustAddNone(trial, flowId, before);
      yield refused;
    },
  }),
];
