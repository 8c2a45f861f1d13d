/** Freedoms in how a flow is changed, and how much of it there may be. */
import type { BoundFlows } from "../../../plugin/ports.ts";
import { withFlows, withStatuses } from "../changes.ts";
import { subjectsOf, type Different } from "../subject.ts";

/** Active children of a flow, at most. */
const MOST_ACTIVE = 3;

const answersAsIs =
  (flows: BoundFlows): BoundFlows["requestCancel"] =>
  async (input) => {
    const flow = await flows.get(input.flowId);
    const isOpen = flow?.revision === input.expectedRevision && flow.endedAt === undefined;
    return flow && isOpen ? { applied: true, flow } : flows.requestCancel(input);
  };

export const flows: readonly Different[] = subjectsOf<Different>({
  "not-found-200": {
    freedom: "the status of not_found: 200, with ok false",
    change: withStatuses({ not_found: 200 }),
  },
  "request-cancel-keeps-revision": {
    freedom: "request_cancel is noted beside the flow, whose revision stays as it is",
    change: withFlows((flows) => ({ requestCancel: answersAsIs(flows) })),
  },
  "wait-again-keeps-revision": {
    freedom: "set_waiting of a flow that waits, with nothing beside it, changes nothing and keeps the revision",
    change: withFlows((flows) => ({
      setWaiting: async (input) => {
        const flow = await flows.get(input.flowId);
        const { flowId: _flowId, expectedRevision, ...more } = input;
        const isSame = flow?.status === "waiting" && flow.revision === expectedRevision;
        return flow && isSame && Object.keys(more).length === 0 ? { applied: true, flow } : flows.setWaiting(input);
      },
    })),
  },
  "three-children": {
    freedom: `a flow has ${MOST_ACTIVE} active children at most`,
    change: withFlows((flows) => ({
      runTask: async (input) => {
        const summary = await flows.getTaskSummary(input.flowId);
        const isFull = summary && summary.active >= MOST_ACTIVE;
        return isFull ? { created: false, found: true, code: "task_not_created" } : flows.runTask(input);
      },
    })),
  },
});
