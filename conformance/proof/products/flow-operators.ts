/** Ways to break what changes flows, and what is read and shown, each where a condition holds. */
import { accept, reject } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { passOn } from "../runtime.ts";
import type { About } from "./conditions.ts";
import {
  answering,
  asking,
  changeNames,
  ended,
  mutations,
  ofFlows,
  otherwise,
  revisionBefore,
  showing,
  sent,
  staleOnly,
  type StoredFields,
  type FlowOperator,
  type Shows,
  all,
  resulting,
  type OperatorStep,
} from "./flow-operator.ts";

const statusAfter: Readonly<Record<string, string>> = {
  set_waiting: "waiting",
  resume_flow: "queued",
  finish_flow: "finished",
  fail_flow: "failed",
  cancel_flow: "cancelled",
};

const isRight = ({ fields, flow }: About, name: string): boolean =>
  flow !== undefined &&
  flow.endedAt === undefined &&
  (fields["expectedRevision"] === flow.revision ||
    (name === "cancel_flow" && fields["expectedRevision"] === undefined)) &&
  (name !== "resume_flow" || flow.status === "waiting" || flow.status === "blocked");

const none = (...conditions: readonly (RegExp | string)[]): RegExp =>
  new RegExp(conditions.map((one) => (typeof one === "string" ? one : one.source)).join("|"));

/** What create_flow stores in place of what it is sent. */
const stored: readonly (readonly [what: string, instead: (fields: StoredFields) => StoredFields])[] = [
  ["stores no notifyPolicy", () => ({ notifyPolicy: "silent" })],
  ["gives the goal in capitals", ({ goal }) => ({ goal: String(goal).toUpperCase() })],
  ["stores every flow as running", () => ({ status: "running" })],
  ["gives another controllerId", () => ({ controllerId: "webhooks/other" })],
];

const session = ["list_flows", "find_latest_flow"];
const open = none(ended, staleOnly);

const counted =
  (change: (summary: StoredFields) => StoredFields): Shows =>
  ({ summary }) => ({ summary: summary && { ...summary, ...change(summary) } });

/** What some reads show in place of the right result. */
const shown: readonly (readonly [name: string, what: string, not: RegExp, shows: Shows])[] = [
  ["get_flow", "finds nothing", sent, () => ({ flow: null })],
  ["resolve_flow", "finds nothing", sent, () => ({ flow: null })],
  ["create_flow", "shows no revision", ofFlows, ({ flow }) => ({ created: true, flowId: flow?.["flowId"] })],
  ["list_flows", "shows flows twice", ofFlows, ({ flows = [] }) => ({ flows: [...flows, ...flows.slice(0, 1)] })],
  ["list_flows", "leaves out one flow", ofFlows, ({ flows = [] }) => ({ flows: flows.slice(1) })],
  ...Object.entries({
    "no active task": counted(({ total }) => ({ active: 0, byStatus: {}, terminal: total })),
    "ended children as active": counted(({ total }) => ({ active: total, terminal: 0 })),
    "no task": counted(() => ({ total: 0, active: 0, terminal: 0, byStatus: {}, byRuntime: {} })),
  }).map(([what, shows]) => ["get_task_summary", `counts ${what}`, none(sent, "always"), shows] as const),
];

/** find_latest_flow shows this flow, where there is one. */
const latestIs = (find: (step: OperatorStep) => FlowRecord | undefined) =>
  answering(["find_latest_flow"], (answer, step) => {
    const flow = find(step);
    return flow === undefined ? answer : accept({ flow: step.context.parts.views.flow(flow) });
  });

