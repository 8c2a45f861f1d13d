/** Requests that an invariant sends itself, one of every kind, so that it has answers to judge when it runs alone. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change, createFlow, resolveFlow, runTask, smallest } from "../interface/bodies.ts";
import { spoilt, type RefusalId } from "../interface/broken-requests.ts";
import { withHeader, type ActionBody } from "../interface/request.ts";
import { isAccepted, type Exchange } from "../http/exchange.ts";
import { NotApplicable, Unreached } from "../harness/case-errors.ts";
import type { Case } from "../harness/case.ts";
import { taskIdOf, mustTakeTwin, type FlowView } from "../harness/checks.ts";
import { absentId, sendChange, flowAfter, mustBeGuarded, waitingFlow } from "../harness/flows.ts";
import { provoke } from "../harness/refusals.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import { misplacedSecrets, newChildKey } from "../harness/leaks.ts";
import type { Trial } from "../harness/trial.ts";
import { settles } from "../harness/own-ids.ts";
import { unmanaged } from "../harness/unmanaged.ts";
import { askedOnce } from "../harness/asked-once.ts";

/**
 * A running task with a childSessionKey that the target takes, or undefined: which sessions may be a child's is left open, so
 * one that is new, one below the route's own and the route's own are tried.
 */
async function startedChild(trial: Trial, flowId: string): Promise<Exchange | undefined> {
  const { sessionKey } = trial.route;
  for (const childSessionKey of [newChildKey(), `${sessionKey}-child-${randomUUID()}`, sessionKey]) {
    const exchange = await trial.post(runTask(flowId, { status: "running", childSessionKey }));
    if (isAccepted(exchange)) return exchange;
  }
  return undefined;
}

const views = ["get_flow", "get_task_summary", "list_flows", "resolve_flow", "find_latest_flow"] as const;

/** Reads that name no flow. */
const sessionViews = ["list_flows", "find_latest_flow"] as const;

const { alike, alikeLonger, alikeFront, alikeSigns, alikeCapitals, alikePartOne, alikePartTwo } = specialRoutes;
/** Two routes of sessions whose keys are alike, each in either place. */
const alikePairs = [
  ...[alikeLonger, alikeFront, alikeSigns, alikeCapitals].map(({ id }) => [alike.id, id]),
  [alikePartOne.id, alikePartTwo.id],
].flatMap((ids) => [ids, ids.toReversed()]);

async function look(trial: Trial, flow: FlowView): Promise<void> {
  for (const action of views) await trial.post(smallest(action, flow, trial.profile.fields));
}

