/** Faults between a check and its write: whoever checks meanwhile finds what the first one found. */
import { setImmediate as turn } from "node:timers/promises";
import { onConnectionClose } from "../../plugin/connection.ts";
import { reject } from "../../plugin/answer.ts";
import type { BoundFlows } from "../../plugin/ports.ts";
import { perStart, withFlows, withStage } from "./changes.ts";
import { failing, type Change, type Subject } from "./subject.ts";

/** Between check and write, in microseconds. */
const LATE_US = 100;

/** Lets others run until `us` microseconds are over: timers are no finer than a millisecond. */
async function gap(us = LATE_US): Promise<void> {
  const until = performance.now() + us / 1000;
  do await turn();
  while (performance.now() < until);
}

const countsLate = perStart(({ clock }) => {
  const windows = new Map<string, { readonly begun: number; count: number }>();
  return withStage("rate-limit", async ({ context, request }) => {
    const { clientKey, limits } = context.parts;
    const [key, now] = [clientKey(context.route, request), clock.now()];
    const last = windows.get(key);
    const window = last && now < last.begun + limits.windowMs ? last : { begun: now, count: 0 };
    windows.set(key, window);
    const wait = { headers: { "Retry-After": String(limits.windowMs / 1000) } };
    if (window.count >= limits.requestsPerWindow) return reject("rate_limited", wait);
    await gap();
    window.count += 1;
    return undefined;
  });
});

const takesSlotLate = perStart(() => {
  const taken = new Map<string, number>();
  const add = (key: string, more: number) => taken.set(key, (taken.get(key) ?? 0) + more);
  return withStage("in-flight", async (exchange) => {
    const { context, request, response } = exchange;
    const { clientKey, limits } = context.parts;
    const key = clientKey(context.route, request);
    if ((taken.get(key) ?? 0) >= limits.inFlight) return reject("too_many_in_flight");
    await gap();
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
export const writesLate = (awaited: readonly (keyof BoundFlows)[], us = LATE_US): Change => ({
  runtime: { awaited, beforeWrite: () => gap(us) },
});

/** Flows that a route creates while one waits are one flow. */
const mergesCreations = withFlows((flows) => {
  type Created = Awaited<ReturnType<BoundFlows["tryCreateManaged"]>>;
  let pending: Promise<Created> | undefined;
  const create = async (input: Parameters<BoundFlows["tryCreateManaged"]>[0]): Promise<Created> => {
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

const late = `${LATE_US / 1000} ms later, with others let in between`;

export const limitsWrittenLate: readonly Subject[] = [
  ...failing("RATE-121-REFUSED", { [`The rate limit looks at the count and raises it ${late}`]: countsLate }),
  ...failing("IN-FLIGHT-AT-ONCE", {
    [`The in-flight limit looks for a free slot and takes it ${late}`]: takesSlotLate,
  }),
];

export const statesWrittenLate: readonly Subject[] = [
  ...failing("REVISION-RACE", {
    [`Every change compares the revision and is written ${late}`]: writesLate([
      "setWaiting",
      "resume",
      "finish",
      "fail",
      "requestCancel",
    ]),
    [`finish_flow, and no other change, compares the revision and is written ${late}`]: writesLate(["finish"]),
  }),
  ...failing("RUN-TASK-BESIDE-CANCEL", {
    [`run_task looks whether the flow has ended and stores the task ${late}`]: writesLate(["runTask"]),
  }),
  ...failing("ACTION-CREATE-FLOW-AT-ONCE", {
    [`Flows that a route creates while another is created are one flow: that is stored ${late}`]: mergesCreations,
  }),
  ...failing("RUN-TASK-AT-ONCE", {
    [`The number of tasks is read, and written back when the task is stored, ${late}`]: losesTasks,
  }),
];
