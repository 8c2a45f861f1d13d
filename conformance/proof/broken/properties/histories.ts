/** Faults that no single request shows: limits after a history of keys and aborts, and requests that overlap. */
import { add, BUDGET, IN_FLIGHT, limiting, slotsOf, WINDOW_MS } from "../../limit-books.ts";
import { allFailing, failing, type Subject, type Change } from "../../subject.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { accept, reject, type Answer } from "../../../../plugin/answer.ts";
import type { FlowRecord, BoundFlows } from "../../../../plugin/ports.ts";
import { revisionActions } from "../../../interface/fields.ts";
import { perStart, withAction, type Run, withFlows } from "../../changes.ts";
import { gap, late, writesLate } from "../../runtime.ts";
import { showing } from "../../products/flow-operator.ts";

const TRACKED_KEYS = 4096;
const pathIn = (key: string) => key.split(" ")[0];

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

export const histories: readonly Subject[] = [
  ...failing({
    "PROPERTY-RACES: set_waiting checks the revision, awaits the store, and writes whatever the revision is by then":
      writesLate(["setWaiting"], 1000 * WRITE_MS),
    "PROPERTY-RACES: A change that another one overtakes is answered as applied and not stored": lostBesideAnother,
    "PROPERTY-RACES: Of changes of one flow at the same time each takes itself for the one that came too late":
      nobodyWins,
    "PROPERTY-RACES: finish_flow and fail_flow beside another change of the flow answer with the status that it had before":
      endsShownAsBefore,
    "PROPERTY-RACES: A change takes the flow out of its store and puts it back: who reads it meanwhile is told that there is none":
      goneWhileWritten,
    "PROPERTY-RACES: Who reads a flow while another read of it is under way is given that one's answer, though it was changed since":
      sharedWhileUnderWay("get_flow"),
    "PROPERTY-RACES: Who lists flows while another list is made is given that one, though flows were changed since":
      sharedWhileUnderWay("list_flows"),
    [`REVISION-RACE: finish_flow, and no other change, compares the revision and is written ${late}`]: writesLate([
      "finish",
    ]),
    [`RUN-TASK-BESIDE-CANCEL: run_task looks whether the flow has ended and stores the task ${late}`]: writesLate([
      "runTask",
    ]),
    [`ACTION-CREATE-FLOW-AT-ONCE: Flows that a route creates while another is created are one flow: that is stored ${late}`]:
      mergesCreations,
    [`RUN-TASK-AT-ONCE: The number of tasks is read, and written back when the task is stored, ${late}`]: losesTasks,
  }),
  ...allFailing("LIMITS-4096-KEYS", limiting, {
    "The table of requests in flight keeps every key for ever: after 4,096 clients everybody else is refused": () => ({
      isFull: (key, { slots }) => (slots.get(key) ?? 0) >= IN_FLIGHT || (slots.size >= TRACKED_KEYS && !slots.has(key)),
    }),
    "The table of requests in flight holds 4,096 keys and drops the oldest for a new one, busy or not": () => ({
      isFull: (key, { slots }) => {
        const [oldest] = slots.keys();
        if (slots.size >= TRACKED_KEYS && !slots.has(key) && oldest !== undefined) slots.delete(oldest);
        return (slots.get(key) ?? 0) >= IN_FLIGHT;
      },
    }),
    "Of more than 1,024 windows those whose budget is not used up are forgotten, the oldest first": () => ({
      opens: (key, { windows }) => {
        if (windows.size <= 1024) return;
        for (const [other, { count }] of windows) {
          if (other === key || count >= BUDGET) continue;
          windows.delete(other);
          return;
        }
      },
    }),
    "Windows that are over are never forgotten, and with 4,096 of them a key that is new is not limited": () => ({
      opens: (key, { windows }) => {
        const start = windows.get(key)?.start ?? 0;
        const over = [...windows.values()].filter((other) => other.start + WINDOW_MS <= start);
        if (over.length >= 4096) windows.delete(key);
      },
    }),
  }),
  ...allFailing("PROPERTY-LIMITS", limiting, {
    "A client that opens its window makes those of the path's other clients begin anew": () => ({
      opens: (key, { windows }) => {
        for (const other of windows.keys()) if (other !== key && pathIn(other) === pathIn(key)) windows.delete(other);
      },
    }),
    "A request that is broken off gives its slot back twice: by its body and by its connection": () => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted") add(books, key, -1);
      },
    }),
    "The rate limit tells addresses apart by their first three bytes only": () => ({
      windowKey: (key) => key.replace(/\.\d+$/, ""),
    }),
    "Window and slots of a key are kept together, and dropped together when its last request is broken off": () => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted" && slotsOf(books, key) === 0) books.windows.delete(key);
      },
    }),
    "Of bodies that ran out of time only a key's first gives its slot back": () => {
      const before = new Set<string>();
      return {
        read: (outcome, key, books) => {
          if (outcome === "timeout" && before.has(key)) add(books, key, 1);
          if (outcome === "timeout") before.add(key);
        },
      };
    },
  }),
];
