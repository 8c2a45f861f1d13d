/** A flow beside another one like it, to see what a stranger's requests do to it. */
import { getTaskSummary } from "../interface/bodies.ts";
import { envelopeOf, type Exchange } from "../http/exchange.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { Failure } from "./case-errors.ts";
import type { FlowView } from "./checks.ts";
import { readBack } from "./flows.ts";
import type { Trial } from "./trial.ts";

const compared = ["flowId", "revision", "goal", "status", "notifyPolicy", "controllerId"] as const;

/** How often the steps are tried without what they are about, before that is blamed. */
const CONTROLS = 2;

/** What its own session sees of a flow: the fields that the interface names, and the task summary. */
async function seen(trial: Trial, flowId: string, route: ConfiguredRoute): Promise<string> {
  const view = await readBack(trial, flowId, route);
  const summary = await trial.post(getTaskSummary(flowId, trial.profile.fields), route);
  return JSON.stringify([compared.map((name) => view?.[name]), envelopeOf(summary)?.result]);
}

/**
 * Fails where `during` changes what its own session sees of a flow, or of its task summary. Flows and children may change
 * by themselves: what an older flow in the same state shows as well, or the same steps with reads for `during`, is no fault.
 * Whether it could be judged; not where `make` gives no flow.
 */
export async function mustStayAsItIs(
  trial: Trial,
  make: () => Promise<FlowView | undefined>,
  what: string,
  during: (flow: FlowView) => Promise<readonly Exchange[]>,
): Promise<boolean> {
  const changes = async (between: (flow: FlowView) => Promise<readonly Exchange[]>) => {
    const older = await make();
    const flow = older === undefined ? undefined : await make();
    if (older === undefined || flow === undefined) return undefined;
    const look = async () => {
      const own = await seen(trial, flow.flowId, trial.sibling);
      return [own, await seen(trial, older.flowId, trial.sibling)];
    };
    const [before, olderBefore] = await look();
    const earlier = trial.requests;
    const exchanges = await between(flow);
    const sent = trial.requests - earlier;
    const [after, olderAfter] = await look();
    return { isChanged: after !== before, isOlderChanged: olderAfter !== olderBefore, exchanges, sent };
  };
  const first = await changes(during);
  if (first === undefined || first.isOlderChanged) return false;
  if (!first.isChanged) return true;
  // What changes by itself may do so as time passes, or as others send requests to the session meanwhile.
  const reads = async () => {
    for (let left = first.sent; left > 0; left -= 1) await trial.post({ action: "list_flows" }, trial.stranger);
    return [];
  };
  for (let tries = 0; tries < CONTROLS; tries += 1) {
    const alone = await changes(reads);
    if (alone === undefined || alone.isChanged || alone.isOlderChanged) return false;
  }
  throw new Failure(`${what} as it was before`, "changed", first.exchanges.slice(-3));
}
