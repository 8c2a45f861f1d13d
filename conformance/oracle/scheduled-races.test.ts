/** Our plugin in process, every await of its runtime a switch: whichever comes first, some order explains the answers. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createManagedFlows } from "../../fakes/managed-flows.ts";
import type { RouteContext } from "../../plugin/contract.ts";
import { standardParts } from "../../plugin/standard-parts.ts";
import type { BoundFlows } from "../../plugin/ports.ts";
import { newFlow, type FlowAction } from "../interface/flow-model.ts";
import reference from "../interface/profiles/reference.json" with { type: "json" };
import { flowHistory, type FlowOperation } from "./flow-states.ts";
import { endsOf, type Timed } from "./linearizable.ts";

type Switch = () => Promise<unknown>;

/** The session's flows, each call of which lets others have their turn before and after. */
function switching(flows: BoundFlows, turn: Switch): BoundFlows {
  const wrapped = Object.entries(flows).map(([name, call]: [string, unknown]) => {
    if (typeof call !== "function") return [name, call];
    const method = async (...input: unknown[]): Promise<unknown> => {
      await turn();
      const answer: unknown = await call(...input);
      await turn();
      return answer;
    };
    return [name, method];
  });
  return Object.fromEntries(wrapped) as BoundFlows;
}

const request = fc.record({
  action: fc.constantFrom<FlowAction | "get_flow">(
    "set_waiting",
    "set_waiting",
    "finish_flow",
    "request_cancel",
    "get_flow",
  ),
  expectedRevision: fc.constantFrom(0, 0, 0, 1),
});
type Asked = typeof request extends fc.Arbitrary<infer One> ? One : never;

/** Runs the requests at the same time and gives their history. `beforeWrite`: the store checks, awaits, then writes. */
async function race(asked: readonly Asked[], turn: Switch, beforeWrite: boolean): Promise<Timed<FlowOperation>[]> {
  const clock = { now: () => 0, setTimeout: () => () => {} };
  const fake = createManagedFlows({ clock, ...(beforeWrite && { beforeWrite: async () => void (await turn()) }) });
  const { flowId } = fake.seed({ sessionKey: "own" });
  const runtime = beforeWrite ? fake.asyncRuntime : fake.runtime;
  const flows = switching(runtime.bindSession({ sessionKey: "own" }), turn);
  const context = { flows, parts: standardParts, cfg: {} } as unknown as RouteContext;
  let time = 0;
  const answered = asked.map(async ({ action, expectedRevision }) => {
    const start = time++;
    const isRead = action === "get_flow";
    const fields = isRead ? { flowId } : { flowId, expectedRevision };
    const { ok, code, result } = await (standardParts.actions
      .find(({ name }) => name === action)
      ?.run(fields, context) ?? Promise.reject(new Error(`no action ${action}`)));
    const { flow, current } = result as Record<string, { revision: number; status: string } | undefined>;
    const view = flow ?? current;
    const operation: FlowOperation = {
      action: isRead ? "read" : action,
      accepted: ok,
      status: ok || code === undefined ? 200 : standardParts.statuses[code],
      ...(!isRead && { sent: expectedRevision }),
      ...(code !== undefined && { code }),
      ...(view !== undefined && { shows: view.revision, showsStatus: view.status }),
    };
    return { operation, start, end: time++ };
  });
  return Promise.all(answered);
}

const { gaps } = reference;

/** Looks for requests and a schedule that no order explains. */
const search = (beforeWrite: boolean, numRuns: number) =>
  fc.check(
    fc.asyncProperty(fc.scheduler(), fc.array(request, { minLength: 2, maxLength: 6 }), async (scheduler, asked) => {
      const turn = () => scheduler.schedule(Promise.resolve());
      const history = await scheduler.waitFor(race(asked, turn, beforeWrite));
      expect(history).toHaveLength(asked.length);
      const begun = { flow: newFlow("begun"), revision: 0, isLater: false };
      return (endsOf(history, flowHistory(gaps as never, [begun], new Set())) ?? []).length > 0;
    }),
    { numRuns, seed: 1 },
  );

test("with every await a switch, the plugin's answers can be explained by an order", async () => {
  expect(await search(false, 400)).toMatchObject({ failed: false, numRuns: 400 });
});

test("a store that awaits between check and write is found, and shrunk to two or three requests", async () => {
  const { failed, counterexample } = await search(true, 400);
  expect(failed).toBe(true);
  const [, asked = []] = counterexample ?? [];
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(asked.filter(({ action }) => action !== "get_flow").length).toBeGreaterThanOrEqual(2);
});
