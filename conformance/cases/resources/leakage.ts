/** Sections 1 and 2: no answer holds a session key, owner metadata or a secret. */
import { randomUUID } from "node:crypto";
import {
  cancelFlow,
  change,
  createFlow,
  resolveFlow,
  runTask,
  smallest,
  type FlowAt,
} from "../../../fixtures/bodies.ts";
import { actionNames, type ActionName } from "../../../fixtures/fields.ts";
import { withHeader, withoutHeader, withPath } from "../../../fixtures/request.ts";
import { idOf } from "../../../fixtures/values.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { isAccepted, textOf, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, setUp, twin, type FlowView } from "../../harness/checks.ts";
import { absentId, changeActions, changed, flowAfter, guarded, helpful, waitingFlow } from "../../harness/flows.ts";
import { assertNoLeak, leakCase, leakIn, metadataOf, says, secretsOfRoutes, type Canary } from "../../harness/leaks.ts";
import { exhaust, keyOf } from "../../harness/limit-keys.ts";
import { provoke } from "../../harness/refusals.ts";
import { startedTask, taskForm, taskWithChildKey } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";
import { unmanaged } from "../../harness/unmanaged.ts";

const noChildKey = "run_task is refused with every childSessionKey that was tried";

/** A flow that waits, with a running child whose session key is a canary where the target takes one. */
async function inhabited(trial: Trial): Promise<{ flow: FlowView; childKey: string | undefined }> {
  await guarded(trial, trial.route);
  const flow = await waitingFlow(trial);
  const started = await taskWithChildKey(trial, flow.flowId, { status: "running" });
  if (started === undefined) return { flow, childKey: undefined };
  const { exchange, childKey } = started;
  return { flow: await flowAfter(trial, exchange, flow.flowId), childKey };
}

/** An accepted answer has to show the flow, or it proves nothing. Reads by fields of the profile may be refused. */
function mustShowSomething(exchange: Exchange, action: ActionName, flowId: string): void {
  helpful(exchange, action);
  const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
  const shown = action === "create_flow" || action === "get_task_summary" ? says(exchange) : text.includes(flowId);
  if (!shown) throw new NotApplicable(`the result of ${action} shows nothing of the flow`);
}

const actionLeaks: readonly Case[] = actionNames.map((action) => ({
  ...leakCase,
  id: `LEAK-${idOf(action)}`,
  title: `The answer to ${action} holds no session key and no owner metadata`,
  requests: 12,
  // Another case's flow would be the latest.
  ...(action === "find_latest_flow" && { alone: true as const }),
  async run(trial) {
    const { flow, childKey } = await inhabited(trial);
    const form = action === "run_task" ? await taskForm(trial, flow.flowId) : {};
    const exchange = await trial.post({ ...smallest(action, flow, trial.profile.fields), ...form });
    mustShowSomething(exchange, action, flow.flowId);
    assertNoLeak(metadataOf(trial, ...(childKey === undefined ? [] : [childKey])), exchange);
  },
}));

/** Each kind of rejection that a valid caller or a stranger can provoke without reaching a limit. */
const rejections: Readonly<Record<string, (trial: Trial, flow: FlowAt) => Promise<Exchange>>> = {
  UNAUTHORIZED: (trial) => provoke(trial, "AUTH"),
  INVALID: (trial, { flowId }) => trial.post({ action: "finish_flow", flowId }),
  "UNKNOWN-ACTION": async (trial) => {
    const exchange = await trial.post({ action: "sessionKey" });
    if (isAccepted(exchange)) throw new NotApplicable("an unknown action is accepted");
    return exchange;
  },
  "NOT-FOUND": (trial, flow) => trial.post(change("finish_flow", { ...flow, flowId: absentId(flow.flowId) })),
  FOREIGN: (trial, flow) => trial.post(change("finish_flow", flow), trial.stranger),
  CONFLICT: async (trial, flow) => {
    setUp(await trial.post(change("set_waiting", flow)), "set_waiting");
    return trial.post(change("finish_flow", flow));
  },
  ...Object.fromEntries(
    (["METHOD", "CONTENT-TYPE", "IN-FLIGHT", "BAD-JSON", "TOO-LARGE", "TIMEOUT"] as const).map((id) => [
      id,
      (trial: Trial) => provoke(trial, id),
    ]),
  ),
  // At a fresh key: part of this route's budget is spent.
  RATE: async (trial) => exhaust(trial, keyOf(trial, { route: trial.sibling })),
  "FOREIGN-CHILD": async (trial, { flowId }) => {
    // It has to be a key that the target knows as another session's.
    setUp(await trial.post(createFlow(), trial.stranger), "create_flow of another session");
    const refused = await trial.post(runTask(flowId, { childSessionKey: trial.stranger.sessionKey }));
    if (isAccepted(refused)) throw new NotApplicable("a childSessionKey of another session is taken");
    return refused;
  },
};

