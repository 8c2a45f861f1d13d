import { z } from "zod";
import { accept } from "../answer.ts";
import type { Answer } from "../answer.ts";
import type { RouteContext } from "../contract.ts";
import type { FlowRecord } from "../ports.ts";
import { defineAction } from "./action.ts";
import { text } from "./fields.ts";

function flowOrNull(flow: FlowRecord | null | undefined, { parts }: RouteContext): Answer {
  return accept({ flow: flow ? parts.views.flow(flow) : null });
}

export const getFlow = defineAction({
  name: "get_flow",
  schema: z.strictObject({ flowId: text }),
  run: async ({ flowId }, context) => flowOrNull(await context.flows.get(flowId), context),
});

/** A session may have flows without bound, an answer may not. The sort is stable: in a tie the runtime's order stands. */
function newestOf(flows: readonly FlowRecord[], count: number): readonly FlowRecord[] {
  return flows.length <= count ? flows : flows.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, count);
}

export const listFlows = defineAction({
  name: "list_flows",
  schema: z.strictObject({}),
  async run(_fields, { flows, parts }) {
    const newest = newestOf(await flows.list(), parts.limits.listedFlows);
    return accept({ flows: newest.map((flow) => parts.views.flow(flow)) });
  },
});

export const findLatestFlow = defineAction({
  name: "find_latest_flow",
  schema: z.strictObject({}),
  async run(_fields, context) {
    // Some runtimes return the newest flow instead of the one updated last. In a tie the runtime's choice stands.
    let latest = await context.flows.findLatest();
    for (const flow of await context.flows.list()) {
      if (!latest || flow.updatedAt > latest.updatedAt) latest = flow;
    }
    return flowOrNull(latest, context);
  },
});

export const resolveFlow = defineAction({
  name: "resolve_flow",
  schema: z.strictObject({ token: text }),
  run: async ({ token }, context) => flowOrNull(await context.flows.resolve(token), context),
});

export const getTaskSummary = defineAction({
  name: "get_task_summary",
  schema: z.strictObject({ flowId: text }),
  async run({ flowId }, { flows, parts }) {
    const summary = await flows.getTaskSummary(flowId);
    return accept({ summary: summary ? parts.views.summary(summary) : null });
  },
});
