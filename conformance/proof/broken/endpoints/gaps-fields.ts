/** Section 4: wrong fields that are corrected instead of refused, action by action. */
import type { Json } from "../../../../plugin/ports.ts";
import { asText, withRequest } from "../../changes.ts";
import type { Subject } from "../../subject.ts";

/** For each action a field that can be corrected so that the action succeeds. */
const mended: Readonly<Record<string, string>> = {
  create_flow: "goal",
  get_flow: "flowId",
  resolve_flow: "token",
  get_task_summary: "flowId",
  set_waiting: "currentStep",
  resume_flow: "currentStep",
  finish_flow: "flowId",
  fail_flow: "blockedSummary",
  request_cancel: "flowId",
  cancel_flow: "expectedRevision",
  run_task: "label",
};

/** Turns a boolean into a string; a flowId becomes that of the latest flow. */
const mend = async (field: string, value: Json, latest: () => Promise<string>): Promise<Json> => {
  if (field === "expectedRevision") return 0;
  return field === "flowId" ? latest() : asText(value);
};

export const gapsFields: readonly Subject[] = Object.entries(mended).map(([action, field]) => ({
  id: `field-mended-${action.replaceAll("_", "-")}`,
  bug: `${field} of ${action} is made up where it is true or false.`,
  kills: [action === "create_flow" ? "GAP-WRONG-TYPE" : `GAP-FIELDS-${action.toUpperCase().replaceAll("_", "-")}`],
  change: withRequest(async (body, { flows }) => {
    const value = body[field];
    if (body["action"] !== action || typeof value !== "boolean") return body;
    return { ...body, [field]: await mend(field, value, async () => (await flows.findLatest())?.flowId ?? "") };
  }),
}));
