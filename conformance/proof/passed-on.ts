/** Actions that pass what they are sent on to the runtime, as a plugin does that relies on it to check the rest. */
import { accept, reject, type Answer } from "../../plugin/answer.ts";
import { rejectionCode } from "../../plugin/codes.ts";
import type { RouteContext } from "../../plugin/contract.ts";
import type { MaybePromise, MutationResult } from "../../plugin/ports.ts";
import { withAction } from "./changes.ts";
import type { Change } from "./subject.ts";

const calls = {
  set_waiting: "setWaiting",
  resume_flow: "resume",
  finish_flow: "finish",
  fail_flow: "fail",
  request_cancel: "requestCancel",
} as const;
export type PassedOn = keyof typeof calls;

/** Answers a change as the runtime does. */
export async function passOn(
  name: string,
  fields: Record<string, unknown>,
  { flows, parts }: RouteContext,
): Promise<Answer> {
  const change = flows[calls[name as PassedOn]] as (input: unknown) => MaybePromise<MutationResult>;
  const result = await change(fields);
  if (result.applied) return accept({ applied: true, flow: parts.views.flow(result.flow) });
  const current = result.current && { current: parts.views.flow(result.current) };
  return reject(rejectionCode(result.code, "mutation_rejected"), { result: { applied: false, ...current } });
}

export const passesOn = (actions: readonly PassedOn[]): Change =>
  withAction(actions, ({ name, fields, context }) => passOn(name, fields, context));
