/** What a plugin notes of flows and tokens beside its runtime's record, and goes by when it no longer holds. */
import { accept, reject } from "../../../../plugin/answer.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import { revisionActions } from "../../../interface/fields.ts";
import { keepsAnswers, withAction, withNotes } from "../../changes.ts";
import { passOn } from "../../runtime.ts";
import { failing, type Subject } from "../../subject.ts";

export const notes: readonly Subject[] = failing({
  "STATES-DATA: What list_flows leaves out of a flow is left out by get_flow as well, until the flow changes":
    withNotes(
      ["list_flows", "get_flow", ...revisionActions],
      async ({ name, fields: { flowId }, context: { flows }, right }, listed) => {
        const answer = await right();
        if (name === "list_flows") for (const flow of await flows.list()) listed.set(flow.flowId, true);
        else if (name !== "get_flow") listed.delete(flowId);
        else if (listed.has(flowId)) {
          const { stateJson: _state, waitJson: _wait, ...flow } = (answer.result as { flow: JsonObject }).flow;
          return { ...answer, result: { flow } };
        }
        return answer;
      },
    ),
  "STATES-RESUME-FLOW: A flow that was told to wait may be resumed until another change is noted, and fail_flow is not":
    withNotes(revisionActions, async ({ name, fields, context, right }, waits) => {
      const { flowId } = fields;
      const answer = name === "resume_flow" && waits.has(flowId) ? passOn(name, fields, context) : await right();
      if (name === "set_waiting") waits.set(flowId, true);
      else if (name !== "fail_flow") waits.delete(flowId);
      return answer;
    }),
  "STATES-RUN-TASK: A flow that was blocked takes no task when it is resumed": withNotes(
    ["set_waiting", "run_task"],
    ({ name, fields: { flowId, blockedSummary }, right }, blocked) => {
      if (name === "run_task" && blocked.has(flowId)) return reject("task_not_created");
      if (blockedSummary !== undefined) blocked.set(flowId, true);
      return right();
    },
  ),
  "SESSION-FOREIGN-READS: A token that resolve_flow did not find is not looked for again, in any session": withNotes(
    "resolve_flow",
    async ({ fields: { token }, right }, unknown) => {
      const answer = unknown.has(token) ? accept({ flow: null }) : await right();
      if ((answer.result as { flow?: unknown }).flow === null) unknown.set(token, true);
      return answer;
    },
  ),
  "SESSION-MANY-FLOWS: find_latest_flow prefers flows with the controllerId of its route": withAction(
    "find_latest_flow",
    async ({ context: { flows, parts, route }, right }) => {
      const own = (await flows.list()).filter(({ controllerId }) => controllerId === route.controllerId);
      const [latest] = own.toSorted((a, b) => b.updatedAt - a.updatedAt);
      return latest ? accept({ flow: parts.views.flow(latest) }) : right();
    },
  ),
  "STATES-CANCEL-CHILDREN: get_flow shows what it has shown before, until a request changes a flow":
    keepsAnswers("get_flow"),
});
