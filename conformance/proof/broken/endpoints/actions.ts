/** Sections 3 and 4: wrong results of valid creations and reads. */
import { accept } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { withAction, withFlows, withOutcome } from "../../changes.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const chosen: readonly Subject[] = chosenProducts([
  ["create_flow stores no notifyPolicy", ["always"], "CREATE-FLOW-FIELDS"],
  ["find_latest_flow shows the flow created last", ["always"], "STATES-REQUEST-CANCEL"],
  ["find_latest_flow takes no notice of finish_flow", ["always"], "STATES-FINISH-FLOW"],
  ["list_flows leaves out one flow", ["always"], "SESSION-MANY-FLOWS"],
  ["list_flows leaves out one flow", ["when every flow of the session has ended"], "STATES-FINISH-FLOW"],
  ["get_task_summary counts no task", ["of a flow with a child"], "RUN-TASK-RIGHT"],
  ["get_flow shows the revision before", ["always"], "STATES-REQUEST-CANCEL"],
]);

const single: readonly Subject[] = subjectsOf<Subject>({
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
});

export const actions: readonly Subject[] = [...chosen, ...single];
