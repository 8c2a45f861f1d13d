/** Ways to break what changes flows, each where a condition holds. */
import { accept, reject } from "../../../plugin/answer.ts";
import type { BoundFlows } from "../../../plugin/ports.ts";
import { both, perStart, withRequest } from "../changes.ts";
import { passOn } from "../passed-on.ts";
import type { About } from "./conditions.ts";
import {
  aboutOf,
  ended,
  Memory,
  mutations,
  otherwise,
  remembering,
  revisionBefore,
  showing,
  staleOnly,
  type Fields,
  type FlowOperator,
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

const perChange = (make: (name: (typeof mutations)[number]) => FlowOperator): FlowOperator[] => mutations.map(make);

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
    not: new RegExp(`first revision|${ended.source}|ahead|right`),
    when: otherwise([name], async (right, fields, context, { flow }) => {
      const answer = await right(fields, context);
      if (answer.code === "revision_conflict" && flow)
        await right({ ...fields, expectedRevision: flow.revision }, context);
      return answer;
    }),
  })),
  ...(["invalid_request", "mutation_rejected", "terminal"] as const).flatMap((code) =>
    perChange((name) => ({
      what: `${name} with a stale revision is ${code}`,
      // The interface does not say that cancel_flow takes a revision.
      not: name === "cancel_flow" ? /./ : /first revision|ahead|right/,
      when: otherwise([name], async (right, fields, context) => {
        const answer = await right(fields, context);
        return answer.code === "revision_conflict" ? { ...answer, code } : answer;
      }),
    })),
  ),
  {
    what: "resume_flow applied in any status",
    not: new RegExp(`always|waiting|blocked|${staleOnly.source}`),
    when: otherwise(["resume_flow"], (_right, fields, context) => passOn("resume_flow", fields, context)),
  },
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
    what: "set_waiting drops the data sent with it",
    not: new RegExp(`${ended.source}|${staleOnly.source}`),
    when: otherwise(["set_waiting"], async (right, { stateJson: _state, waitJson: _wait, ...fields }, context) =>
      right(fields, context),
    ),
  },
  {
    what: "run_task takes the fields of a running task without that status",
    not: staleOnly,
    when: ({ holds }) =>
      perStart(() => {
        const memory = new Memory();
        const taking = withRequest(async (body, context) => {
          const { startedAt: _started, lastEventAt: _last, progressSummary: _progress, ...rest } = body;
          if (body["action"] !== "run_task" || body["status"] === "running") return body;
          return holds(await aboutOf(memory, body, context)) ? rest : body;
        });
        return both(
          remembering(memory, (_name, right, fields, context) => right(fields, context)),
          taking,
        );
      }),
  },
  {
    what: "resume_flow drops the state data",
    not: new RegExp(`${ended.source}|${staleOnly.source}|queued`),
    when: otherwise(["resume_flow"], (right, fields, context) => {
      const resume: BoundFlows["resume"] = (input) => context.flows.resume({ ...input, stateJson: null });
      return right(fields, { ...context, flows: { ...context.flows, resume } });
    }),
  },
  {
    what: "fail_flow makes the flow finished",
    not: new RegExp(`${ended.source}|${staleOnly.source}`),
    when: otherwise(["fail_flow"], (right, fields, context, at) => {
      const { flowId, expectedRevision } = fields;
      return isRight(at, "fail_flow")
        ? passOn("finish_flow", { flowId, expectedRevision }, context)
        : right(fields, context);
    }),
  },
  {
    what: "a change shows the revision before",
    not: new RegExp(`${staleOnly.source}|first revision`),
    when: otherwise(mutations, async (right, fields, context) => {
      const answer = await right(fields, context);
      return answer.ok ? showing(answer, revisionBefore) : answer;
    }),
  },
  {
    what: "a conflict names the session",
    not: /first revision/,
    when: otherwise(mutations, async (right, fields, context) => {
      const answer = await right(fields, context);
      const error = `Owned by ${context.flows.sessionKey}.`;
      return answer.code === "revision_conflict" ? { ...answer, error } : answer;
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
