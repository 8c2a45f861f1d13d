import { z } from "zod";
import { accept, reject } from "../answer.ts";
import { rejectionCode } from "../codes.ts";
import { defineAction } from "./action.ts";
import { clearableText, json, notifyPolicy, oneOf, text } from "./fields.ts";

export const createFlow = defineAction({
  name: "create_flow",
  schema: z.strictObject({
    goal: text,
    controllerId: text.exactOptional(),
    status: oneOf("queued", "running", "waiting", "blocked").exactOptional(),
    notifyPolicy: notifyPolicy.exactOptional(),
    currentStep: clearableText,
    stateJson: json,
    waitJson: json,
  }),
  async run(fields, { flows, route, parts }) {
    const created = await flows.tryCreateManaged({ controllerId: route.controllerId, ...fields });
    if (created === null) return reject("persist_failed", { result: { created: false } });
    if ("flowId" in created) return accept({ created: true, flow: parts.views.flow(created) });
    return reject(rejectionCode(created.code, "create_rejected"), { result: { created: false } });
  },
});
