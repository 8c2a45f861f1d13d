import { z } from "zod";
import { defineAction } from "./action.ts";
import { atRevision, clearableText, json, oneOf } from "./fields.ts";
import { mutate } from "./mutate.ts";

const blocked = { blockedTaskId: clearableText, blockedSummary: clearableText };

export const setWaiting = defineAction({
  name: "set_waiting",
  schema: z.strictObject({ ...atRevision, currentStep: clearableText, stateJson: json, waitJson: json, ...blocked }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.setWaiting(input)),
});

export const resumeFlow = defineAction({
  name: "resume_flow",
  schema: z.strictObject({
    ...atRevision,
    status: oneOf("queued", "running").exactOptional(),
    currentStep: clearableText,
    stateJson: json,
  }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.resume(input), ["waiting", "blocked"]),
});

export const finishFlow = defineAction({
  name: "finish_flow",
  schema: z.strictObject({ ...atRevision, stateJson: json }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.finish(input)),
});

export const failFlow = defineAction({
  name: "fail_flow",
  schema: z.strictObject({ ...atRevision, stateJson: json, ...blocked }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.fail(input)),
});

export const requestCancel = defineAction({
  name: "request_cancel",
  schema: z.strictObject(atRevision),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.requestCancel(input)),
});
