/** Revisions numbered in another way, end to end: a caller has to send the number that it is shown. */
import type { BoundFlows, CancelResult, FlowRecord, MutationResult, RunTaskResult } from "../../plugin/ports.ts";
import type { ManagedFlows } from "../../plugin/ports.ts";
import type { ManagedFlowsFake } from "../../fakes/managed-flows.ts";

/** A revision that no flow reaches. */
const NEVER = 2 ** 40;

export interface Numbering {
  /** From the runtime's revisions 0, 1, 2 ... to those that are shown. */
  readonly shown: (revision: number) => number;
  /** And back; NaN for one that is never shown. */
  readonly stored: (revision: number) => number;
}

function renumberedFlows(flows: BoundFlows, { shown, stored }: Numbering): Partial<BoundFlows> {
  const out = (flow: FlowRecord): FlowRecord => ({ ...flow, revision: shown(flow.revision) });
  const found = (flow: FlowRecord | null | undefined) => flow && out(flow);
  const back = <T extends { expectedRevision?: number }>(input: T): T => {
    if (input.expectedRevision === undefined) return input;
    const revision = stored(input.expectedRevision);
    return { ...input, expectedRevision: Number.isInteger(revision) && revision >= 0 ? revision : NEVER };
  };
  const changed = async (result: MutationResult | Promise<MutationResult>): Promise<MutationResult> => {
    const settled = await result;
    if (settled.applied) return { ...settled, flow: out(settled.flow) };
    return settled.current ? { ...settled, current: out(settled.current) } : settled;
  };
  const withFlow = <T extends CancelResult | RunTaskResult>(result: T): T =>
    result.flow ? { ...result, flow: out(result.flow) } : result;
  return {
    tryCreateManaged: async (input) => {
      const created = await flows.tryCreateManaged(input);
      return created !== null && "flowId" in created ? out(created) : created;
    },
    get: async (flowId) => found(await flows.get(flowId)),
    list: async () => (await flows.list()).map(out),
    findLatest: async () => found(await flows.findLatest()),
    resolve: async (token) => found(await flows.resolve(token)),
    setWaiting: (input) => changed(flows.setWaiting(back(input))),
    resume: (input) => changed(flows.resume(back(input))),
    finish: (input) => changed(flows.finish(back(input))),
    fail: (input) => changed(flows.fail(back(input))),
    requestCancel: (input) => changed(flows.requestCancel(back(input))),
    cancel: async (input) => withFlow(await flows.cancel(back(input))),
    runTask: async (input) => withFlow(await flows.runTask(input)),
  };
}

/** A runtime whose revisions are numbered in another way. */
export function renumbered(runtime: ManagedFlows, numbering: Numbering): ManagedFlows {
  return {
    bindSession: (session) => {
      const flows = runtime.bindSession(session);
      return { ...flows, ...renumberedFlows(flows, numbering) };
    },
  };
}

/** The same for the flows that the control port seeds. */
export function renumberedFake(flows: ManagedFlowsFake, { shown }: Numbering): ManagedFlowsFake {
  const seed: ManagedFlowsFake["seed"] = (wanted) => {
    const flow = flows.seed(wanted);
    return { ...flow, revision: shown(flow.revision) };
  };
  return { ...flows, seed };
}
