/** Runtimes that write late or number revisions otherwise, and actions that pass what they are sent on to their runtime. */
import { setImmediate as turn } from "node:timers/promises";
import type { ManagedFlowsFake } from "../../fakes/managed-flows.ts";
import { accept, reject, type Answer } from "../../plugin/answer.ts";
import { rejectionCode } from "../../plugin/codes.ts";
import type { RouteContext } from "../../plugin/contract.ts";
import type { BoundFlows, FlowRecord, MaybePromise, MutationResult } from "../../plugin/ports.ts";
import type { ChangeAction } from "../interface/flow-model.ts";
import { together, withFlowShown, withRequest, withAction } from "./changes.ts";
import type { Change, Numbering } from "./subject.ts";

/** Between check and write, in microseconds. */
const LATE_US = 100;

/** How faults with such a gap are told. */
export const late = `${LATE_US / 1000} ms later, with others let in between`;

/** Lets others run until `us` microseconds are over: timers are no finer than a millisecond. */
export async function gap(us = LATE_US): Promise<void> {
  const until = performance.now() + us / 1000;
  do await turn();
  while (performance.now() < until);
}

/** In this call the runtime checks, awaits, and writes without a second look. */
export const writesLate = (late: keyof BoundFlows, us = LATE_US): Change => ({
  runtime: { awaited: true, beforeWrite: (call) => (call === late ? gap(us) : undefined) },
});

/** A revision that no flow reaches. */
const NEVER = 2 ** 40;

const isRevision = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

export const renumbered = (numbering: Numbering): Change =>
  together(
    withFlowShown((flow) => ({ ...flow, revision: numbering.shown(flow.revision) })),
    withRequest((body) => {
      const { expectedRevision: sent } = body;
      if (!isRevision(sent)) return body;
      const revision = numbering.stored(sent);
      return { ...body, expectedRevision: isRevision(revision) ? revision : NEVER };
    }),
    { runtime: { numbering } },
  );

/** The same for the flows that the control port seeds. */
export function renumberedFake(flows: ManagedFlowsFake, { shown }: Numbering): ManagedFlowsFake {
  const seed: ManagedFlowsFake["seed"] = (wanted) => {
    const flow = flows.seed(wanted);
    return { ...flow, revision: shown(flow.revision) };
  };
  return { ...flows, seed };
}

export const at = ({ flowId, revision: expectedRevision }: FlowRecord) => ({ flowId, expectedRevision });

/** A change of a flow that changes only its revision. */
export async function touch(flows: BoundFlows, flow: FlowRecord): Promise<FlowRecord> {
  const { status, blockedSummary } = flow;
  const summary = status === "blocked" && blockedSummary !== undefined && { blockedSummary };
  if (!summary && status !== "queued" && status !== "waiting") return flow;
  const waiting = await flows.setWaiting({ ...at(flow), ...summary });
  const changed = status === "queued" && waiting.applied ? await flows.resume(at(waiting.flow)) : waiting;
  return changed.applied ? changed.flow : flow;
}

const calls = {
  set_waiting: "setWaiting",
  resume_flow: "resume",
  finish_flow: "finish",
  fail_flow: "fail",
  request_cancel: "requestCancel",
} as const satisfies Record<ChangeAction, keyof BoundFlows>;

/** Answers a change as the runtime does. */
export async function passOn(
  name: string,
  fields: Record<string, unknown>,
  { flows, parts }: RouteContext,
): Promise<Answer> {
  const change = flows[calls[name as ChangeAction]] as (input: unknown) => MaybePromise<MutationResult>;
  const result = await change(fields);
  if (result.applied) return accept({ applied: true, flow: parts.views.flow(result.flow) });
  const current = result.current && { current: parts.views.flow(result.current) };
  return reject(rejectionCode(result.code, "mutation_rejected"), { result: { applied: false, ...current } });
}

export const passesOn = (actions: readonly ChangeAction[]): Change =>
  withAction(actions, ({ name, fields, context }) => passOn(name, fields, context));