const rejectionLeaks: readonly Case[] = Object.entries(rejections).map(([id, provoke]) => ({
  ...leakCase,
  id: `LEAK-ON-${id}`,
  title: `A rejection (${id.toLowerCase().replaceAll("-", " ")}) holds no session key and no owner metadata`,
  requests: 10,
  ...((id === "RATE" || id === "IN-FLIGHT") && { meetsLimits: true, requests: 2 * REQUESTS_PER_WINDOW }),
  ...(id === "RATE" && { costly: true }),
  ...(id === "TIMEOUT" && { seconds: 18 }),
  async run(trial) {
    const { flow, childKey } = await inhabited(trial);
    const exchange = mustRefuse(await provoke(trial, flow));
    assertNoLeak(metadataOf(trial, ...(childKey === undefined ? [] : [childKey])), exchange);
  },
}));

const unmanagedLeak: Case = {
  ...leakCase,
  id: "LEAK-ON-NOT-MANAGED",
  title: "Nothing that is answered about a flow that is not managed holds a session key or owner metadata",
  needs: ["sessions"],
  requests: 18,
  async run(trial) {
    const { bodies, reads } = await unmanaged(trial);
    for (const body of [...reads, ...bodies]) assertNoLeak(metadataOf(trial), await trial.post(body));
  },
};

/** The secret in the wrong place; a target that echoes its input leaks it. */
const misplaced: Readonly<Record<string, (trial: Trial) => Promise<Exchange>>> = {
  "WRONG-SCHEME": (trial) => {
    const right = trial.right();
    return trial.send(withHeader(right, "authorization", `Token ${trial.route.secret}`));
  },
  "IN-URL": (trial) => {
    const { path, secret } = trial.route;
    const right = trial.right();
    return trial.send(withPath(withoutHeader(right, "authorization"), `${path}?secret=${secret}`));
  },
  "AS-ACTION": (trial) => trial.post({ action: trial.route.secret }),
  "AS-FIELD": (trial) => trial.post({ ...createFlow(), [trial.route.secret]: 1 }),
  "AS-FLOW-ID": (trial) => trial.post(change("finish_flow", { flowId: trial.route.secret, revision: 0 })),
};

const reflections: readonly Case[] = Object.entries(misplaced).map(([id, send]) => ({
  id: `LEAK-SECRET-${id}`,
  title: `A rejection does not repeat a secret that was sent ${id.toLowerCase().replaceAll("-", " ")}`,
  clauses: ["NO-METADATA"],
  level: "should",
  requests: 3,
  reading: "Rejections are logged and shown by callers. The interface says so of session metadata alone.",
  async run(trial) {
    twin(await trial.post(createFlow()));
    const exchange = await send(trial);
    if (isAccepted(exchange)) throw new NotApplicable("the request is not rejected");
    check(exchange.answer !== undefined, "an answer", "none", exchange);
    assertNoLeak(secretsOfRoutes(trial.route), exchange);
  },
}));

/** Fails where a line of the log holds one of the canaries. */
async function mustLogNothing(trial: Trial, canaries: readonly Canary[]): Promise<void> {
  const lines = await trial.control.logs();
  if (lines.length === 0) throw new NotApplicable("the target's log is empty, so there is nothing to look at");
  const leak = lines.map((line) => leakIn(line, canaries)).find((found) => found !== undefined);
  check(leak === undefined, "a log without it", leak?.name ?? "");
}

