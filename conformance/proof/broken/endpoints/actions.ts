/** Sections 3 and 4: the actions gone wrong, where they are rightly asked for. */
import { Buffer } from "node:buffer";
import { accept, reject } from "../../../../plugin/answer.ts";
import type { FlowRecord, MutationResult } from "../../../../plugin/ports.ts";
import { withAction, withFlows, withOutcome, withViews } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Goals are stored otherwise than they were given. */
const goals = (mangle: (goal: string) => unknown): Change =>
  withFlows((flows) => ({
    tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, goal: mangle(input.goal) as string }),
  }));

/** A status is shown under another name. */
const shownAs = (status: string, shown: string): Change =>
  withViews((views) => ({
    flow: (flow) => views.flow(flow.status === status ? { ...flow, status: shown } : flow),
  }));

/** resume_flow is applied also to flows of other statuses; the answer says so, the store does not. */
const resumes = (...statuses: readonly string[]): Change =>
  withAction("resume_flow", ({ run }) => ({
    run: async (fields, context) => {
      const flow = await context.flows.get(String(fields["flowId"]));
      if (flow?.revision !== fields["expectedRevision"] || !statuses.includes(flow?.status ?? "")) {
        return run(fields, context);
      }
      const resumed = { ...(flow as FlowRecord), status: "queued", revision: (flow as FlowRecord).revision + 1 };
      return accept({ applied: true, flow: context.parts.views.flow(resumed) });
    },
  }));

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", '"': "&quot;", "&": "&amp;" };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const actions: readonly Subject[] = subjectsOf<Subject>({
  "create-same-id": {
    bug: "Every flow gets the same id.",
    kills: ["ACTION-CREATE-FLOW"],
    alsoFails: "any",
    change: { runtime: { ids: () => "flow" } },
  },
  "create-no-revision": {
    bug: "create_flow gives the id of the new flow without its revision.",
    kills: ["ACTION-CREATE-FLOW"],
    alsoFails: "any",
    change: withOutcome("create_flow", (answer) => {
      const { flow } = answer.result as { flow?: FlowRecord };
      return flow === undefined ? answer : { ...answer, result: { created: true, flowId: flow.flowId } };
    }),
  },
  "create-once-per-goal": {
    bug: "create_flow gives the newest flow again where it has the same goal and controller and nothing was done with it.",
    kills: ["ACTION-CREATE-FLOW-TWICE"],
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
    kills: ["ACTION-CREATE-QUEUED"],
    alsoFails: ["GAP-DEFAULT-STATUS"],
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, status: "running" }),
    })),
  },
  "create-policy-ignored": {
    bug: "A notifyPolicy sent with create_flow is ignored.",
    kills: ["ACTION-CREATE-NOTIFY-POLICY"],
    alsoFails: ["GAP-DEFAULT-NOTIFY-POLICY"],
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => flows.tryCreateManaged({ ...input, notifyPolicy: "state_changes" }),
    })),
  },
  "goal-latin1": {
    bug: "A goal is stored byte by byte as Latin-1.",
    kills: ["ACTION-GOAL-UNICODE"],
    change: goals((goal) => Buffer.from(goal, "latin1").toString("latin1")),
  },
  "goal-escaped": {
    bug: "A goal is stored with its signs escaped for HTML.",
    kills: ["ACTION-GOAL-SIGNS"],
    change: goals((goal) => goal.replace(/[<>"&]/g, (sign) => entities[sign] ?? sign)),
  },
  "goal-one-line": {
    bug: "Line breaks and tabs in a goal become spaces.",
    kills: ["ACTION-GOAL-SIGNS"],
    change: goals((goal) => goal.replace(/\s+/g, " ")),
  },
  "goal-comments-stripped": {
    bug: "Comments are taken out of a body as if it were code, so a goal with a URL loses what follows `https:`.",
    kills: ["ACTION-GOAL-SIGNS"],
    change: goals((goal) => goal.replace(/\/\*.*?\*\//gs, "").replace(/\/\/.*$/gm, "")),
  },
  "goal-cut": {
    bug: "A goal is cut at 4,096 characters without a word.",
    kills: ["ACTION-GOAL-LONG"],
    change: goals((goal) => goal.slice(0, 4096)),
  },
  "goal-parsed": {
    bug: "A goal that reads like a value is turned into one.",
    kills: ["ACTION-GOAL-LITERALS"],
    change: goals(parsed),
  },
  "get-flow-latest": {
    bug: "get_flow ignores the id and gives the latest flow.",
    kills: ["ACTION-GET-FLOW"],
    alsoFails: "any",
    change: withAction("get_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const flow = await flows.findLatest();
        return accept({ flow: flow ? parts.views.flow(flow) : null });
      },
    })),
  },
  "get-flow-cached": {
    bug: "get_flow shows a flow as it was when it was created.",
    kills: ["ACTION-GET-FLOW-CURRENT"],
    alsoFails: "any",
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
    kills: ["ACTION-LIST-FLOWS"],
    alsoFails: "any",
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows, parts }) => {
        const [, ...older] = await flows.list();
        return accept({ flows: older.map((flow) => parts.views.flow(flow)) });
      },
    })),
  },
  "find-latest-created": {
    bug: "find_latest_flow gives the flow created last, not the one updated last.",
    kills: ["ACTION-FIND-LATEST-FLOW"],
    alsoFails: ["ACTION-FIND-LATEST-ENDED"],
    change: withAction("find_latest_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const [newest] = await flows.list();
        return accept({ flow: newest ? parts.views.flow(newest) : null });
      },
    })),
  },
  "find-latest-oldest": {
    bug: "find_latest_flow gives the oldest flow.",
    kills: ["ACTION-FIND-LATEST-FLOW"],
    alsoFails: "any",
    change: withAction("find_latest_flow", () => ({
      run: async (_fields, { flows, parts }) => {
        const oldest = (await flows.list()).at(-1);
        return accept({ flow: oldest ? parts.views.flow(oldest) : null });
      },
    })),
  },
  "find-latest-active": {
    bug: "find_latest_flow leaves out flows that have ended.",
    kills: ["ACTION-FIND-LATEST-ENDED"],
    change: withAction("find_latest_flow", ({ run }) => ({
      run: async (fields, context) => {
        const answer = await run(fields, context);
        const { flow } = answer.result as { flow?: FlowRecord | null };
        if (flow?.status !== "finished") return answer;
        const active = (await context.flows.list()).find(({ status }) => status !== "finished");
        return accept({ flow: active ? context.parts.views.flow(active) : null });
      },
    })),
  },
  "list-flows-active": {
    bug: "list_flows leaves out flows that have ended.",
    kills: ["ACTION-READ-ENDED"],
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows, parts }) => {
        const active = (await flows.list()).filter(({ endedAt }) => endedAt === undefined);
        return accept({ flows: active.map((flow) => parts.views.flow(flow)) });
      },
    })),
  },
  "resolve-latest": {
    bug: "resolve_flow gives the latest flow for any token.",
    kills: ["ACTION-RESOLVE-FLOW"],
    alsoFails: "any",
    change: withFlows((flows) => ({ resolve: () => flows.findLatest() })),
  },
  "summary-empty": {
    bug: "get_task_summary always says that there are no tasks.",
    kills: ["ACTION-GET-TASK-SUMMARY"],
    alsoFails: "any",
    change: withAction("get_task_summary", () => ({
      run: async () => accept({ summary: { total: 0, active: 0, terminal: 0, failures: 0 } }),
    })),
  },
  "waiting-called-paused": {
    bug: "set_waiting makes a flow `paused`.",
    kills: ["ACTION-SET-WAITING"],
    change: shownAs("waiting", "paused"),
  },
  "finished-called-succeeded": {
    bug: "finish_flow makes a flow `succeeded`.",
    kills: ["ACTION-FINISH-FLOW"],
    change: shownAs("finished", "done"),
  },
  "failed-called-error": {
    bug: "fail_flow makes a flow `error`.",
    kills: ["ACTION-FAIL-FLOW"],
    change: shownAs("failed", "error"),
  },
  "resume-stays-waiting": {
    bug: "resume_flow is applied and leaves the flow waiting.",
    kills: ["ACTION-RESUME-WAITING"],
    alsoFails: "any",
    change: withFlows((flows) => ({
      resume: async (input) => {
        const seen = await flows.get(input.flowId);
        if (seen?.status !== "waiting") return flows.resume(input);
        const { flowId, expectedRevision } = input;
        return flows.setWaiting({ flowId, expectedRevision });
      },
    })),
  },
  "resume-waiting-only": {
    bug: "A blocked flow cannot be resumed.",
    kills: ["ACTION-RESUME-BLOCKED"],
    change: withAction("resume_flow", ({ run }) => ({
      run: async (fields, context) => {
        const flow = await context.flows.get(String(fields["flowId"]));
        return flow?.status === "blocked" ? reject("mutation_rejected") : run(fields, context);
      },
    })),
  },
  "resume-queued": {
    bug: "resume_flow is applied to a queued flow.",
    kills: ["ACTION-RESUME-QUEUED", "ACTION-RESUME-RESUMED"],
    alsoFails: ["GAP-RESUME-CODE"],
    change: resumes("queued"),
  },
  "resume-finished": {
    bug: "resume_flow is applied to a finished flow.",
    kills: ["ACTION-RESUME-FINISHED"],
    alsoFails: ["GAP-ENDED-BY-FINISH-FLOW"],
    change: resumes("finished"),
  },
  "resume-failed": {
    bug: "resume_flow is applied to a failed flow, as a retry.",
    kills: ["ACTION-RESUME-FAILED"],
    alsoFails: ["GAP-ENDED-BY-FAIL-FLOW"],
    change: resumes("failed"),
  },
  "resume-cancelled": {
    bug: "resume_flow is applied to a cancelled flow.",
    kills: ["ACTION-RESUME-CANCELLED"],
    alsoFails: ["GAP-ENDED-BY-CANCEL-FLOW"],
    change: resumes("cancelled"),
  },
  "request-cancel-forgotten": {
    bug: "request_cancel is accepted and changes nothing.",
    kills: ["ACTION-REQUEST-CANCEL", "REVISION-ADVANCES"],
    alsoFails: "any",
    change: withFlows((flows) => ({
      requestCancel: async ({ flowId, expectedRevision }): Promise<MutationResult> => {
        const flow = await flows.get(flowId);
        if (flow?.revision !== expectedRevision || flow.status === "finished") {
          return flows.requestCancel({ flowId, expectedRevision });
        }
        return { applied: true, flow };
      },
    })),
  },
  "wait-data-dropped": {
    bug: "set_waiting drops the state that it is given beside wait data.",
    kills: ["ACTION-WAIT-DATA"],
    change: withFlows((flows) => ({
      setWaiting: ({ stateJson, ...input }) =>
        flows.setWaiting(stateJson === undefined || input.waitJson !== undefined ? input : { ...input, stateJson }),
    })),
  },
});
