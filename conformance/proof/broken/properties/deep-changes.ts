/** Changes that show only after a history: they count, remember and forget. */
import { revisionActions } from "../../../interface/fields.ts";
import { accept, reject } from "../../../../plugin/answer.ts";
import type { FlowRecord, Json } from "../../../../plugin/ports.ts";
import {
  both,
  currentRevision,
  isPending,
  withAction,
  withFlows,
  withOutcome,
  withRequest,
  withStage,
} from "../../changes.ts";
import type { Change } from "../../subject.ts";

/** Counts by key, across all routes. */
class Counts {
  readonly #of = new Map<unknown, number>();

  get(key: unknown): number {
    return this.#of.get(key) ?? 0;
  }

  add(key: unknown): number {
    const count = this.get(key) + 1;
    this.#of.set(key, count);
    return count;
  }
}

export function unreadRevisionTaken(): Change {
  const conflicts = new Set<unknown>();
  const noting = withOutcome(revisionActions, (answer, { flowId }) => {
    if (answer.code === "revision_conflict") conflicts.add(flowId);
    return answer;
  });
  const taking = withRequest(async (body, context) => {
    const { action, flowId, expectedRevision } = body;
    const isOdd = (revisionActions as readonly unknown[]).includes(action) && typeof expectedRevision !== "number";
    if (!isOdd || !conflicts.has(flowId)) return body;
    return { ...body, expectedRevision: await currentRevision(flowId, context) };
  });
  return both(noting, taking);
}

export function childEndResurrects(): Change {
  const pending = new Set<string>();
  const shown = (flow: FlowRecord | null | undefined) => {
    const back = flow && pending.has(flow.flowId) && flow.status === "cancelled";
    return back ? { ...flow, status: "queued" } : flow;
  };
  return withFlows((flows) => {
    return {
      cancel: async (input) => {
        const result = await flows.cancel(input);
        if (isPending(result)) pending.add(input.flowId);
        return result;
      },
      get: async (flowId) => shown(await flows.get(flowId)),
      resolve: async (token) => shown(await flows.resolve(token)),
    };
  });
}

export function childKeyAsLabel(): Change {
  const keys = new Map<unknown, string>();
  const taking = withRequest((body) => {
    const { action, flowId, childSessionKey } = body;
    if (action === "run_task" && typeof childSessionKey === "string") keys.set(flowId, childSessionKey);
    return body;
  });
  const showing = withOutcome("get_task_summary", (answer, { flowId }) => {
    const last = keys.get(flowId);
    return last === undefined ? answer : { ...answer, result: { ...answer.result, last: encodeURIComponent(last) } };
  });
  return both(taking, showing);
}

export function thirdWrongSecretLetsIn(): Change {
  const wrong = new Counts();
  return withStage("authentication", ({ run }) => async (exchange) => {
    const outcome = await run(exchange);
    if (outcome === undefined || outcome === "aborted") return outcome;
    return wrong.add(exchange.request.socket.remoteAddress) >= 3 ? reject("invalid_request") : outcome;
  });
}

const text = (value: Json | undefined, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** The second run_task of a flow that its fields make wrong is stored before it is refused. */
export function refusedTaskStored(): Change {
  const refused = new Set<string>();
  return withStage("action", ({ run }) => async (exchange) => {
    const outcome = await run(exchange);
    const { body = {}, context } = exchange;
    const { action, flowId, task } = body;
    const isWrong = typeof outcome === "object" && outcome.code === "invalid_request";
    if (action !== "run_task" || typeof flowId !== "string" || !isWrong) return outcome;
    if (refused.has(flowId)) await context.flows.runTask({ flowId, runtime: "acp", task: text(task, "kept") });
    refused.add(flowId);
    return outcome;
  });
}

/** The second failure of a flow's changes has used up the revision that the flow still shows. */
export function secondFailureSpendsRevision(): Change {
  const failures = new Map<unknown, number>();
  const counting = withOutcome(revisionActions, (answer, { flowId }) => {
    if (answer.code === "persist_failed") failures.set(flowId, (failures.get(flowId) ?? 0) + 1);
    return answer;
  });
  const spent = withRequest(async (body, context) => {
    const { action, flowId, expectedRevision } = body;
    if (!(revisionActions as readonly unknown[]).includes(action) || failures.get(flowId) !== 2) return body;
    const current = await currentRevision(flowId, context);
    return expectedRevision === current ? { ...body, expectedRevision: current + 1 } : body;
  });
  return both(counting, spent);
}

/** A task that could not be stored is waited for when its flow is cancelled. */
export function lostTaskAwaited(): Change {
  const awaited = new Set<unknown>();
  const noting = withOutcome(["run_task"], (answer, { flowId }) => {
    if (answer.code === "persist_failed") awaited.add(flowId);
    return answer;
  });
  const waiting = withAction("cancel_flow", ({ run }) => ({
    run: async (fields, context) =>
      awaited.has(fields["flowId"])
        ? accept({ found: true, cancelled: false }, "cancel_pending")
        : run(fields, context),
  }));
  return both(noting, waiting);
}
