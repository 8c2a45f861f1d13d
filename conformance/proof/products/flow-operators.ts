/** Ways to break what changes flows, and what is read and shown, each where a condition holds. */
import { accept, reject } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { actionNames } from "../../interface/fields.ts";
import { changeActions, flowActions } from "../../interface/flow-model.ts";
import { passOn } from "../runtime.ts";
import { operators, type About } from "./conditions.ts";
import {
  answering,
  asking,
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
const storing = (instead: (fields: StoredFields) => StoredFields) =>
  otherwise(["create_flow"], ({ right, fields }) => right({ ...fields, ...instead(fields) }));

const session = ["list_flows", "find_latest_flow"];
const open = none(ended, staleOnly);

const listing = (change: (flows: readonly StoredFields[], step: OperatorStep) => readonly StoredFields[]) =>
  resulting(["list_flows"], ({ flows = [] }, step) => ({ flows: change(flows, step) }));

const counted = (change: (summary: StoredFields) => StoredFields) =>
  [
    none(sent, "always"),
    resulting(["get_task_summary"], ({ summary }) => ({ summary: summary && { ...summary, ...change(summary) } })),
  ] as const;

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
  ...changeActions.flatMap((name): FlowOperator[] => [
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
  ...flowActions.map((name): FlowOperator => ({
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
  ...["get_flow", "resolve_flow"].map((name): FlowOperator => ({
    what: `${name} gives the latest flow`,
    not: sent,
    when: otherwise([name], async ({ context: { flows, parts } }) => {
      const flow = await flows.findLatest();
      return accept({ flow: flow ? parts.views.flow(flow) : null });
    }),
  })),
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
  ...actionNames
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
  ...operators<About>({
    "a change takes what is no number for the current revision": [
      staleOnly,
      asking((body, { flow }) => {
        const isLoose =
          changeActions.some((name) => name === body["action"]) && typeof body["expectedRevision"] !== "number";
        return isLoose && flow ? { ...body, expectedRevision: flow.revision } : body;
      }),
    ],
    "a change wants the revision after the current one": [
      open,
      otherwise(changeActions, ({ right, fields, at: { flow } }) =>
        right(
          flow && fields["expectedRevision"] === flow.revision
            ? { ...fields, expectedRevision: flow.revision + 1 }
            : fields,
        ),
      ),
    ],
    "resume_flow applied in any status": [
      none("always|waiting|blocked", staleOnly),
      otherwise(["resume_flow"], ({ fields, context }) => passOn("resume_flow", fields, context)),
    ],
    "run_task accepted and no task made": [
      none(ended, sent, "asked to cancel"),
      otherwise(["run_task"], async ({ right, fields: { runtime, task }, context, at: { flow } }) => {
        if (flow === undefined) return right();
        const made = { taskId: `task-${Math.random()}`, runtime, task, status: "queued" };
        return accept({ created: true, flow: context.parts.views.flow(flow), task: made });
      }),
    ],
    "cancel_flow with active children answers 200": [
      none(ended, "first revision", staleOnly),
      answering(["cancel_flow"], (answer) => (answer.code === "cancel_pending" ? accept(answer.result) : answer)),
    ],
    "cancel_flow waits for a child that is not there": [
      none(ended, staleOnly, "child"),
      otherwise(["cancel_flow"], async ({ right, at }) =>
        isRight(at, "cancel_flow") ? accept({ found: true, cancelled: false }, "cancel_pending") : right(),
      ),
    ],
    "set_waiting drops the data sent with it": [
      none(open, "always"),
      otherwise(["set_waiting"], ({ right, fields: { stateJson: _state, waitJson: _wait, ...fields } }) =>
        right(fields),
      ),
    ],
    "run_task takes the fields of a running task without that status": [
      sent,
      asking((body) => {
        const { startedAt: _started, lastEventAt: _last, progressSummary: _progress, ...rest } = body;
        return body["action"] === "run_task" && body["status"] !== "running" ? rest : body;
      }),
    ],
    "fail_flow makes the flow finished": [
      open,
      otherwise(["fail_flow"], ({ right, fields: { flowId, expectedRevision }, context, at }) =>
        isRight(at, "fail_flow") ? passOn("finish_flow", { flowId, expectedRevision }, context) : right(),
      ),
    ],
    "a change shows the revision before": [
      none(staleOnly, "first revision"),
      answering(mutations, (answer) => (answer.ok ? showing(answer, revisionBefore) : answer)),
    ],
    "a conflict names the session": [
      /first revision/,
      answering(mutations, (answer, { context }) =>
        answer.code === "revision_conflict" ? { ...answer, error: `Owned by ${context.flows.sessionKey}.` } : answer,
      ),
    ],
    "list_flows leaves out each flow": [
      /^(?!of a flow)/,
      ({ holds }) =>
        listing((flows, { at, memory: { tasks, past } }) => {
          const isShown = ({ flowId: id }: StoredFields): boolean => {
            const flow = at.flows.find(({ flowId }) => flowId === id);
            return !holds({ ...at, flow, tasks: tasks.get(String(id)) ?? [], past: past.get(String(id)) ?? [] });
          };
          return flows.filter(isShown);
        })({ holds: () => true }),
    ],
    "get_flow shows a flow as waiting": [
      none("waiting", "cancelled", sent),
      answering(["get_flow"], (answer) => showing(answer, (flow) => ({ ...flow, status: "waiting" }))),
    ],
    "find_latest_flow shows a flow whose last change was a conflict": [
      ofFlows,
      latestIs(({ at: { flows }, memory: { past } }) =>
        flows.findLast(({ flowId }) => past.get(flowId)?.at(-1)?.code === "revision_conflict"),
      ),
    ],
    "find_latest_flow shows the flow created last": [ofFlows, latestIs(({ at: { flows } }) => flows.at(-1))],
    "create_flow stores no notifyPolicy": [ofFlows, storing(() => ({ notifyPolicy: "silent" }))],
    "create_flow gives the goal in capitals": [ofFlows, storing(({ goal }) => ({ goal: String(goal).toUpperCase() }))],
    "create_flow stores every flow as running": [ofFlows, storing(() => ({ status: "running" }))],
    "create_flow gives another controllerId": [ofFlows, storing(() => ({ controllerId: "webhooks/other" }))],
    "create_flow shows no revision": [
      ofFlows,
      resulting(["create_flow"], ({ flow }) => ({ created: true, flowId: flow?.["flowId"] })),
    ],
    "get_flow finds nothing": [sent, resulting(["get_flow"], () => ({ flow: null }))],
    "resolve_flow finds nothing": [sent, resulting(["resolve_flow"], () => ({ flow: null }))],
    "list_flows shows flows twice": [ofFlows, listing((flows) => [...flows, ...flows.slice(0, 1)])],
    "list_flows leaves out one flow": [ofFlows, listing((flows) => flows.slice(1))],
    "get_task_summary counts no active task": counted(({ total }) => ({ active: 0, byStatus: {}, terminal: total })),
    "get_task_summary counts ended children as active": counted(({ total }) => ({ active: total, terminal: 0 })),
    "get_task_summary counts no task": counted(() => ({
      total: 0,
      active: 0,
      terminal: 0,
      byStatus: {},
      byRuntime: {},
    })),
  }),
];
