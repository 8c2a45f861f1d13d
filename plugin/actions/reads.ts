import { z } from "zod";
import { accept } from "../answer.ts";
import type { Answer } from "../answer.ts";
import type { Parts, RouteContext } from "../contract.ts";
import type { FlowRecord } from "../ports.ts";
import { defineAction } from "./action.ts";
import { text } from "./fields.ts";
import { fitting } from "./fitting.ts";

function flowOrNull(flow: FlowRecord | null | undefined, { parts }: RouteContext): Answer {
  return accept({ flow: flow ? parts.views.flow(flow) : null });
}

export const getFlow = defineAction({
  name: "get_flow",
  schema: z.strictObject({ flowId: text }),
  run: async ({ flowId }, context) => flowOrNull(await context.flows.get(flowId), context),
});

/**
 * Where the flows are too many or too large, only those created last are shown. The sort is stable: in a tie the
 * runtime's order stands.
 */
function listed(flows: readonly FlowRecord[], { limits, views }: Parts): readonly object[] {
  const { listedFlows, listedBytes } = limits;
  const all = flows.length <= listedFlows ? fitting(flows, views.flow, listedBytes) : [];
  if (all.length === flows.length) return all;
  const newest = flows.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, listedFlows);
  return fitting(newest, views.flow, listedBytes);
}

export const listFlows = defineAction({
  name: "list_flows",
  schema: z.strictObject({}),
  run: async (_fields, { flows, parts }) => accept({ flows: listed(await flows.list(), parts) }),
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
  async run({ token }, context) {
    const flow = await context.flows.resolve(token);
    // A runtime also takes its session's key, for the latest flow: an answer would confirm a guessed key.
    return flowOrNull(flow?.flowId === token ? flow : null, context);
  },
});

export const getTaskSummary = defineAction({
  name: "get_task_summary",
  schema: z.strictObject({ flowId: text }),
  async run({ flowId }, { flows, parts }) {
    const summary = await flows.getTaskSummary(flowId);
    return accept({ summary: summary ? parts.views.summary(summary) : null });
  },
});
