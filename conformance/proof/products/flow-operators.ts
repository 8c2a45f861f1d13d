/** Ways to break the actions, each where a condition holds. */
import { accept, reject, type Answer } from "../../../plugin/answer.ts";
import type { RouteContext } from "../../../plugin/contract.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { perStart, withAction, withRequest } from "../changes.ts";
import type { Change } from "../subject.ts";
import type { About, FlowCondition } from "./conditions.ts";

export interface FlowOperator {
  readonly what: string;
  /** Conditions that it makes no sense with, by words in their text. */
  readonly not?: RegExp;
  when(condition: FlowCondition): Change;
}

type Fields = Record<string, unknown>;
type Run = (fields: Fields, context: RouteContext) => Promise<Answer>;

/** What one started subject remembers: the tasks of each flow, and what changed it last. */
interface Memory {
  readonly tasks: Map<string, Fields[]>;
  readonly lastChange: Map<string, string>;
  /** Flows of all sessions, by session. */
  readonly flows: Map<string, FlowRecord[]>;
}

const changes = ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const;
const mutations = [...changes, "cancel_flow"] as const;
const about = [...mutations, "run_task", "get_flow", "get_task_summary", "resolve_flow"] as const;
const all = [...about, "list_flows", "find_latest_flow", "create_flow"] as const;

const idOf = ({ flowId, token }: Fields): string => String(flowId ?? token);
const statusAfter: Readonly<Record<string, string>> = {
  set_waiting: "waiting",
  resume_flow: "queued",
  finish_flow: "finished",
  fail_flow: "failed",
  cancel_flow: "cancelled",
};

async function aboutOf(memory: Memory, fields: Fields, context: RouteContext): Promise<About> {
  const [flow, flows] = await Promise.all([context.flows.get(idOf(fields)), context.flows.list()]);
  const tasks = memory.tasks.get(idOf(fields)) ?? [];
  const ordered = flows.toSorted((a, b) => a.createdAt - b.createdAt);
  const own = ordered.find(({ flowId }) => flowId === flow?.flowId);
  return { fields, flow: own, flows: ordered, controllerId: context.route.controllerId, tasks };
}

/** Another way to run some actions where the condition holds; all actions feed the memory. */
const otherwise =
  (
    names: readonly string[],
    run: (
      right: Run,
      fields: Fields,
      context: RouteContext,
      at: About,
      memory: Memory,
      name: string,
    ) => Promise<Answer>,
  ) =>
  ({ holds }: FlowCondition): Change =>
    perStart(() => {
      const memory: Memory = { tasks: new Map(), lastChange: new Map(), flows: new Map() };
      return withAction(all, ({ name, run: right }) => ({
        run: async (fields, context) => {
          const at = await aboutOf(memory, fields, context);
          const answer = await (names.includes(name) && holds(at)
            ? run(right, fields, context, at, memory, name)
            : right(fields, context));
          if (answer.ok && name === "run_task") memory.tasks.set(idOf(fields), [...at.tasks, fields]);
          const { flow } = answer.result as { flow?: { flowId: string } };
          if (answer.ok && flow && !["get_flow", "resolve_flow", "find_latest_flow"].includes(name))
            memory.lastChange.set(flow.flowId, name);
          memory.flows.set(context.flows.sessionKey, [...(await context.flows.list())]);
          return answer;
        },
      }));
    });

const isRight = ({ fields, flow }: About, name: string): boolean =>
  flow !== undefined &&
  flow.endedAt === undefined &&
  (fields["expectedRevision"] === flow.revision ||
    (name === "cancel_flow" && fields["expectedRevision"] === undefined)) &&
  (name !== "resume_flow" || flow.status === "waiting" || flow.status === "blocked");

const ended = /has ended|every flow/;
const staleOnly = /five behind|ahead/;
/** Actions that name no flow. */
const aboutNoFlow: ReadonlySet<string> = new Set(["list_flows", "find_latest_flow", "create_flow"]);

const perChange = (make: (name: (typeof mutations)[number]) => FlowOperator): FlowOperator[] => mutations.map(make);

/** The shown flows of an answer, each changed. */
function shown(answer: Answer, change: (flow: Fields) => Fields): Answer {
  const result = answer.result as { flow?: Fields | null; flows?: Fields[]; current?: Fields };
  return {
    ...answer,
    result: {
      ...result,
      ...(result.flow && { flow: change(result.flow) }),
      ...(result.current && { current: change(result.current) }),
      ...(result.flows && { flows: result.flows.map(change) }),
    },
  };
}