export const leakageCases: readonly Case[] = [
  ...actionLeaks,
  ...rejectionLeaks,
  unmanagedLeak,
  ...reflections,
  {
    id: "LEAK-SECRET-ON-401",
    title: "A 401 does not hold the secret that it asks for",
    clauses: ["AUTH-REQUIRED", "NO-METADATA"],
    level: "must",
    requests: 5,
    reading: "An answer that hands the secret out lets everybody in.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const canaries = secretsOfRoutes(trial.route, trial.sibling, trial.stranger);
      for (const value of ["", "Bearer wrong", "Basic d3Jvbmc6d3Jvbmc="]) {
        const exchange = mustRefuse(await trial.send(withHeader(right, "authorization", value)), { status: 401 });
        assertNoLeak(canaries, exchange);
      }
    },
  },
  {
    id: "LEAK-SECRET-ON-SUCCESS",
    title: "No accepted answer holds a secret",
    clauses: ["NO-METADATA"],
    level: "should",
    requests: 20,
    async run(trial) {
      const { flow } = await inhabited(trial);
      for (const action of actionNames.filter((name) => !changeActions.some((known) => known === name))) {
        const exchange = await trial.post(smallest(action, flow, trial.profile.fields));
        assertNoLeak(secretsOfRoutes(trial.route, trial.sibling), exchange);
      }
    },
  },
  {
    id: "LEAK-RESOLVE-KEY",
    title: "resolve_flow with the bound session key for a token does not repeat it",
    ...leakCase,
    requests: 4,
    async run(trial) {
      await guarded(trial, trial.route);
      const flow = await trial.flow();
      helpful(await trial.post(resolveFlow(flow.flowId, trial.profile.fields)), "resolve_flow");
      const exchange = await trial.post(resolveFlow(trial.route.sessionKey, trial.profile.fields));
      check(exchange.answer !== undefined, "an answer", "none", exchange);
      assertNoLeak(metadataOf(trial), exchange);
    },
  },
  {
    id: "LEAK-CHILD-KEY",
    title: "No view of a task, a flow or a summary holds the childSessionKey",
    clauses: ["TASK-VIEW", "NO-METADATA"],
    level: "must",
    requests: 20,
    reading: "It is session metadata: section 2 leaves that out of the views of flows and tasks.",
    async run(trial) {
      await guarded(trial, trial.route);
      const flow = await waitingFlow(trial);
      const started = await taskWithChildKey(trial, flow.flowId, { status: "running" });
      if (started === undefined) throw new NotApplicable(noChildKey);
      const views = [started.exchange];
      for (const action of ["get_flow", "get_task_summary", "list_flows", "resolve_flow", "cancel_flow"] as const) {
        views.push(await trial.post(smallest(action, flow, trial.profile.fields)));
      }
      assertNoLeak([{ name: "the child's session key", value: started.childKey }], ...views);
    },
  },
  {
    id: "LEAK-CHILD-KEY-REFUSED",
    title: "A refused run_task does not repeat the childSessionKey",
    clauses: ["TASK-VIEW", "NO-METADATA"],
    level: "must",
    requests: 6,
    async run(trial) {
      const { flowId } = await trial.flow();
      const childSessionKey = `child-canary-${randomUUID()}`;
      await taskForm(trial, flowId);
      const bodies = [
        runTask(absentId(flowId), { childSessionKey }),
        runTask(flowId, { childSessionKey, runtime: "other" }),
        runTask(flowId, { childSessionKey, progressSummary: "without running" }),
      ];
      for (const body of bodies) {
        assertNoLeak([{ name: "the child's session key", value: childSessionKey }], mustRefuse(await trial.post(body)));
      }
    },
  },
  {
    id: "LEAK-PENDING-CANCEL",
    title: "The 202 of a pending cancellation holds no session key and no owner metadata",
    ...leakCase,
    requests: 8,
    async run(trial) {
      const { flow, childKey } = await inhabited(trial);
      await startedTask(trial, flow.flowId, { status: "running" });
      const exchange = await trial.post(cancelFlow(flow.flowId, trial.profile.fields));
      helpful(exchange, "cancel_flow");
      const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
      if (!text.includes(flow.flowId)) throw new NotApplicable("the result of cancel_flow shows nothing of the flow");
      assertNoLeak(metadataOf(trial, ...(childKey === undefined ? [] : [childKey])), exchange);
    },
  },
  {
    id: "LEAK-LOG",
    title: "The target's log holds no secret and no session key",
    clauses: ["NO-METADATA"],
    level: "should",
    needs: ["logs"],
    requests: 14,
    reading: "The interface speaks of responses; a log travels further than they do.",
    async run(trial) {
      const { flow, childKey } = await inhabited(trial);
      await changed(trial, "resume_flow", flow);
      for (const provoke of [rejections["UNAUTHORIZED"], rejections["BAD-JSON"], rejections["NOT-FOUND"]]) {
        await provoke?.(trial, flow);
      }
      for (const send of Object.values(misplaced)) await send(trial);
      const routes = [trial.route, trial.sibling, trial.stranger, trial.special("cold")];
      const child = childKey === undefined ? [] : [childKey];
      await mustLogNothing(trial, [...secretsOfRoutes(...routes), ...metadataOf(trial, ...child)]);
    },
  },
];
