/** Ways to break what changes flows, each where a condition holds. */
import { accept, reject } from "../../../plugin/answer.ts";
import type { BoundFlows } from "../../../plugin/ports.ts";
import { passOn } from "../runtime.ts";
import type { About } from "./conditions.ts";
import {
  answering,
  asking,
  changes,
  ended,
  mutations,
  ofFlows,
  otherwise,
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

const none = (...conditions: readonly (RegExp | string)[]): RegExp =>
  new RegExp(conditions.map((one) => (typeof one === "string" ? one : one.source)).join("|"));

/** What create_flow stores in place of what it is sent. */
const stored: readonly (readonly [what: string, instead: (fields: Fields) => Fields])[] = [
  ["stores no notifyPolicy", () => ({ notifyPolicy: "silent" })],
  ["gives the goal in capitals", ({ goal }) => ({ goal: String(goal).toUpperCase() })],
  ["gives another controllerId", () => ({ controllerId: "webhooks/other" })],
];

export const flowOperators: readonly FlowOperator[] = [
  ...mutations.map((name): FlowOperator => ({
    what: `${name} accepted and nothing done`,
    not: none(ended, staleOnly),
    when: otherwise([name], async ({ right, context, at }) => {
      if (!isRight(at, name) || at.flow === undefined) return right();
      const view = context.parts.views.flow(at.flow) as Fields;
      const flow = { ...view, status: statusAfter[name] ?? view["status"], revision: at.flow.revision + 1 };
      return accept(name === "cancel_flow" ? { found: true, cancelled: true, flow } : { applied: true, flow });
    }),
  })),
  ...changes.flatMap((name): FlowOperator[] => [
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
      const isLoose = changes.some((name) => name === body["action"]) && typeof body["expectedRevision"] !== "number";
      return isLoose && flow ? { ...body, expectedRevision: flow.revision } : body;
    }),
  },
  {
    what: "a change wants the revision after the current one",
    not: none(ended, staleOnly),
    when: otherwise(changes, ({ right, fields, at: { flow } }) =>
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
    not: none("always", ended, staleOnly, "asked to cancel", ...(name === "resume_flow" ? ["queued"] : [])),
    when: otherwise([name], async ({ right, at }) =>
      name === "run_task" || isRight(at, name) ? reject("mutation_rejected") : right(),
    ),
  })),
  {
    what: "run_task accepted and no task made",
    not: none(ended, staleOnly, "asked to cancel"),
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
    not: none(ended, staleOnly),
    when: otherwise(["set_waiting"], ({ right, fields: { stateJson: _state, waitJson: _wait, ...fields } }) =>
      right(fields),
    ),
  },
  {
    what: "run_task takes the fields of a running task without that status",
    not: staleOnly,
    when: asking((body) => {
      const { startedAt: _started, lastEventAt: _last, progressSummary: _progress, ...rest } = body;
      return body["action"] === "run_task" && body["status"] !== "running" ? rest : body;
    }),
  },
  {
    what: "resume_flow drops the state data",
    not: none(ended, staleOnly, "queued"),
    when: otherwise(["resume_flow"], ({ right, fields, context }) => {
      const resume: BoundFlows["resume"] = (input) => context.flows.resume({ ...input, stateJson: null });
      return right(fields, { ...context, flows: { ...context.flows, resume } });
    }),
  },
  {
    what: "fail_flow makes the flow finished",
    not: none(ended, staleOnly),
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
];
