/** Sections 3 and 4: checks that a plugin leaves to its runtime, which in no observed gateway makes them. */
import { z } from "zod";
import { currentRevision, withAction, withRequest, withSchema } from "../../changes.ts";
import { passesOn } from "../../passed-on.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** run_task takes any fields, and the runtime has no rule for them. */
const anyTask: Change = withSchema("run_task", ({ shape }) => z.looseObject({ flowId: shape["flowId"] as z.ZodType }));

export const leftToRuntime: readonly Subject[] = [
  ...failing("STATES-RESUME-FLOW", {
    "resume_flow is passed on to the runtime: it resumes from any state": passesOn(["resume_flow"]),
  }),
  ...failing("GAP-ENDED", {
    "Changes are passed on to the runtime, and only resume_flow looks at the status: ended flows change": passesOn([
      "set_waiting",
      "finish_flow",
      "fail_flow",
      "request_cancel",
    ]),
  }),
  ...failing(["REVISION-STALE", "REVISION-OTHER", "REVISION-CANCEL-FLOW"], {
    "expectedRevision is looked at by no action": withRequest(async (body, context) => {
      const { flowId, expectedRevision: sent } = body;
      return typeof sent === "number" ? { ...body, expectedRevision: await currentRevision(flowId, context) } : body;
    }),
  }),
  ...failing("REVISION-CANCEL-FLOW", {
    // The plugin's own check sees no flow.
    "cancel_flow passes its expectedRevision on to a runtime that does not look at it": withAction(
      "cancel_flow",
      ({ fields, context, right }) => right(fields, { ...context, flows: { ...context.flows, get: () => null } }),
    ),
  }),
  ...failing(["RUN-TASK-RUNTIMES", "RUN-TASK-STATUSES"], {
    "run_task passes whatever fields it is sent on to the runtime": anyTask,
  }),
];
