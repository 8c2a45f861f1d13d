import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDrivenClock } from "./clock.ts";
import { createManagedFlows } from "./managed-flows.ts";

const changes = ["setWaiting", "resume", "finish", "fail", "requestCancel"] as const;
const step = fc.oneof(
  fc.record({ name: fc.constantFrom(...changes), flow: fc.nat(2), offset: fc.constantFrom(0, 0, 0, -1, 1) }),
  fc.record({ name: fc.constantFrom("cancel", "runTask", "settle"), flow: fc.nat(2), offset: fc.constant(0) }),
);

test("whatever is done, a flow changes exactly when its revision does, by one, and never once it has ended", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const flows = createManagedFlows({ clock: createDrivenClock().clock, kind: "checking" });
      const session = flows.runtime.bindSession({ sessionKey: "s" });
      const ids = [1, 2, 3].map(() => session.createManaged({ goal: "g", controllerId: "c" }).flowId);
      const active: { flowId: string; taskId: string }[] = [];
      for (const { name, flow, offset } of steps) {
        const flowId = ids[flow] ?? "";
        const before = session.list();
        const seen = session.get(flowId);
        const revision = seen?.revision ?? 0;
        const children = active.filter((task) => task.flowId === flowId);
        let grown: boolean;
        if (name === "cancel") {
          const { cancelled } = session.cancel({ flowId, cfg: {} });
          const requested = session.get(flowId)?.revision !== revision;
          expect(cancelled).toBe(children.length === 0 && seen?.endedAt === undefined);
          grown = cancelled || requested;
        } else if (name === "runTask") {
          const result = session.runTask({ flowId, runtime: "acp", task: "t" });
          expect(result.created).toBe(seen?.endedAt === undefined && seen?.cancelRequestedAt === undefined);
          if (result.created) active.push({ flowId, taskId: result.task.taskId });
          grown = false;
        } else if (name === "settle") {
          const [task] = children;
          if (task !== undefined) {
            flows.settle({ ...task, status: "succeeded" });
            active.splice(active.indexOf(task), 1);
          }
          grown = children.length === 1 && seen?.status !== session.get(flowId)?.status;
        } else {
          const result = session[name]({ flowId, expectedRevision: revision + offset });
          if (offset !== 0) expect(result).toMatchObject({ code: "revision_conflict" });
          else if (seen?.endedAt !== undefined) expect(result).toMatchObject({ code: "terminal" });
          else if (name !== "resume") expect(result.applied).toBe(true);
          grown = result.applied;
        }
        if (grown) {
          expect(session.get(flowId)?.revision).toBe(revision + 1);
          expect(seen?.endedAt).toBeUndefined();
        } else {
          expect(session.get(flowId)).toEqual(seen);
        }
        const others = (list: typeof before) => list.filter((other) => other.flowId !== flowId);
        expect(others(session.list())).toEqual(others(before));
      }
    }),
    { seed: 20_260_101, numRuns: 300 },
  );
});
