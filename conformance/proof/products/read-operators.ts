/** Ways to break what is read and shown, each where a condition holds. */
import { accept } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import {
  all,
  answering,
  mutations,
  ofFlows,
  otherwise,
  resulting,
  revisionBefore,
  showing,
  staleOnly,
  type Fields,
  type FlowOperator,
  type Step,
} from "./flow-operator.ts";

const listed = ["list_flows"];
const session = ["list_flows", "find_latest_flow"];

/** What list_flows makes of the flows that it shows. */
const lists: readonly (readonly [what: string, shown: (flows: readonly Fields[]) => readonly Fields[]])[] = [
  ["shows flows twice", (flows) => [...flows, ...flows.slice(0, 1)]],
  ["leaves out one flow", (flows) => flows.slice(1)],
];

/** What get_task_summary counts. */
const counts: readonly (readonly [what: string, counted: (summary: Fields) => Fields])[] = [
  ["no active task", ({ total }) => ({ active: 0, byStatus: {}, terminal: total })],
  ["ended children as active", ({ total }) => ({ active: total, terminal: 0 })],
  ["no task", () => ({ total: 0, active: 0, terminal: 0, byStatus: {}, byRuntime: {} })],
];

/** find_latest_flow shows this flow, where there is one. */
const latestIs = (find: (step: Step) => FlowRecord | undefined) =>
  answering(["find_latest_flow"], (answer, step) => {
    const flow = find(step);
    return flow === undefined ? answer : accept({ flow: step.context.parts.views.flow(flow) });
  });

export const readOperators: readonly FlowOperator[] = [
  ...["get_flow", "resolve_flow"].map((name): FlowOperator => ({
    what: `${name} finds nothing`,
    not: staleOnly,
    when: resulting([name], () => ({ flow: null })),
  })),
  ...lists.map(([what, shown]): FlowOperator => ({
    what: `list_flows ${what}`,
    not: ofFlows,
    when: resulting(listed, ({ flows = [] }) => ({ flows: shown(flows) })),
  })),
  {
    what: "list_flows leaves out each flow",
    not: /^(?!of a flow)/,
    when: ({ holds }) =>
      resulting(listed, ({ flows = [] }, { at, memory: { tasks, past } }) => {
        const isShown = ({ flowId: id }: Fields): boolean => {
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
    not: /waiting|with a revision/,
    when: answering(["get_flow"], (answer) => showing(answer, (flow) => ({ ...flow, status: "waiting" }))),
  },
  ...["get_flow", "resolve_flow"].map((name): FlowOperator => ({
    what: `${name} gives the latest flow`,
    not: staleOnly,
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
    not: session.includes(name) ? ofFlows : /first revision|with a revision/,
    when: answering([name], (answer) => showing(answer, revisionBefore)),
  })),
  ...counts.map(([what, counted]): FlowOperator => ({
    what: `get_task_summary counts ${what}`,
    not: new RegExp(`${staleOnly.source}|always`),
    when: resulting(["get_task_summary"], ({ summary }) => ({
      summary: summary && { ...summary, ...counted(summary) },
    })),
  })),
  // The result of get_task_summary holds no flow.
  ...all
    .filter((name) => name !== "get_task_summary")
    .map((name): FlowOperator => ({
      what: `${name} shows the session's key as the owner`,
      not: [...session, "create_flow"].includes(name) ? ofFlows : staleOnly,
      when: answering([name], (answer, { context }) =>
        showing(answer, (flow) => ({ ...flow, owner: context.flows.sessionKey })),
      ),
    })),
];
