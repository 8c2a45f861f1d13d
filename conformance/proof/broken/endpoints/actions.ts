/** Sections 3 and 4: wrong results of valid creations and reads. */
import { accept } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { withAction, withFlows, withOutcome } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

export const actions: readonly Subject[] = subjectsOf<Subject>({
  "create-same-id": {
    bug: "Every flow gets the same id.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: { runtime: { ids: () => "flow" } },
  },
  "create-no-revision": {
    bug: "create_flow gives the id of the new flow without its revision.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: withOutcome("create_flow", (answer) => {
      const { flow } = answer.result as { flow?: FlowRecord };
      return flow === undefined ? answer : { ...answer, result: { created: true, flowId: flow.flowId } };
    }),
  },
  "create-once-per-goal": {
    bug: "create_flow gives the newest flow again where it has the same goal and controller and nothing was done with it.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: withFlows((flows) => ({
      tryCreateManaged: async (input) => {
        const [newest] = await flows.list();
        if (newest?.goal !== input.goal || newest.controllerId !== input.controllerId)
          return flows.tryCreateManaged(input);
        const unused = newest.revision === 0 && (await flows.getTaskSummary(newest.flowId))?.total === 0;
        return unused ? newest : flows.tryCreateManaged(input);
      },
    })),
  },
  "create-status-ignored": {
    bug: "A status sent with create_flow is ignored: every flow begins running.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, status: "running" }),
    })),
  },
  "create-policy-ignored": {
    bug: "A notifyPolicy sent with create_flow is ignored.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, notifyPolicy: "state_changes" }),
    })),
  },
  "get-flow-latest": {
    bug: "get_flow ignores the id and gives the latest flow.",
    kills: ["CREATE-FLOW-FIELDS"],
    change: withAction("get_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const flow = await flows.findLatest();
        return accept({ flow: flow ? parts.views.flow(flow) : null });
      },
    })),
  },
  "get-flow-cached": {
    bug: "get_flow shows a flow as it was when it was created.",
    kills: ["STATES-REQUEST-CANCEL"],
    change: withAction("get_flow", ({ run }) => ({
      run: async (fields, context) => {
        const answer = await run(fields, context);
        const { flow } = answer.result as { flow?: FlowRecord };
        return flow ? { ...answer, result: { flow: { ...flow, revision: 0, status: "queued" } } } : answer;
      },
    })),
  },
  "list-flows-oldest": {
    bug: "list_flows leaves out the flow created last.",
    kills: ["SESSION-MANY-FLOWS"],
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows, parts }) => {
        const [, ...older] = await flows.list();
        return accept({ flows: older.map((flow) => parts.views.flow(flow)) });
      },
    })),
  },
  "find-latest-created": {
    bug: "find_latest_flow gives the runtime's latest flow: the one created last, not the one updated last.",
    kills: ["STATES-REQUEST-CANCEL"],
    change: withAction("find_latest_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const newest = await flows.findLatest();
        return accept({ flow: newest ? parts.views.flow(newest) : null });
      },
    })),
  },
  "find-latest-oldest": {
    bug: "find_latest_flow gives the oldest flow.",
    kills: ["STATES-REQUEST-CANCEL"],
    change: withAction("find_latest_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const oldest = (await flows.list()).at(-1);
        return accept({ flow: oldest ? parts.views.flow(oldest) : null });
      },
    })),
  },
  "find-latest-active": {
    bug: "find_latest_flow leaves out flows that have ended.",
    kills: ["STATES-FINISH-FLOW"],
    change: withAction("find_latest_flow", ({ run }) => ({
      run: async (fields, context) => {
        const answer = await run(fields, context);
        const { flow } = answer.result as { flow?: FlowRecord | null };
        if (flow?.endedAt === undefined) return answer;
        const active = (await context.flows.list()).find(({ endedAt }) => endedAt === undefined);
        return accept({ flow: active ? context.parts.views.flow(active) : null });
      },
    })),
  },
  "list-flows-active": {
    bug: "list_flows leaves out flows that have ended.",
    kills: ["STATES-FINISH-FLOW"],
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows, parts }) => {
        const active = (await flows.list()).filter(({ endedAt }) => endedAt === undefined);
        return accept({ flows: active.map((flow) => parts.views.flow(flow)) });
      },
    })),
  },
  "resolve-latest": {
    bug: "resolve_flow gives the latest flow for any token.",
    kills: ["SESSION-FOREIGN-READS"],
    change: withAction("resolve_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const latest = await flows.findLatest();
        return accept({ flow: latest ? parts.views.flow(latest) : null });
      },
    })),
  },
  "summary-empty": {
    bug: "get_task_summary always says that there are no tasks.",
    kills: ["RUN-TASK-RIGHT"],
    change: withAction("get_task_summary", () => ({
      run: async () => accept({ summary: { total: 0, active: 0, terminal: 0, failures: 0 } }),
    })),
  },
});