/** The steps of the tour, in their order. One that the target does not allow is left, and the next begins. */
const places: readonly ((trial: Trial) => Promise<unknown>)[] = [
  // Every action, accepted, about a flow with a child; a pending cancellation, twice.
  async (trial) => {
    const idle = await waitingFlow(trial);
    const started = await startedChild(trial, idle.flowId);
    const flow = started === undefined ? idle : await flowAfter(trial, started, idle.flowId);
    await look(trial, flow);
    for (const action of ["run_task", "request_cancel", "run_task", "cancel_flow", "cancel_flow"] as const) {
      await trial.post(smallest(action, flow, trial.profile.fields));
    }
    await look(trial, flow);
  },
  async (trial) => {
    // Before and after: a read may have a cache that one of them forgets. What needs a revision, STATES has with it.
    for (const action of ["create_flow", "run_task", "cancel_flow"] as const) {
      const flow = await waitingFlow(trial);
      for (const one of ["list_flows", action, "list_flows"] as const) {
        await trial.post(smallest(one, flow, trial.profile.fields));
      }
    }
  },
  // Every refusal before the action that costs little.
  async (trial) => {
    for (const id of ["METHOD", "CONTENT-TYPE", "AUTH", "BAD-JSON", "TOO-LARGE"] as const satisfies RefusalId[]) {
      await provoke(trial, id);
    }
  },
  // A page for browsers is no envelope; RFC 9110, 15.5.7 lets a server refuse with 406.
  async (trial) => {
    const right = withHeader(trial.right(), "accept", "text/html");
    await trial.send(right);
    for (const id of ["METHOD", "CONTENT-TYPE", "AUTH", "BAD-JSON"] as const) await trial.send(spoilt(right, id));
  },
  // Every refusal by an action.
  async (trial) => {
    const flow = await trial.flow();
    const { flowId } = flow;
    const absent = { ...flow, flowId: absentId(flowId) };
    await trial.post({ action: "sessionKey" });
    await trial.post({ action: "constructor" });
    await trial.post({ action: "finish_flow", flowId });
    await trial.post({ ...createFlow(), goal: 7 });
    await trial.post(change("resume_flow", flow));
    for (const action of ["finish_flow", "cancel_flow", "run_task", "get_flow"] as const) {
      await trial.post(smallest(action, absent, trial.profile.fields));
      await trial.post(smallest(action, flow, trial.profile.fields), trial.stranger);
    }
    const waiting = await sendChange(trial, "set_waiting", flow);
    await trial.post(change("finish_flow", flow));
    const ended = await sendChange(trial, "finish_flow", waiting);
    for (const action of ["set_waiting", "resume_flow", "cancel_flow", "run_task"] as const) {
      await trial.post(smallest(action, ended, trial.profile.fields));
    }
  },
  // Session keys and secrets where they do not belong: a careless answer repeats them.
  async (trial) => {
    // At a route with a budget of its own.
    const route = trial.sibling;
    const { secret, sessionKey } = route;
    const { flowId } = await trial.flow({}, route);
    const right = trial.right(createFlow(), route);
    const unlike = ["", "Bearer wrong"].map((value) => withHeader(right, "authorization", value));
    for (const request of [...unlike, ...misplacedSecrets(trial, route)]) await trial.send(request);
    const childSessionKey = newChildKey();
    const bodies: readonly ActionBody[] = [
      // What stands in for a goal may be what the operator wrote about the route.
      { action: "create_flow" },
      change("finish_flow", { flowId: secret, revision: 0 }),
      resolveFlow(sessionKey, trial.profile.fields),
      runTask(flowId, { childSessionKey: trial.stranger.sessionKey }),
      runTask(absentId(flowId), { childSessionKey }),
      runTask(flowId, { childSessionKey, runtime: "other" }),
      runTask(flowId, { childSessionKey, progressSummary: "without running" }),
    ];
    for (const body of bodies) await trial.post(body, route);
    // A flow may not have moved to the session that its child's key names.
    await trial.post({ action: "list_flows" }, trial.stranger);
    // Nor does a session's key open it to a stranger.
    await trial.post(resolveFlow(sessionKey, trial.profile.fields), trial.stranger);
    // A cancellation that waits may show the children that it waits for.
    await trial.post(runTask(flowId, { childSessionKey }), route);
    await trial.post(cancelFlow(flowId, trial.profile.fields), route);
  },
  async (trial) => {
    await trial.post(createFlow(), trial.sibling);
    await trial.post(createFlow(), trial.special("cold"));
  },
  // Sessions whose keys are alike, and one without flows.
  async (trial) => {
    for (const [owner, other] of alikePairs.map((ids) => ids.map((id) => trial.routeOf(id)))) {
      const flow = await trial.flow({}, owner);
      for (const action of sessionViews) await trial.post({ action }, other);
      for (const action of ["get_flow", "finish_flow"] as const)
        await trial.post(smallest(action, flow, trial.profile.fields), other);
    }
    for (const action of sessionViews) await trial.post({ action }, trial.special("quiet"));
  },
  // A child that has ended, in each way that the control port knows.
  async (trial) => {
    if (!(await settles(trial))) return;
    const flow = await waitingFlow(trial);
    for (const status of ["succeeded", "failed", "timed_out", "cancelled"]) {
      const started = await startedChild(trial, flow.flowId);
      const taskId = started && taskIdOf(started);
      // A control port need not know more than the first.
      if (taskId !== undefined) await trial.control.settle(flow.flowId, taskId, status).catch(() => {});
    }
    await look(trial, flow);
    await trial.post(cancelFlow(flow.flowId, trial.profile.fields));
  },
  async (trial) => {
    if (trial.server.control?.capabilities.has("sessions") !== true) return;
    const { bodies, reads } = await unmanaged(trial);
    for (const body of [...reads, ...bodies]) await trial.post(body);
  },
];

/** The target does not allow this step of the tour; the invariants judge what it has answered until then. */
const isClosed = (error: unknown) => error instanceof Unreached || error instanceof NotApplicable;

async function travel(trial: Trial): Promise<void> {
  mustTakeTwin(await trial.send(trial.right()));
  await mustBeGuarded(trial, trial.route);
  for (const visit of places) {
    // Where answers show little, a place takes many more reads: no budget has to serve for all of them.
    await visit(trial.fresh()).catch((error: unknown) => {
      if (!isClosed(error)) throw error;
    });
  }
}

/** All invariants of a run share one tour of each server. */
const once = askedOnce<void>();

/** What makes an invariant a case: it sends the tour's requests, and judges the answers of the whole run. */
export const tour = {
  requests: 118,
  async run(trial) {
    await once(trial.server, "the tour", () => travel(trial));
  },
} as const satisfies Partial<Case>;
