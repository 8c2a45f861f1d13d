/**
 * Faults between a check and its write: whoever checks meanwhile finds what the first one found. How long that takes is a
 * parameter.
 */
import { setImmediate as turn } from "node:timers/promises";
import { onConnectionClose } from "../../plugin/connection.ts";
import { reject } from "../../plugin/answer.ts";
import type { BoundFlows } from "../../plugin/ports.ts";
import { perStart, withFlows, withStage } from "./changes.ts";
import type { Change, Subject } from "./subject.ts";

/** Lets others run until `us` microseconds are over: timers are no finer than a millisecond. */
async function gap(us: number): Promise<void> {
  const until = performance.now() + us / 1000;
  do await turn();
  while (performance.now() < until);
}

const countsLate = (us: number): Change =>
  perStart(({ clock }) => {
    const windows = new Map<string, { readonly begun: number; count: number }>();
    return withStage("rate-limit", () => async ({ context, request }) => {
      const { clientKey, limits } = context.parts;
      const [key, now] = [clientKey(context.route, request), clock.now()];
      const last = windows.get(key);
      const window = last && now < last.begun + limits.windowMs ? last : { begun: now, count: 0 };
      windows.set(key, window);
      const wait = { headers: { "Retry-After": String(limits.windowMs / 1000) } };
      if (window.count >= limits.requestsPerWindow) return reject("rate_limited", wait);
      await gap(us);
      window.count += 1;
      return undefined;
    });
  });

const takesSlotLate = (us: number): Change =>
  perStart(() => {
    const taken = new Map<string, number>();
    const add = (key: string, more: number) => taken.set(key, (taken.get(key) ?? 0) + more);
    return withStage("in-flight", () => async (exchange) => {
      const { context, request, response } = exchange;
      const { clientKey, limits } = context.parts;
      const key = clientKey(context.route, request);
      if ((taken.get(key) ?? 0) >= limits.inFlight) return reject("too_many_in_flight");
      await gap(us);
      add(key, 1);
      let isHeld = true;
      const release = () => {
        if (isHeld) add(key, -1);
        isHeld = false;
      };
      response.once("finish", release).once("close", release);
      onConnectionClose(request, release);
      exchange.releaseSlot = release;
      return undefined;
    });
  });

/** The runtime checks, awaits, and writes without a second look. */
export const writesLate =
  (...awaited: (keyof BoundFlows)[]) =>
  (us: number): Change => ({ runtime: { awaited, beforeWrite: () => gap(us) } });

/** Flows that a route creates while one waits are one flow. */
const mergesCreations = (us: number): Change =>
  withFlows((flows) => {
    type Created = Awaited<ReturnType<BoundFlows["tryCreateManaged"]>>;
    let pending: Promise<Created> | undefined;
    const create = async (input: Parameters<BoundFlows["tryCreateManaged"]>[0]): Promise<Created> => {
      await gap(us);
      pending = undefined;
      return flows.tryCreateManaged(input);
    };
    return { tryCreateManaged: (input) => (pending ??= create(input)) };
  });

/** The number of a flow's tasks is read, and written back after a wait. */
const losesTasks = (us: number): Change =>
  perStart(() => {
    const totals = new Map<string, number>();
    return withFlows((flows) => ({
      runTask: async (input) => {
        const before = totals.get(input.flowId) ?? 0;
        await gap(us);
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

interface Place {
  readonly bug: string;
  readonly kills: readonly string[];
  readonly change: (us: number) => Change;
}

const places: Record<"limits" | "states", Record<string, Place>> = {
  limits: {
    "rate-counted-late": {
      bug: "The rate limit looks at the count and raises it",
      kills: ["RATE-121-REFUSED"],
      change: countsLate,
    },
    "in-flight-counted-late": {
      bug: "The in-flight limit looks for a free slot and takes it",
      kills: ["IN-FLIGHT-AT-ONCE"],
      change: takesSlotLate,
    },
  },
  states: {
    "changes-written-late": {
      bug: "Every change compares the revision and is written",
      kills: ["REVISION-RACE"],
      change: writesLate("setWaiting", "resume", "finish", "fail", "requestCancel"),
    },
    "finish-written-late": {
      bug: "finish_flow, and no other change, compares the revision and is written",
      kills: ["REVISION-RACE"],
      change: writesLate("finish"),
    },
    "task-created-late": {
      bug: "run_task looks whether the flow has ended and stores the task",
      kills: ["RUN-TASK-BESIDE-CANCEL"],
      change: writesLate("runTask"),
    },
    "create-merged": {
      bug: "Flows that a route creates while another is created are one flow: that is stored",
      kills: ["ACTION-CREATE-FLOW-AT-ONCE"],
      change: mergesCreations,
    },
    "task-count-overwritten": {
      bug: "The number of tasks is read, and written back when the task is stored,",
      kills: ["RUN-TASK-AT-ONCE"],
      change: losesTasks,
    },
  },
};

/** The subjects of a theme, each with the same time between check and write, in microseconds. */
export function writtenLate(theme: keyof typeof places, us: number): Subject[] {
  return Object.entries(places[theme]).map(([place, { bug, kills, change }]) => ({
    id: `${place}-${us}us`,
    bug: `${bug} ${us / 1000} ms later, with others let in between.`,
    kills,
    change: change(us),
  }));
}
