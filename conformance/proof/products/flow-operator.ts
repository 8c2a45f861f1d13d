/** A way to break the actions: how it is written, and what it may ask. */
import type { Answer } from "../../../plugin/answer.ts";
import type { RouteContext } from "../../../plugin/contract.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { perStart, withAction } from "../changes.ts";
import type { Change } from "../subject.ts";
import type { About, FlowCondition } from "./conditions.ts";

export interface FlowOperator {
  readonly what: string;
  /** Conditions that it makes no sense with, by words in their text. */
  readonly not?: RegExp;
  when(condition: FlowCondition): Change;
}

export type Fields = Record<string, unknown>;
type Run = (fields: Fields, context: RouteContext) => Promise<Answer>;

/** What one started subject remembers: the tasks of each flow, and what changed it last. */
export interface Memory {
  readonly tasks: Map<string, Fields[]>;
  readonly lastChange: Map<string, string>;
  /** Flows of all sessions, by session. */
  readonly flows: Map<string, FlowRecord[]>;
}

const changes = ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const;
export const mutations = [...changes, "cancel_flow"] as const;
const about = [...mutations, "run_task", "get_flow", "get_task_summary", "resolve_flow"] as const;
export const all = [...about, "list_flows", "find_latest_flow", "create_flow"] as const;

const idOf = ({ flowId, token }: Fields): string => String(flowId ?? token);

export async function aboutOf(memory: Memory, fields: Fields, context: RouteContext): Promise<About> {
  const [flow, flows] = await Promise.all([context.flows.get(idOf(fields)), context.flows.list()]);
  const tasks = memory.tasks.get(idOf(fields)) ?? [];
  const ordered = flows.toSorted((a, b) => a.createdAt - b.createdAt);
  const own = ordered.find(({ flowId }) => flowId === flow?.flowId);
  return { fields, flow: own, flows: ordered, controllerId: context.route.controllerId, tasks };
}

/** Another way to run some actions where the condition holds; all actions feed the memory. */
export const otherwise =
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

export const ended = /has ended|every flow|succeeded|failed|cancelled/;
/** Conditions that no right change meets. */
export const staleOnly = /with a revision/;
/** Actions that name no flow. */
export const aboutNoFlow: ReadonlySet<string> = new Set(["list_flows", "find_latest_flow", "create_flow"]);
