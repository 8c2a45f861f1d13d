/** Sections 3 and 4: checks that a plugin leaves to its runtime, which in no observed gateway makes them. */
import { z } from "zod";
import type { Action } from "../../../../plugin/contract.ts";
import { currentRevision, withAction, withRequest } from "../../changes.ts";
import { passesOn } from "../../passed-on.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** run_task takes any fields, and the runtime has no rule for them. */
const anyTask: Change = withAction("run_task", ({ schema }: Action) => ({
  schema: z.looseObject({ flowId: schema.shape["flowId"] as z.ZodType }),
}));

export const leftToRuntime: readonly Subject[] = subjectsOf<Subject>({
  "leaves-resume-status": {
    bug: "resume_flow is passed on to the runtime: it resumes from any state.",
    kills: ["STATES-RESUME-FLOW"],
    change: passesOn(["resume_flow"]),
  },
  "leaves-end": {
    bug: "Changes are passed on to the runtime, and only resume_flow looks at the status: ended flows change.",
    kills: ["GAP-ENDED-BY-FINISH-FLOW", "GAP-ENDED-BY-FAIL-FLOW", "GAP-ENDED-BY-CANCEL-FLOW"],
    change: passesOn(["set_waiting", "finish_flow", "fail_flow", "request_cancel"]),
  },
  "leaves-revision": {
    bug: "expectedRevision is looked at by no action.",
    kills: ["REVISION-STALE", "REVISION-OTHER", "REVISION-CANCEL-FLOW"],
    change: withRequest(async (body, context) => {
      const { flowId, expectedRevision: sent } = body;
      return typeof sent === "number" ? { ...body, expectedRevision: await currentRevision(flowId, context) } : body;
    }),
  },
  "leaves-cancel-revision": {
    bug: "cancel_flow passes its expectedRevision on to a runtime that does not look at it.",
    kills: ["REVISION-CANCEL-FLOW"],
    // The plugin's own check sees no flow.
    change: withAction("cancel_flow", ({ run }) => ({
      run: (fields, context) => run(fields, { ...context, flows: { ...context.flows, get: () => null } }),
    })),
  },
  "leaves-task-rules": {
    bug: "run_task passes whatever fields it is sent on to the runtime.",
    kills: ["RUN-TASK-RUNTIMES", "RUN-TASK-STATUSES"],
    change: anyTask,
  },
});
