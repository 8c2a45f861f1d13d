/** The `result` of a forced code, shaped as the action itself shapes it, so that a client's parser sees nothing new. */
import type { JsonObject } from "../../plugin/json.ts";
import { specificationCodes, type Code } from "../../plugin/codes.ts";
import type { RouteContext } from "../../plugin/contract.ts";

/** Codes of a check before the action, which has an empty result. */
const beforeAction: readonly Code[] = ["invalid_request", "request_rejected"];
const ofRuntime: ReadonlySet<Code> = new Set(specificationCodes.filter((code) => !beforeAction.includes(code)));

const mutations: ReadonlySet<unknown> = new Set([
  "set_waiting",
  "resume_flow",
  "finish_flow",
  "fail_flow",
  "request_cancel",
]);

/**
 * Nothing is carried out, so a flow is shown as it is stored, and its revision is one that the caller can go on with; a
 * cancellation that is pending shows when it was requested. A flow that does not exist is not shown.
 */
export async function forcedResult(code: Code, body: JsonObject, context: RouteContext): Promise<object> {
  const { action, flowId } = body;
  if (!ofRuntime.has(code)) return {};
  if (action === "create_flow") return { created: false };
  const found = code !== "not_found";
  const { flow: shown } = context.parts.views;
  const stored = found && typeof flowId === "string" ? ((await context.flows.get(flowId)) ?? undefined) : undefined;
  if (mutations.has(action)) return { applied: false, ...(stored && { current: shown(stored) }) };
  if (action === "run_task") return { created: false, found, ...(stored && { flow: shown(stored) }) };
  if (action !== "cancel_flow") return {};
  const isPending = code === "cancel_pending";
  const asked = isPending && stored ? { ...stored, cancelRequestedAt: context.clock.now() } : stored;
  return { found, cancelled: false, ...(asked && { flow: shown(asked), ...(isPending && { tasks: [] }) }) };
}
