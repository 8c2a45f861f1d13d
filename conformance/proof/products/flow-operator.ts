/** A way to break the actions: how it is written, and what it may ask. */
import type { Answer } from "../../../plugin/answer.ts";
import type { RouteContext } from "../../../plugin/contract.ts";
import type { JsonObject } from "../../../plugin/json.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { actionNames } from "../../interface/fields.ts";
import { changeActions } from "../../interface/flow-model.ts";
import { perStart, together, withAction, withRequest, type ActionRun } from "../changes.ts";
import type { Change } from "../subject.ts";
import type { About, Condition, Operator } from "./conditions.ts";

export type FlowOperator = Operator<About>;

export type StoredFields = Record<string, unknown>;

interface Shown {
  readonly flow?: StoredFields | null;
  readonly flows?: readonly StoredFields[];
  readonly current?: StoredFields;
  readonly summary?: StoredFields | null;
}

/** One run of an action, and what it is about. */
export interface OperatorStep extends ActionRun {
  readonly at: About;
  readonly memory: Memory;
}

/** What one started subject remembers: of each flow its tasks, what was answered, and what changed it last. */
class Memory {
  readonly tasks = new Map<string, StoredFields[]>();
  readonly past = new Map<string, About["past"]>();
  readonly lastChange = new Map<string, string>();
  /** Flows of all sessions, by session. */
  readonly flows = new Map<string, FlowRecord[]>();
}

/** What changes a flow at a revision; the interface does not say that cancel_flow takes one. */
export const mutations = [...changeActions, "cancel_flow"] as const;

const idOf = ({ flowId, token }: StoredFields): string => String(flowId ?? token);

async function aboutOf(memory: Memory, fields: StoredFields, context: RouteContext): Promise<About> {
  const [flow, flows] = await Promise.all([context.flows.get(idOf(fields)), context.flows.list()]);
  const [tasks, past] = [memory.tasks.get(idOf(fields)) ?? [], memory.past.get(idOf(fields)) ?? []];
  const ordered = flows.toSorted((a, b) => a.createdAt - b.createdAt);
  const own = ordered.find(({ flowId }) => flowId === flow?.flowId);
  return { fields, flow: own, flows: ordered, route: context.route, tasks, past };
}

/** Feeds the memory with what all actions answer; `act` may answer in place of the right action. */
const remembering = (memory: Memory, act: (step: OperatorStep) => Promise<Answer>): Change =>
  withAction(actionNames, async (run) => {
    const { name, fields, context } = run;
    const at = await aboutOf(memory, fields, context);
    const answer = await act({ ...run, at, memory });
    if (answer.ok && name === "run_task") memory.tasks.set(idOf(fields), [...at.tasks, fields]);
    const { flow } = answer.result as { flow?: { flowId: string; revision: number } };
    const about = name === "create_flow" ? (flow?.flowId ?? "") : idOf(fields);
    const answered = {
      action: name,
      code: answer.code,
      sent: fields["expectedRevision"],
      shown: flow?.revision,
      routeId: context.route.id,
    };
    memory.past.set(about, [...(memory.past.get(about) ?? []), answered]);
    if (answer.ok && flow && !["get_flow", "resolve_flow", "find_latest_flow"].includes(name))
      memory.lastChange.set(flow.flowId, name);
    memory.flows.set(context.flows.sessionKey, [...(await context.flows.list())]);
    return answer;
  });

/** Another way to run some actions where the condition holds. */
export const otherwise =
  (names: readonly string[], run: (step: OperatorStep) => Promise<Answer>) =>
  ({ holds }: Pick<Condition<About>, "holds">): Change =>
    perStart(() =>
      remembering(new Memory(), (step) => (names.includes(step.name) && holds(step.at) ? run(step) : step.right())),
    );

/** Another reading of requests, before their fields are checked, where the condition holds. */
export const asking =
  (change: (body: JsonObject, at: About) => JsonObject) =>
  ({ holds }: Condition<About>): Change =>
    perStart(() => {
      const memory = new Memory();
      const asked = withRequest(async (body, context) => {
        const at = await aboutOf(memory, body, context);
        return holds(at) ? change(body, at) : body;
      });
      return together(
        remembering(memory, ({ right }) => right()),
        asked,
      );
    });

/** Another answer of some actions where the condition holds. */
export const answering = (names: readonly string[], change: (answer: Answer, step: OperatorStep) => Answer) =>
  otherwise(names, async (step) => change(await step.right(), step));

/** Another result of some actions where the condition holds. */
export const resulting = (names: readonly string[], change: (result: Shown, step: OperatorStep) => object) =>
  answering(names, (answer, step) => ({ ...answer, result: change(answer.result, step) }));

export const ended = /has ended|every flow|succeeded|failed|cancelled/;
/** Conditions that no right change meets. */
export const staleOnly = /with a revision/;
/** Conditions of a revision that is sent, for actions that send none. */
export const sent = /with (a|the) revision/;
/** Conditions of a flow, for actions that name none. */
export const ofFlows = /of a flow|revision|first flow/;

/** The shown flows of an answer, each changed. */
export function showing(answer: Answer, change: (flow: StoredFields) => StoredFields): Answer {
  const result = answer.result as Shown;
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

export const revisionBefore = (flow: StoredFields): StoredFields => ({
  ...flow,
  revision: Math.max(0, Number(flow["revision"]) - 1),
});
