/** Ways to break what is read and shown, each where a condition holds. */
import { accept } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import {
  aboutNoFlow,
  all,
  mutations,
  otherwise,
  revisionBefore,
  showing,
  staleOnly,
  type Fields,
  type FlowOperator,
} from "./flow-operator.ts";

export const readOperators: readonly FlowOperator[] = [
  ...(["get_flow", "resolve_flow"] as const).map((name): FlowOperator => ({
    what: `${name} finds nothing`,
    not: staleOnly,
    when: otherwise([name], async (right, fields, context) => {
      const answer = await right(fields, context);
      return { ...answer, result: { flow: null } };
    }),
  })),
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
    not: /of a flow|revision|first flow/,
    when: otherwise(["list_flows"], async (right, fields, context) => {
      const answer = await right(fields, context);
      return { ...answer, result: { flows: (answer.result as { flows: object[] }).flows.slice(1) } };
    }),
  },
  {
    what: "list_flows leaves out each flow",
    not: /^(?!of a flow)/,
    when: ({ holds }) =>
      otherwise(["list_flows"], async (right, fields, context, at, { tasks, past }) => {
        const answer = await right(fields, context);
        const isShown = ({ flowId }: FlowRecord): boolean => {
          const flow = at.flows.find((one) => one.flowId === flowId);
          return !holds({ ...at, flow, tasks: tasks.get(flowId) ?? [], past: past.get(flowId) ?? [] });
        };
        return { ...answer, result: { flows: (answer.result as { flows: FlowRecord[] }).flows.filter(isShown) } };
      })({ what: "always", holds: () => true }),
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
        : /first revision|with a revision/,
    when: otherwise([name], async (right, fields, context) => showing(await right(fields, context), revisionBefore)),
  })),
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
      showing(await right(fields, context), (flow) => ({ ...flow, owner: context.flows.sessionKey })),
    ),
  })),
];
