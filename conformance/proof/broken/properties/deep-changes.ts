/** Changes that show only after a history: they count, remember and forget. */
import { revisionActions } from "../../../interface/fields.ts";
import { accept, reject } from "../../../../plugin/answer.ts";
import type { BoundFlows, FlowRecord, MutationResult } from "../../../../plugin/ports.ts";
import {
  both,
  isPending,
  withAction,
  withEnvelope,
  withFlows,
  withOutcome,
  withRequest,
  withStage,
  currentRevision,
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

/** Runs after each change that was applied. */
const afterChange = (names: readonly (keyof BoundFlows)[], note: (name: string, flow: FlowRecord) => void): Change =>
  withFlows((flows) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (input: never) => {
          const result = await (flows[name] as (given: never) => MutationResult | Promise<MutationResult>)(input);
          if (result.applied) note(name, result.flow);
          return result;
        },
      ]),
    ),
  );

export function conflictForgiven(): Change {
  const tries = new Counts();
  return withRequest(async (body, context) => {
    const { action, flowId, expectedRevision } = body;
    if (!(revisionActions as readonly unknown[]).includes(action) || typeof expectedRevision !== "number") return body;
    const current = await currentRevision(flowId, context);
    if (expectedRevision >= current) return body;
    const tried = tries.add(JSON.stringify([flowId, expectedRevision]));
    return tried >= 2 ? { ...body, expectedRevision: current } : body;
  });
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

export function thirdResumeLosesState(): Change {
  const resumes = new Counts();
  return withFlows((flows) => ({
    resume: async (input) => {
      const flow = await flows.get(input.flowId);
      const applies =
        flow?.revision === input.expectedRevision && (flow.status === "waiting" || flow.status === "blocked");
      return flows.resume(applies && resumes.add(input.flowId) >= 3 ? { ...input, stateJson: null } : input);
    },
  }));
}

export function secondWaitNotStored(): Change {
  return withFlows((flows) => ({
    setWaiting: async (input) => {
      const flow = await flows.get(input.flowId);
      const again = flow?.status === "waiting" && flow.revision === input.expectedRevision;
      return again ? { applied: true, flow } : flows.setWaiting(input);
    },
  }));
}

export function resumedAgain(): Change {
  const resumed = new Set<string>();
  const noting = afterChange(["resume", "setWaiting"], (name, flow) => {
    if (name === "resume") resumed.add(flow.flowId);
    else resumed.delete(flow.flowId);
  });
  const allowing = withAction("resume_flow", ({ run }) => ({
    run: async (fields, context) => {
      const flow = await context.flows.get(String(fields["flowId"]));
      if (!flow || !resumed.has(flow.flowId) || flow.revision !== fields["expectedRevision"])
        return run(fields, context);
      const { flowId, revision } = flow;
      const waiting = await context.flows.setWaiting({ flowId, expectedRevision: revision });
      return waiting.applied
        ? run({ ...fields, expectedRevision: waiting.flow.revision }, context)
        : run(fields, context);
    },
  }));
  return both(noting, allowing);
}

export function failedAfterBlocked(): Change {
  return withFlows((flows) => ({
    fail: async (input) => {
      const flow = await flows.get(input.flowId);
      return flow?.status === "blocked"
        ? flows.finish({ flowId: input.flowId, expectedRevision: input.expectedRevision })
        : flows.fail(input);
    },
  }));
}

export function childForgottenByResume(): Change {
  const resumed = new Set<string>();
  const noting = afterChange(["resume"], (_name, flow) => resumed.add(flow.flowId));
  const cancelling = withFlows((flows) => ({
    cancel: async (input) => {
      const result = await flows.cancel(input);
      return resumed.has(input.flowId) && isPending(result) ? { ...result, cancelled: true } : result;
    },
  }));
  return both(noting, cancelling);
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

export function listForgetsResumed(): Change {
  const resumes = new Counts();
  const noting = afterChange(["resume"], (_name, flow) => resumes.add(flow.flowId));
  const listing = withFlows((flows) => ({
    list: async () => (await flows.list()).filter(({ flowId }) => resumes.get(flowId) < 2),
  }));
  return both(noting, listing);
}

export function endedSeenByAll(): Change {
  const ended = new Map<string, FlowRecord>();
  const noting = afterChange(["finish", "fail"], (_name, flow) => ended.set(flow.flowId, flow));
  const showing = withFlows((flows) => ({
    get: async (flowId) => (await flows.get(flowId)) ?? ended.get(flowId),
    resolve: async (token) => (await flows.resolve(token)) ?? ended.get(token),
  }));
  return both(noting, showing);
}

export function cancelAskedTwice(): Change {
  const asked = new Counts();
  const noting = afterChange(["requestCancel"], (_name, flow) => asked.add(flow.flowId));
  const running = withOutcome("run_task", (answer, { flowId }) =>
    answer.code === "cancel_requested" && asked.get(flowId) % 2 === 0 ? accept({ created: true }) : answer,
  );
  return both(noting, running);
}

export function runningRuleForgotten(): Change {
  const running = new Set<unknown>();
  return withRequest((body) => {
    const { action, flowId, status } = body;
    if (action !== "run_task") return body;
    if (status === "running") running.add(flowId);
    if (status === "running" || !running.has(flowId)) return body;
    const { startedAt: _startedAt, lastEventAt: _lastEventAt, progressSummary: _summary, ...rest } = body;
    return rest;
  });
}

export function secondConflictTellsOwner(): Change {
  const conflicts = new Counts();
  return withAction(revisionActions, ({ run }) => ({
    run: async (fields, context) => {
      const answer = await run(fields, context);
      const told = answer.code === "revision_conflict" && conflicts.add(fields["flowId"]) >= 2;
      return told ? { ...answer, error: `Owned by ${context.flows.sessionKey}.` } : answer;
    },
  }));
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

export function failedChangesReuseRevision(): Change {
  const refused = new Counts();
  const counting = withOutcome(revisionActions, (answer, { flowId }) => {
    if (answer.code === "mutation_rejected") refused.add(flowId);
    return answer;
  });
  // The revision of the failed change is used again.
  const showing = withEnvelope((envelope) => {
    const { flow, applied } = (envelope["result"] ?? {}) as {
      flow?: { flowId: string; revision: number };
      applied?: boolean;
    };
    if (flow === undefined || applied !== true || refused.get(flow.flowId) === 0) return envelope;
    return { ...envelope, result: { applied, flow: { ...flow, revision: flow.revision - 1 } } };
  });
  return both(counting, showing);
}

export function thirdWrongSecretLetsIn(): Change {
  const wrong = new Counts();
  return withStage("authentication", ({ run }) => async (exchange) => {
    const outcome = await run(exchange);
    if (outcome === undefined || outcome === "aborted") return outcome;
    return wrong.add(exchange.request.socket.remoteAddress) >= 3 ? reject("invalid_request") : outcome;
  });
}
