/** A flow in each state beside another one like it, to see what a stranger's requests do to it. */
import { getTaskSummary } from "../../fixtures/bodies.ts";
import { envelopeOf, type Exchange } from "../http/exchange.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { NotApplicable } from "./case-errors.ts";
import { check, type FlowView } from "./checks.ts";
import { blockedFlow, cancelled, changed, flowAfter, readBack, waitingFlow } from "./flows.ts";
import { startedTask } from "./tasks.ts";
import type { Trial } from "./trial.ts";

interface ForeignState {
  readonly what: string;
  reach(trial: Trial): Promise<FlowView>;
}

export const foreignStates: readonly ForeignState[] = [
  { what: "queued", reach: (trial) => trial.flow() },
  { what: "waiting", reach: waitingFlow },
  { what: "blocked", reach: blockedFlow },
  { what: "finished", reach: async (trial) => changed(trial, "finish_flow", await trial.flow()) },
  { what: "failed", reach: async (trial) => changed(trial, "fail_flow", await trial.flow()) },
  { what: "asked to be cancelled", reach: async (trial) => changed(trial, "request_cancel", await trial.flow()) },
  {
    what: "cancelled",
    async reach(trial) {
      const { flowId } = await trial.flow();
      return flowAfter(trial, await cancelled(trial, flowId), flowId);
    },
  },
  {
    what: "with an active child",
    async reach(trial) {
      const { flowId } = await waitingFlow(trial);
      return flowAfter(trial, (await startedTask(trial, flowId, { status: "running" })).exchange, flowId);
    },
  },
];

/** A flow in the state; undefined where this target has no way into it. */
export async function reached(trial: Trial, { reach }: ForeignState): Promise<FlowView | undefined> {
  try {
    return await reach(trial);
  } catch (error) {
    if (error instanceof NotApplicable) return undefined;
    throw error;
  }
}

const compared = ["flowId", "revision", "goal", "status", "notifyPolicy", "controllerId"] as const;

/** What its own session sees of a flow: the fields that the interface names, and the task summary. */
async function seen(trial: Trial, flowId: string, route: ConfiguredRoute): Promise<string> {
  const view = await readBack(trial, flowId, route);
  const summary = await trial.post(getTaskSummary(flowId, trial.profile.fields), route);
  return JSON.stringify([compared.map((name) => view?.[name]), envelopeOf(summary)?.result]);
}

/**
 * Fails where `during` changes what its own session sees of the flow. Flows and children may change by themselves: what
 * has become of `older`, a flow in the same state that nobody touched, is then no fault. Whether it could be judged.
 */
export async function mustStayAsItIs(
  trial: Trial,
  flow: FlowView,
  older: FlowView,
  what: string,
  during: () => Promise<readonly Exchange[]>,
): Promise<boolean> {
  const look = async () => {
    const own = await seen(trial, flow.flowId, trial.sibling);
    return [own, await seen(trial, older.flowId, trial.sibling)];
  };
  const [before, olderBefore] = await look();
  const exchanges = await during();
  const [after, olderAfter] = await look();
  if (olderAfter !== olderBefore) return false;
  check(after === before, `${what} as it was before`, "changed", ...exchanges.slice(-3));
  return true;
}
