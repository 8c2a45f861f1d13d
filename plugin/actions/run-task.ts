import { z } from "zod";
import { accept, reject } from "../answer.ts";
import { rejectionCode } from "../codes.ts";
import { defineAction } from "./action.ts";
import { clearableText, flag, notifyPolicy, oneOf, text, timestamp } from "./fields.ts";
import { codeOfRefusal, isCancelRequested } from "./flow-state.ts";

/** Fields of a task that already runs: sending one, with whatever value, needs status `running`. */
const runningOnly = ["startedAt", "lastEventAt", "progressSummary"] as const;

const schema = z
  .strictObject({
    flowId: text,
    runtime: oneOf("subagent", "acp"),
    task: text,
    sourceId: clearableText,
    childSessionKey: clearableText,
    parentTaskId: clearableText,
    agentId: clearableText,
    runId: clearableText,
    label: clearableText,
    preferMetadata: flag.exactOptional(),
    notifyPolicy: notifyPolicy.exactOptional(),
    status: oneOf("queued", "running").exactOptional(),
    startedAt: timestamp.exactOptional(),
    lastEventAt: timestamp.exactOptional(),
    progressSummary: clearableText,
  })
  .superRefine((fields, issues) => {
    if (fields.status === "running") return;
    for (const field of runningOnly) {
      if (field in fields) issues.addIssue({ code: "custom", path: [field], message: "needs status running" });
    }
  });

export const runTask = defineAction({
  name: "run_task",
  schema,
  // Only the runtime knows which session owns childSessionKey, so it is passed on unchecked.
  async run(fields, { flows, parts }) {
    const result = await flows.runTask(fields);
    if (result.created) {
      const { flow, task } = result;
      return accept({ created: true, flow: parts.views.flow(flow), task: parts.views.task(task) });
    }
    const { found, flow, code } = result;
    const fallback = flow && isCancelRequested(flow) ? "cancel_requested" : "task_not_created";
    const view = { created: false, found, ...(flow && { flow: parts.views.flow(flow) }) };
    return reject(rejectionCode(code, codeOfRefusal(result, fallback)), { result: view });
  },
});
