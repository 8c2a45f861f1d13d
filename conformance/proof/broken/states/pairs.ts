/** Faults that take two things: an action in one state, a child of one kind, a read after one change. */
import { reject } from "../../../../plugin/answer.ts";
import type { BoundFlows, CancelResult, FlowRecord, Json, RunTaskInput } from "../../../../plugin/ports.ts";
import { perStart, withFlows, withRequest, withStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import { takesRevision } from "./revisions.ts";

const changes = ["set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"] as const;

/** cancel_flow answers as if it were done where a child is active and `when` holds. */
const doneAtOnce = (when: (flow: FlowRecord, tasks: CancelResult["tasks"]) => boolean): Change =>
  withFlows((flows) => ({
    cancel: async (input) => {
      const before = await flows.get(input.flowId);
      const result = await flows.cancel(input);
      return before && when(before, result.tasks) ? { ...result, cancelled: true } : result;
    },
  }));

/** A child does not hold a cancellation up where its run_task was like this. */
const forgetsChild = (when: (input: RunTaskInput) => boolean): Change =>
  perStart(() => {
    const forgotten = new Set<string>();
    return withFlows((flows) => ({
      runTask: async (input) => {
        if (when(input)) forgotten.add(input.flowId);
        return flows.runTask(input);
      },
      cancel: async (input) => {
        const result = await flows.cancel(input);
        return forgotten.has(input.flowId) ? { ...result, cancelled: true } : result;
      },
    }));
  });

/** A call of the runtime leaves its flow's time as it was. */
const notUpdatedBy = (name: "resume" | "fail" | "requestCancel" | "cancel"): Change =>
  perStart(() => {
    const before = new Map<string, number>();
    const shown = (flow: FlowRecord): FlowRecord => ({ ...flow, updatedAt: before.get(flow.flowId) ?? flow.updatedAt });
    return withFlows((flows) => ({
      list: async () => (await flows.list()).map(shown),
      findLatest: async () => null,
      [name]: async (input: { flowId: string }) => {
        const flow = await flows.get(input.flowId);
        if (flow) before.set(flow.flowId, flow.updatedAt);
        return (flows[name] as (given: unknown) => unknown)(input);
      },
    }));
  });

/** cancel_flow of a flow with this status is accepted, and nothing is done. */
const cancelsNothing = (status: string, isResumed = false): Change =>
  withFlows((flows) => ({
    cancel: async (input) => {
      const flow = await flows.get(input.flowId);
      const isIt = flow?.status === status && flow.cancelRequestedAt === undefined && flow.revision > 0 === isResumed;
      const alone = isIt && (await flows.getTaskSummary(input.flowId))?.active === 0;
      return alone ? { found: true, cancelled: true, flow, tasks: [] } : flows.cancel(input);
    },
  }));

/** A summary of a flow like this counts otherwise. */
const summedUp = (
  when: (flow: FlowRecord) => boolean,
  as: (total: number) => Partial<Record<"total" | "active" | "terminal", number>>,
): Change =>
  withFlows((flows) => ({
    getTaskSummary: async (flowId) => {
      const summary = await flows.getTaskSummary(flowId);
      const flow = await flows.get(flowId);
      return summary && flow && when(flow) ? { ...summary, ...as(summary.total) } : summary;
    },
  }));

/** Every session's flows, as this one is given them where `when` holds. */
const sharedWhere = (change: (flows: BoundFlows, all: () => Promise<FlowRecord[]>) => Partial<BoundFlows>): Change =>
  perStart(() => {
    const bound = new Map<string, BoundFlows>();
    const all = async () => (await Promise.all([...bound.values()].map(async (flows) => flows.list()))).flat();
    return withFlows((flows) => {
      bound.set(flows.sessionKey, flows);
      return change(flows, all);
    });
  });

/** Data of set_waiting is stored otherwise. */
const storesData = (change: (data: Json) => Json | undefined): Change =>
  withFlows((flows) => ({
    setWaiting: ({ stateJson, ...input }) => {
      const stored = stateJson === undefined ? undefined : change(stateJson);
      return flows.setWaiting(stored === undefined ? input : { ...input, stateJson: stored });
    },
  }));

/** The rule on the fields of a running task is left out. */
const fieldsIgnoredWhere = (when: (body: { [key: string]: Json }) => boolean): Change =>
  withRequest((body) => {
    if (body["action"] !== "run_task" || body["status"] === "running" || !when(body)) return body;
    const { startedAt: _startedAt, lastEventAt: _lastEventAt, progressSummary: _summary, ...rest } = body;
    return rest;
  });

const digitsOf = (value: number): string => String(value);

export const pairs: readonly Subject[] = subjectsOf<Subject>({
  "pair-cancel-waiting-done": {
    bug: "cancel_flow of a waiting flow with an active child answers 200.",
    kills: ["STATES-CANCEL-CHILDREN", "STATES-CANCEL-FLOW"],
    change: doneAtOnce(({ status }) => status === "waiting"),
  },
  ...Object.fromEntries(
    (
      [
        ["acp", "of the runtime acp", ({ runtime }) => runtime === "acp"],
        ["keyed", "with a childSessionKey", ({ childSessionKey }) => Boolean(childSessionKey)],
        ["timed", "with startedAt", ({ startedAt }) => startedAt !== undefined],
      ] as readonly (readonly [string, string, (input: RunTaskInput) => boolean])[]
    ).map(([id, what, when]): [string, Omit<Subject, "id">] => [
      `pair-cancel-child-${id}`,
      {
        bug: `A child ${what} does not hold a cancellation up.`,
        kills: ["STATES-CANCEL-CHILDREN"],
        change: forgetsChild(when),
      },
    ]),
  ),
  ...Object.fromEntries(
    (["resume", "fail", "requestCancel", "cancel"] as const).map((name): [string, Omit<Subject, "id">] => [
      `pair-latest-without-${name.toLowerCase()}`,
      {
        bug: `${name} does not make its flow the one updated last.`,
        kills: [
          { resume: "RESUME-FLOW", fail: "FAIL-FLOW", requestCancel: "REQUEST-CANCEL", cancel: "CANCEL-FLOW" }[name],
        ].map((id) => `STATES-${id}`),
        change: notUpdatedBy(name),
      },
    ]),
  ),
  "pair-latest-without-blocking": {
    bug: "set_waiting that blocks a flow does not make it the one updated last.",
    kills: ["STATES-SET-BLOCKED"],
    change: perStart(() => {
      const before = new Map<string, number>();
      return withFlows((flows) => ({
        list: async () =>
          (await flows.list()).map((flow) => ({ ...flow, updatedAt: before.get(flow.flowId) ?? flow.updatedAt })),
        findLatest: async () => null,
        setWaiting: async (input) => {
          const flow = await flows.get(input.flowId);
          if (flow && input.blockedSummary) before.set(flow.flowId, flow.updatedAt);
          return flows.setWaiting(input);
        },
      }));
    }),
  },
  "pair-cancel-new-forgotten": {
    bug: "cancel_flow of a flow that was not changed yet is accepted and does nothing.",
    kills: ["STATES-CANCEL-FLOW"],
    change: cancelsNothing("queued"),
  },
  "pair-cancel-blocked-forgotten": {
    bug: "cancel_flow of a blocked flow is accepted and does nothing.",
    kills: ["STATES-CANCEL-FLOW"],
    change: cancelsNothing("blocked", true),
  },
  "pair-list-twice": {
    bug: "list_flows shows each flow twice.",
    kills: ["SESSION-MANY-FLOWS", "CREATE-FLOW-FIELDS"],
    change: withFlows((flows) => ({ list: async () => (await flows.list()).flatMap((flow) => [flow, flow]) })),
  },
  "pair-list-of-50": {
    bug: "A session keeps its 50 newest flows.",
    kills: ["SESSION-MANY-FLOWS"],
    change: withFlows((flows) => {
      const newest = async () => (await flows.list()).toSorted((a, b) => b.createdAt - a.createdAt).slice(0, 50);
      return { get: async (flowId) => (await newest()).find((flow) => flow.flowId === flowId) };
    }),
  },
  "pair-summary-ended-empty": {
    bug: "The summary of a flow that has ended counts no task.",
    kills: ["STATES-FINISH-FLOW", "STATES-FAIL-FLOW"],
    change: summedUp(
      ({ endedAt }) => endedAt !== undefined,
      () => ({ total: 0, active: 0, terminal: 0 }),
    ),
  },
  "pair-summary-ended-child-active": {
    bug: "The summary counts children that have ended as active.",
    kills: ["STATES-SET-WAITING"],
    change: summedUp(
      ({ endedAt }) => endedAt === undefined,
      (total) => ({ active: total }),
    ),
  },
  "pair-revision-modulo-10": {
    bug: "Of a revision only the last digit is compared.",
    kills: ["REVISION-OTHER"],
    change: takesRevision(changes, (sent, current) => sent !== current && sent % 10 === current % 10),
  },
  "pair-revision-first-digits": {
    bug: "A revision that begins with the digits of the current one is taken for it.",
    kills: ["REVISION-OTHER"],
    change: takesRevision(
      changes,
      (sent, current) => sent < 2 ** 31 && sent !== current && digitsOf(sent).startsWith(digitsOf(current)),
    ),
  },
  "pair-revision-six-back": {
    bug: "A revision of six changes ago is taken for the current one.",
    kills: ["REVISION-FAR"],
    change: takesRevision(changes, (sent, current) => sent === current - 6),
  },
  "pair-foreign-listed-from-20": {
    bug: "list_flows shows the flows of all sessions once its own has twenty.",
    kills: ["SESSION-MANY-FLOWS"],
    change: sharedWhere((flows, all) => ({
      list: async () => {
        const own = await flows.list();
        return own.length < 20 ? own : all();
      },
    })),
  },
  "pair-foreign-latest-when-ended": {
    bug: "Where the latest flow of a session has ended, those of all sessions are listed and looked at.",
    kills: ["SESSION-FOREIGN-READS"],
    change: sharedWhere((flows, all) => ({
      list: async () => {
        const own = await flows.list();
        const [newest] = own.toSorted((a, b) => b.updatedAt - a.updatedAt);
        return newest?.endedAt === undefined ? own : all();
      },
    })),
  },
  "pair-data-falsy-dropped": {
    bug: "State data that is falsy is not stored.",
    kills: ["STATES-DATA"],
    change: storesData((data) => data || undefined),
  },
  "pair-data-long-cut": {
    bug: "State data that is a text is cut at 4,096 characters.",
    kills: ["STATES-DATA"],
    change: storesData((data) => (typeof data === "string" ? data.slice(0, 4096) : data)),
  },
  "pair-task-fields-with-key": {
    bug: "With a childSessionKey the fields of a running task are ignored where it does not run.",
    kills: ["RUN-TASK-WRONG"],
    change: fieldsIgnoredWhere((body) => "childSessionKey" in body),
  },
  "pair-task-fields-of-ended": {
    bug: "run_task in an ended flow is refused for its state before its fields are looked at.",
    kills: ["RUN-TASK-WRONG"],
    change: withStage("action", ({ run }) => async (exchange) => {
      const { body = {}, context } = exchange;
      const { action, flowId } = body;
      const flow = action === "run_task" && typeof flowId === "string" ? await context.flows.get(flowId) : undefined;
      return flow?.endedAt === undefined ? run(exchange) : reject("terminal");
    }),
  },
  "pair-task-last-event-alone": {
    bug: "lastEventAt without startedAt is refused.",
    kills: ["RUN-TASK-RIGHT"],
    change: withRequest((body) =>
      body["action"] === "run_task" && body["status"] === "running" && "lastEventAt" in body && !("startedAt" in body)
        ? { ...body, status: "" }
        : body,
    ),
  },
});
