/** Revisions numbered in another way, end to end: a caller has to send the number that it is shown. */
import type { ManagedFlowsFake } from "../../fakes/managed-flows.ts";
import type { BoundFlows, FlowRecord, ManagedFlows } from "../../plugin/ports.ts";

/** A revision that no flow reaches. */
const NEVER = 2 ** 40;

export interface Numbering {
  /** From the runtime's revisions 0, 1, 2 ... to those that are shown. */
  readonly shown: (revision: number) => number;
  /** And back; NaN for one that is never shown. */
  readonly stored: (revision: number) => number;
}

type Sent = { readonly expectedRevision?: number } | string | undefined;

const isFlow = (value: object): value is FlowRecord => "flowId" in value && "revision" in value;

/** Each flow of what a call answers, changed. */
function changed(value: unknown, change: (flow: FlowRecord) => FlowRecord): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (isFlow(value)) return change(value);
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    return [name, name === "flow" || name === "current" ? changed(field, change) : field];
  });
  return Object.fromEntries(fields);
}

/** A session whose calls answer with changed flows; `back` changes what they are sent. */
export function withRecords(
  flows: BoundFlows,
  change: (flow: FlowRecord) => FlowRecord,
  back = (sent: Sent): Sent => sent,
): BoundFlows {
  const wrapped = Object.entries(flows).map(([name, call]: [string, unknown]) => [
    name,
    typeof call === "function" ? async (sent: Sent) => changed(await call(back(sent)), change) : call,
  ]);
  return Object.fromEntries(wrapped) as BoundFlows;
}

/** A runtime whose revisions are numbered in another way. */
export function renumbered(runtime: ManagedFlows, { shown, stored }: Numbering): ManagedFlows {
  const back = (sent: Sent): Sent => {
    if (typeof sent !== "object" || sent.expectedRevision === undefined) return sent;
    const revision = stored(sent.expectedRevision);
    return { ...sent, expectedRevision: Number.isInteger(revision) && revision >= 0 ? revision : NEVER };
  };
  const out = (flow: FlowRecord): FlowRecord => ({ ...flow, revision: shown(flow.revision) });
  return { bindSession: (session) => withRecords(runtime.bindSession(session), out, back) };
}

/** The same for the flows that the control port seeds. */
export function renumberedFake(flows: ManagedFlowsFake, { shown }: Numbering): ManagedFlowsFake {
  const seed: ManagedFlowsFake["seed"] = (wanted) => {
    const flow = flows.seed(wanted);
    return { ...flow, revision: shown(flow.revision) };
  };
  return { ...flows, seed };
}