export const flowOperators: readonly FlowOperator[] = [
  ...mutations.map((name): FlowOperator => ({
    what: `${name} accepted and nothing done`,
    not: open,
    when: otherwise([name], async ({ right, context, at }) => {
      if (!isRight(at, name) || at.flow === undefined) return right();
      const view = context.parts.views.flow(at.flow) as StoredFields;
      const flow = { ...view, status: statusAfter[name] ?? view["status"], revision: at.flow.revision + 1 };
      return accept(name === "cancel_flow" ? { found: true, cancelled: true, flow } : { applied: true, flow });
    }),
  })),
  ...changeNames.flatMap((name): FlowOperator[] => [
    {
      what: `${name} takes any revision`,
      not: /first revision|asked to cancel/,
      when: otherwise([name], async ({ right, fields, at: { flow } }) =>
        flow === undefined || fields["expectedRevision"] === undefined
          ? right()
          : right({ ...fields, expectedRevision: flow.revision }),
      ),
    },
    {
      what: `${name} with a stale revision refused and done`,
      not: none("first revision", ended, "ahead|right"),
      when: otherwise([name], async ({ right, fields, at: { flow } }) => {
        const answer = await right();
        if (answer.code === "revision_conflict" && flow) await right({ ...fields, expectedRevision: flow.revision });
        return answer;
      }),
    },
    ...(["invalid_request", "mutation_rejected", "terminal", "persist_failed"] as const).map((code): FlowOperator => ({
      what: `${name} with a stale revision is ${code}`,
      not: /first revision|ahead|right/,
      when: answering([name], (answer) => (answer.code === "revision_conflict" ? { ...answer, code } : answer)),
    })),
  ]),
  {
    what: "a change takes what is no number for the current revision",
    not: staleOnly,
    when: asking((body, { flow }) => {
      const isLoose =
        changeNames.some((name) => name === body["action"]) && typeof body["expectedRevision"] !== "number";
      return isLoose && flow ? { ...body, expectedRevision: flow.revision } : body;
    }),
  },
  {
    what: "a change wants the revision after the current one",
    not: open,
    when: otherwise(changeNames, ({ right, fields, at: { flow } }) =>
      right(
        flow && fields["expectedRevision"] === flow.revision
          ? { ...fields, expectedRevision: flow.revision + 1 }
          : fields,
      ),
    ),
  },
  {
    what: "resume_flow applied in any status",
    not: none("always|waiting|blocked", staleOnly),
    when: otherwise(["resume_flow"], ({ fields, context }) => passOn("resume_flow", fields, context)),
  },
  ...[...mutations, "run_task"].map((name): FlowOperator => ({
    what: `${name} refused though right`,
    not: none(
      "always|asked to cancel",
      ended,
      name === "run_task" ? sent : staleOnly,
      ...(name === "resume_flow" ? ["queued"] : []),
    ),
    when: otherwise([name], async ({ right, at }) =>
      name === "run_task" || isRight(at, name) ? reject("mutation_rejected") : right(),
    ),
  })),
  {
    what: "run_task accepted and no task made",
    not: none(ended, sent, "asked to cancel"),
    when: otherwise(["run_task"], async ({ right, fields: { runtime, task }, context, at: { flow } }) => {
      if (flow === undefined) return right();
      const made = { taskId: `task-${Math.random()}`, runtime, task, status: "queued" };
      return accept({ created: true, flow: context.parts.views.flow(flow), task: made });
    }),
  },
  {
    what: "cancel_flow with active children answers 200",
    not: none(ended, "first revision", staleOnly),
    when: answering(["cancel_flow"], (answer) => (answer.code === "cancel_pending" ? accept(answer.result) : answer)),
  },
  {
    what: "cancel_flow waits for a child that is not there",
    not: none(ended, staleOnly, "child"),
    when: otherwise(["cancel_flow"], async ({ right, at }) =>
      isRight(at, "cancel_flow") ? accept({ found: true, cancelled: false }, "cancel_pending") : right(),
    ),
  },
  {
    what: "set_waiting drops the data sent with it",
    not: none(open, "always"),
    when: otherwise(["set_waiting"], ({ right, fields: { stateJson: _state, waitJson: _wait, ...fields } }) =>
      right(fields),
    ),
  },
  {
    what: "run_task takes the fields of a running task without that status",
    not: sent,
    when: asking((body) => {
      const { startedAt: _started, lastEventAt: _last, progressSummary: _progress, ...rest } = body;
      return body["action"] === "run_task" && body["status"] !== "running" ? rest : body;
    }),
  },
  {
    what: "fail_flow makes the flow finished",
    not: open,
    when: otherwise(["fail_flow"], ({ right, fields: { flowId, expectedRevision }, context, at }) =>
      isRight(at, "fail_flow") ? passOn("finish_flow", { flowId, expectedRevision }, context) : right(),
    ),
  },
  {
    what: "a change shows the revision before",
    not: none(staleOnly, "first revision"),
    when: answering(mutations, (answer) => (answer.ok ? showing(answer, revisionBefore) : answer)),
  },
  {
    what: "a conflict names the session",
    not: /first revision/,
    when: answering(mutations, (answer, { context }) =>
      answer.code === "revision_conflict" ? { ...answer, error: `Owned by ${context.flows.sessionKey}.` } : answer,
    ),
  },
  ...stored.map(([what, instead]): FlowOperator => ({
    what: `create_flow ${what}`,
    not: ofFlows,
    when: otherwise(["create_flow"], ({ right, fields }) => right({ ...fields, ...instead(fields) })),
  })),
  ...shown.map(([name, what, not, shows]): FlowOperator => ({
    what: `${name} ${what}`,
    not,
    when: resulting([name], shows),
  })),
  {
    what: "list_flows leaves out each flow",
    not: /^(?!of a flow)/,
    when: ({ holds }) =>
      resulting(["list_flows"], ({ flows = [] }, { at, memory: { tasks, past } }) => {
        const isShown = ({ flowId: id }: StoredFields): boolean => {
          const flow = at.flows.find(({ flowId }) => flowId === id);
          return !holds({ ...at, flow, tasks: tasks.get(String(id)) ?? [], past: past.get(String(id)) ?? [] });
        };
        return { flows: flows.filter(isShown) };
      })({ holds: () => true }),
  },
  ...session.map((name): FlowOperator => ({
    what: `${name} shows a flow of another session`,
    not: ofFlows,
    when: resulting([name], (result, { context, memory }) => {
      const others = [...memory.flows].filter(([of]) => of !== context.flows.sessionKey);
      const other = others.flatMap(([, flows]) => flows).at(-1);
      if (other === undefined) return result;
      const view = context.parts.views.flow(other);
      return result.flows ? { flows: [...result.flows, view] } : { flow: view };
    }),
  })),
  {
    what: "get_flow shows a flow as waiting",
    not: none("waiting", "cancelled", sent),
    when: answering(["get_flow"], (answer) => showing(answer, (flow) => ({ ...flow, status: "waiting" }))),
  },
  ...["get_flow", "resolve_flow"].map((name): FlowOperator => ({
    what: `${name} gives the latest flow`,
    not: sent,
    when: otherwise([name], async ({ context: { flows, parts } }) => {
      const flow = await flows.findLatest();
      return accept({ flow: flow ? parts.views.flow(flow) : null });
    }),
  })),
  {
    what: "find_latest_flow shows a flow whose last change was a conflict",
    not: ofFlows,
    when: latestIs(({ at: { flows }, memory: { past } }) =>
      flows.findLast(({ flowId }) => past.get(flowId)?.at(-1)?.code === "revision_conflict"),
    ),
  },
  {
    what: "find_latest_flow shows the flow created last",
    not: ofFlows,
    when: latestIs(({ at: { flows } }) => flows.at(-1)),
  },
  ...mutations.map((changed): FlowOperator => ({
    what: `find_latest_flow takes no notice of ${changed}`,
    not: /^(?!always)/,
    when: latestIs(({ at: { flows }, memory }) => {
      const [newest, second] = flows.toSorted((a, b) => b.updatedAt - a.updatedAt);
      return memory.lastChange.get(newest?.flowId ?? "") === changed ? second : undefined;
    }),
  })),
  ...["get_flow", "resolve_flow", ...session].map((name): FlowOperator => ({
    what: `${name} shows the revision before`,
    not: session.includes(name) ? ofFlows : none("first revision", sent),
    when: answering([name], (answer) => showing(answer, revisionBefore)),
  })),
  // The result of get_task_summary holds no flow.
  ...all
    .filter((name) => name !== "get_task_summary")
    .map((name): FlowOperator => ({
      what: `${name} shows the session's key as the owner`,
      not: [...session, "create_flow"].includes(name)
        ? ofFlows
        : mutations.some((one) => one === name)
          ? staleOnly
          : sent,
      when: answering([name], (answer, { context }) =>
        showing(answer, (flow) => ({ ...flow, owner: context.flows.sessionKey })),
      ),
    })),
];