export const flowOperators: readonly FlowOperator[] = [
  ...perChange((name) => ({
    what: `${name} accepted and nothing done`,
    not: new RegExp(`${ended.source}|${staleOnly.source}`),
    when: otherwise([name], async (right, fields, context, at) => {
      if (!isRight(at, name) || at.flow === undefined) return right(fields, context);
      const view = context.parts.views.flow(at.flow) as Fields;
      const flow = { ...view, status: statusAfter[name] ?? view["status"], revision: at.flow.revision + 1 };
      return accept(name === "cancel_flow" ? { found: true, cancelled: true, flow } : { applied: true, flow });
    }),
  })),
  ...perChange((name) => ({
    what: `${name} takes any revision`,
    not: /first revision|asked to cancel/,
    when: otherwise([name], async (right, fields, context, { flow }) =>
      flow === undefined || fields["expectedRevision"] === undefined
        ? right(fields, context)
        : right({ ...fields, expectedRevision: flow.revision }, context),
    ),
  })),
  ...perChange((name) => ({
    what: `${name} with a stale revision refused and done`,
    not: /first revision|ended|ahead/,
    when: otherwise([name], async (right, fields, context, { flow }) => {
      const answer = await right(fields, context);
      if (answer.code === "revision_conflict" && flow)
        await right({ ...fields, expectedRevision: flow.revision }, context);
      return answer;
    }),
  })),
  ...perChange((name) => ({
    what: `${name} with a stale revision is invalid_request`,
    // The interface does not say that cancel_flow takes a revision.
    not: name === "cancel_flow" ? /./ : /first revision|ahead/,
    when: otherwise([name], async (right, fields, context) => {
      const answer = await right(fields, context);
      return answer.code === "revision_conflict" ? reject("invalid_request") : answer;
    }),
  })),
  ...[...mutations, "run_task" as const].map((name): FlowOperator => ({
    what: `${name} refused though right`,
    not: new RegExp(
      `always|${ended.source}|${staleOnly.source}|asked to cancel${name === "resume_flow" ? "|queued" : ""}`,
    ),
    when: otherwise([name], async (right, fields, context, at) =>
      name === "run_task" || isRight(at, name) ? reject("mutation_rejected") : right(fields, context),
    ),
  })),
  {
    what: "run_task accepted and no task made",
    not: new RegExp(`${ended.source}|${staleOnly.source}|asked to cancel`),
    when: otherwise(["run_task"], async (right, fields, context, { flow }) => {
      if (flow === undefined) return right(fields, context);
      const task = {
        taskId: `task-${Math.random()}`,
        runtime: fields["runtime"],
        task: fields["task"],
        status: "queued",
      };
      return accept({ created: true, flow: context.parts.views.flow(flow), task });
    }),
  },
  {
    what: "cancel_flow with active children answers 200",
    not: new RegExp(`${ended.source}|first revision|${staleOnly.source}`),
    when: otherwise(["cancel_flow"], async (right, fields, context) => {
      const answer = await right(fields, context);
      return answer.code === "cancel_pending" ? accept(answer.result) : answer;
    }),
  },
  {
    what: "list_flows shows flows twice",
    not: /of a flow|revision|first flow/,
    when: otherwise(["list_flows"], async (right, fields, context) => {
      const answer = await right(fields, context);
      const { flows } = answer.result as { flows: object[] };
      return { ...answer, result: { flows: [...flows, ...flows.slice(0, 1)] } };
    }),
  },
  {
    what: "list_flows leaves out one flow",
    not: /of a flow|revision|first flow|always/,
    when: otherwise(["list_flows"], async (right, fields, context) => {
      const answer = await right(fields, context);
      return { ...answer, result: { flows: (answer.result as { flows: object[] }).flows.slice(1) } };
    }),
  },
  ...(["list_flows", "find_latest_flow"] as const).map((name): FlowOperator => ({
    what: `${name} shows a flow of another session`,
    not: /of a flow|revision|first flow/,
    when: otherwise([name], async (right, fields, context, _at, memory) => {
      const answer = await right(fields, context);
      const others = [...memory.flows].filter(([session]) => session !== context.flows.sessionKey);
      const other = others.flatMap(([, flows]) => flows).at(-1);
      if (other === undefined) return answer;
      const view = context.parts.views.flow(other);
      const result = answer.result as { flows?: object[] };
      return { ...answer, result: result.flows ? { flows: [...result.flows, view] } : { flow: view } };
    }),
  })),
  {
    what: "find_latest_flow shows the flow created last",
    not: /of a flow|revision|first flow/,
    when: otherwise(["find_latest_flow"], async (right, fields, context, { flows }) => {
      const last = flows.at(-1);
      return last === undefined ? right(fields, context) : accept({ flow: context.parts.views.flow(last) });
    }),
  },
  ...[...mutations, "run_task" as const].slice(0, 6).map((changed): FlowOperator => ({
    what: `find_latest_flow takes no notice of ${changed}`,
    not: /^(?!always)/,
    when: otherwise(["find_latest_flow"], async (right, fields, context, { flows }, memory) => {
      const newest = flows.toSorted((a, b) => b.updatedAt - a.updatedAt);
      if (memory.lastChange.get(newest[0]?.flowId ?? "") !== changed || newest[1] === undefined)
        return right(fields, context);
      return accept({ flow: context.parts.views.flow(newest[1]) });
    }),
  })),
  ...(["get_flow", "resolve_flow", "list_flows", "find_latest_flow"] as const).map((name): FlowOperator => ({
    what: `${name} shows the revision before`,
    not:
      name === "list_flows" || name === "find_latest_flow"
        ? /of a flow|revision|first flow/
        : /first revision|five behind|ahead/,
    when: otherwise([name], async (right, fields, context) =>
      shown(await right(fields, context), (flow) => ({ ...flow, revision: Math.max(0, Number(flow["revision"]) - 1) })),
    ),
  })),
  {
    what: "set_waiting drops the data sent with it",
    not: new RegExp(`${ended.source}|${staleOnly.source}`),
    when: otherwise(["set_waiting"], async (right, { stateJson: _state, waitJson: _wait, ...fields }, context) =>
      right(fields, context),
    ),
  },
  {
    what: "get_task_summary counts no active task",
    not: new RegExp(`${staleOnly.source}|always`),
    when: otherwise(["get_task_summary"], async (right, fields, context) => {
      const answer = await right(fields, context);
      const { summary } = answer.result as { summary: Fields | null };
      return {
        ...answer,
        result: { summary: summary && { ...summary, active: 0, byStatus: {}, terminal: summary["total"] } },
      };
    }),
  },
  {
    what: "get_task_summary counts no task",
    not: new RegExp(`${staleOnly.source}|always`),
    when: otherwise(["get_task_summary"], async (right, fields, context) => {
      const answer = await right(fields, context);
      const { summary } = answer.result as { summary: Fields | null };
      const none = { total: 0, active: 0, terminal: 0, byStatus: {}, byRuntime: {} };
      return { ...answer, result: { summary: summary && { ...summary, ...none } } };
    }),
  },
  ...all.map((name): FlowOperator => ({
    what: `${name} shows the session's key as the owner`,
    not: aboutNoFlow.has(name) ? /of a flow|revision|first flow/ : staleOnly,
    when: otherwise([name], async (right, fields, context) =>
      shown(await right(fields, context), (flow) => ({ ...flow, owner: context.flows.sessionKey })),
    ),
  })),
  {
    what: "run_task takes the fields of a running task without that status",
    not: staleOnly,
    when: ({ holds }) =>
      withRequest(async (body, context) => {
        const { startedAt: _started, lastEventAt: _last, progressSummary: _progress, ...rest } = body;
        if (body["action"] !== "run_task" || body["status"] === "running") return body;
        const memory: Memory = { tasks: new Map(), lastChange: new Map(), flows: new Map() };
        return holds(await aboutOf(memory, body, context)) ? rest : body;
      }),
  },
  {
    what: "create_flow stores no notifyPolicy",
    not: /of a flow|revision|first flow/,
    when: otherwise(["create_flow"], async (right, { notifyPolicy: _policy, ...fields }, context) =>
      right({ ...fields, notifyPolicy: "silent" }, context),
    ),
  },
  {
    what: "create_flow gives the goal in capitals",
    not: /of a flow|revision|first flow/,
    when: otherwise(["create_flow"], async (right, fields, context) =>
      right({ ...fields, goal: String(fields["goal"]).toUpperCase() }, context),
    ),
  },
  {
    what: "create_flow gives another controllerId",
    not: /of a flow|revision|first flow/,
    when: otherwise(["create_flow"], async (right, fields, context) =>
      right({ ...fields, controllerId: "webhooks/other" }, context),
    ),
  },
];
