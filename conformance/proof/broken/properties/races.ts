/** Faults that show only while requests overlap: others run between a check and its write, or a read and its answer. */
import { setTimeout as sleep } from "node:timers/promises";
import { accept, reject, type Answer } from "../../../../plugin/answer.ts";
import type { FlowRecord, BoundFlows } from "../../../../plugin/ports.ts";
import { revisionActions } from "../../../interface/fields.ts";
import { perStart, withAction, type Run, withFlows } from "../../changes.ts";
import { gap, late, writesLate } from "../../late-writes.ts";
import { showing } from "../../products/flow-operator.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Duration of a write and of a read in a slow store, ms. */
const WRITE_MS = 8;
const READ_MS = 60;

/** A change that has taken its time, and is not written yet. */
interface Slow extends Run {
  /** The flow as it was when the change began; of another session's flow, nothing. */
  readonly seen: FlowRecord | null | undefined;
  /** Other changes of the flow that were under way when it began, and that are now. */
  readonly before: number;
  readonly now: number;
}

/** Changes take their time, and are then written by `write`; `read`: what get_flow answers while some are under way. */
const slowChanges = (
  write: (slow: Slow) => Promise<Answer>,
  read = ({ right }: Run): Promise<Answer> => right(),
): Change =>
  perStart(() => {
    const counts = new Map<unknown, number>();
    return withAction([...revisionActions, "get_flow"], async (run) => {
      const { flowId } = run.fields;
      const count = () => counts.get(flowId) ?? 0;
      if (run.name === "get_flow") return count() > 0 ? read(run) : run.right();
      const before = count();
      counts.set(flowId, before + 1);
      try {
        const seen = await run.context.flows.get(String(flowId));
        await sleep(WRITE_MS);
        return await write({ ...run, seen, before, now: count() - 1 });
      } finally {
        counts.set(flowId, count() - 1);
      }
    });
  });

const lostBesideAnother = slowChanges(async ({ fields, seen, now, context, right }) => {
  if (now === 0 || !seen || seen.revision !== fields["expectedRevision"]) return right();
  return accept({ applied: true, flow: { ...context.parts.views.flow(seen), revision: seen.revision + 1 } });
});

const nobodyWins = slowChanges(async ({ before, now, right }) =>
  before + now === 0 ? right() : reject("revision_conflict", { result: { applied: false } }),
);

const endsShownAsBefore = slowChanges(async ({ name, seen, now, right }) => {
  const answer = await right();
  const isMeant = answer.ok && now > 0 && (name === "finish_flow" || name === "fail_flow");
  return isMeant ? showing(answer, (flow) => ({ ...flow, status: seen?.status })) : answer;
});

const goneWhileWritten = slowChanges(
  ({ right }) => right(),
  ({ fields, right }) => right({ ...fields, flowId: "of no flow" }),
);

/** Answers slowly, and gives the same answer to everyone of the session who asks meanwhile. */
const sharedWhileUnderWay = (action: string): Change =>
  perStart(() => {
    const underWay = new Map<string, Promise<Answer>>();
    return withAction(action, async ({ fields, context, right }) => {
      const key = JSON.stringify([context.flows.sessionKey, fields]);
      const made = async (): Promise<Answer> => {
        const answer = await right();
        await sleep(READ_MS);
        underWay.delete(key);
        return answer;
      };
      const shared = underWay.get(key) ?? made();
      underWay.set(key, shared);
      return shared;
    });
  });

/** Flows that a route creates while one waits are one flow. */
const mergesCreations = withFlows((flows) => {
  let pending: ReturnType<BoundFlows["tryCreateManaged"]> | undefined;
  const create: BoundFlows["tryCreateManaged"] = async (input) => {
    await gap();
    pending = undefined;
    return flows.tryCreateManaged(input);
  };
  return { tryCreateManaged: (input) => (pending ??= create(input)) };
});

/** The number of a flow's tasks is read, and written back after a wait. */
const losesTasks = perStart(() => {
  const totals = new Map<string, number>();
  return withFlows((flows) => ({
    runTask: async (input) => {
      const before = totals.get(input.flowId) ?? 0;
      await gap();
      const result = await flows.runTask(input);
      if (result.created) totals.set(input.flowId, before + 1);
      return result;
    },
    getTaskSummary: async (flowId) => {
      const summary = await flows.getTaskSummary(flowId);
      return summary && { ...summary, total: totals.get(flowId) ?? 0 };
    },
  }));
});

export const races: readonly Subject[] = [
  ...failing("PROPERTY-RACES", {
    "set_waiting checks the revision, awaits the store, and writes whatever the revision is by then": writesLate(
      ["setWaiting"],
      1000 * WRITE_MS,
    ),
    "A change that another one overtakes is answered as applied and not stored": lostBesideAnother,
    "Of changes of one flow at the same time each takes itself for the one that came too late": nobodyWins,
    "finish_flow and fail_flow beside another change of the flow answer with the status that it had before":
      endsShownAsBefore,
    "A change takes the flow out of its store and puts it back: who reads it meanwhile is told that there is none":
      goneWhileWritten,
    "Who reads a flow while another read of it is under way is given that one's answer, though it was changed since":
      sharedWhileUnderWay("get_flow"),
    "Who lists flows while another list is made is given that one, though flows were changed since":
      sharedWhileUnderWay("list_flows"),
  }),
  ...failing("REVISION-RACE", writesLate, {
    [`finish_flow, and no other change, compares the revision and is written ${late}`]: ["finish"],
  }),
  ...failing("RUN-TASK-BESIDE-CANCEL", writesLate, {
    [`run_task looks whether the flow has ended and stores the task ${late}`]: ["runTask"],
  }),
  ...failing("ACTION-CREATE-FLOW-AT-ONCE", {
    [`Flows that a route creates while another is created are one flow: that is stored ${late}`]: mergesCreations,
  }),
  ...failing("RUN-TASK-AT-ONCE", {
    [`The number of tasks is read, and written back when the task is stored, ${late}`]: losesTasks,
  }),
];
