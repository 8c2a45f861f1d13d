/** Section 1: a route neither sees nor changes the TaskFlows of another session. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change, getTaskSummary, resolveFlow, runTask } from "../../interface/bodies.ts";
import { idOf } from "../../interface/values.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf, mustRefuse, setUp, twin } from "../../harness/checks.ts";
import {
  absentId,
  changeActions,
  changed,
  guarded,
  helpful,
  isListed,
  mustBeUnchanged,
  readBack,
  shows,
  waitingFlow,
} from "../../harness/flows.ts";
import { mustNotShow, readsByIdentity } from "../../harness/strangers.ts";
import { startedTask, taskCount, taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const foreignReads: readonly Case[] = readsByIdentity.map(({ action, body }) => ({
  id: `SESSION-FOREIGN-${idOf(action)}`,
  title: `${action} shows no flow of another session`,
  clauses: ["SESSION-BOUND"],
  requests: 12,
  async run(trial) {
    const goal = `goal of one session ${randomUUID()}`;
    // The stranger has a flow, too: a view that is empty for everybody would prove nothing.
    const [own, foreign] = [await trial.flow({}, trial.stranger), await trial.flow({ goal })];
    const shown = helpful(await trial.post(body(trial, foreign.flowId)), action);
    const holds = action === "list_flows" ? isListed : shows;
    if (flowsOf(shown).length === 0 && !holds(shown, foreign.flowId))
      throw new NotApplicable(`${action} shows its own session no flow`);
    const asked = await trial.post(body(trial, foreign.flowId), trial.stranger);
    mustNotShow(asked, foreign, goal);
    const back = await trial.post(body(trial, own.flowId));
    for (const [exchange, { flowId }] of [
      [asked, foreign],
      [back, own],
    ] as const) {
      check(!holds(exchange, flowId), "no flow of another session", "the flow", exchange);
    }
    if (action === "find_latest_flow") await mustBeOwn(trial, asked, own.flowId);
  },
}));

/** The latest of all flows may be one that another case has just made: what the stranger is shown it can read as well. */
async function mustBeOwn(trial: Trial, latest: Exchange, ownId: string): Promise<void> {
  const canRead = async (flowId: string) => (await readBack(trial, flowId, trial.stranger)) !== undefined;
  if (!(await canRead(ownId))) return;
  for (const { flowId } of flowsOf(latest))
    check(await canRead(flowId), "a flow of the route's own session", "one that it cannot read", latest);
}

const foreignChanges: readonly Case[] = changeActions.map((action) => ({
  id: `SESSION-FOREIGN-${idOf(action)}`,
  title: `${action} of a flow of another session is refused and changes nothing`,
  clauses: ["SESSION-BOUND"],
  requests: 8,
  async run(trial) {
    const flow = await waitingFlow(trial);
    const before = await readBack(trial, flow.flowId);
    const refused = mustRefuse(await trial.post(change(action, flow), trial.stranger));
    await mustBeUnchanged(trial, before, refused);
    twin(await trial.post(change(action, flow)));
  },
}));

const resultOf = (exchange: Exchange) => JSON.stringify(envelopeOf(exchange)?.result);

const told = (exchange: Exchange) => `${describe(exchange)}, flows: ${flowsOf(exchange).length}`;

/** Reads that name no flow. */
const views = ["list_flows", "find_latest_flow"] as const;

export const foreignSessionCases: readonly Case[] = [
  ...foreignReads,
  ...foreignChanges,
  {
    id: "SESSION-FOREIGN-CANCEL-FLOW",
    title: "cancel_flow of a flow of another session is refused and changes nothing",
    clauses: ["SESSION-BOUND"],
    requests: 8,
    async run(trial) {
      const flow = await trial.flow();
      const body = cancelFlow(flow.flowId, trial.profile.fields);
      const before = await readBack(trial, flow.flowId);
      const refused = await trial.post(body, trial.stranger);
      await mustBeUnchanged(trial, before, refused);
      const applied = await trial.post(change("set_waiting", flow));
      // The twin before the verdict: a target that wants another field refuses everybody.
      helpful(await trial.post(body), "cancel_flow");
      mustRefuse(refused);
      check(isAccepted(applied), "the revision from before still applies", describe(applied), refused, applied);
    },
  },
  {
    id: "SESSION-FOREIGN-RUN-TASK",
    title: "run_task in a flow of another session is refused and adds no task",
    clauses: ["SESSION-BOUND", "RUN-TASK-FLOW"],
    requests: 8,
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      const before = await taskCount(trial, flowId);
      const refused = mustRefuse(await trial.post(runTask(flowId, form), trial.stranger));
      if (before === undefined) return;
      check((await taskCount(trial, flowId)) === before, "no task added", "another number of tasks", refused);
    },
  },
  {
    id: "SESSION-FOREIGN-GET-TASK-SUMMARY",
    title: "get_task_summary tells nothing of a flow of another session",
    clauses: ["SESSION-BOUND"],
    requests: 8,
    reading: "The summary that the flow's own session gets differs from what a stranger gets for it.",
    async run(trial) {
      const { flowId } = await trial.flow();
      await startedTask(trial, flowId, { status: "running" });
      const ask = (id: string, route = trial.route) => trial.post(getTaskSummary(id, trial.profile.fields), route);
      const own = helpful(await ask(flowId), "get_task_summary");
      if (resultOf(own) === resultOf(await ask(absentId(flowId)))) {
        throw new NotApplicable("the summary of a flow with a task is that of no flow");
      }
      const foreign = await ask(flowId, trial.stranger);
      check(foreign.answer !== undefined, "an answer without the summary", describe(foreign), foreign);
      check(resultOf(foreign) !== resultOf(own), "nothing of the flow", "its summary", foreign);
    },
  },
  {
    id: "SESSION-FOREIGN-KEY-AS-TOKEN",
    title: "resolve_flow gives no flow for the session key of another session",
    clauses: ["SESSION-BOUND"],
    requests: 6,
    reading: "A token is opaque, but whatever it is, it opens no other session.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const flow = await trial.flow({ goal });
      const { fields } = trial.profile;
      helpful(await trial.post(resolveFlow(flow.flowId, fields)), "resolve_flow");
      mustNotShow(await trial.post(resolveFlow(trial.route.sessionKey, fields), trial.stranger), flow, goal);
    },
  },
  {
    id: "SESSION-KEY-NOT-CONFIRMED",
    title: "resolve_flow answers the key of its own session as it answers any other text",
    clauses: ["NO-METADATA"],
    level: "should",
    requests: 5,
    reading:
      "The key is in no answer, but an answer that only the right key gets confirms a guessed one. What else may be a " +
      "token is open.",
    async run(trial) {
      const { fields } = trial.profile;
      const { flowId } = await trial.flow();
      helpful(await trial.post(resolveFlow(flowId, fields)), "resolve_flow");
      const { sessionKey } = trial.route;
      const wrong = await trial.post(resolveFlow(`${sessionKey}-${randomUUID()}`, fields));
      const right = await trial.post(resolveFlow(sessionKey, fields));
      check(told(right) === told(wrong), `the answer to a wrong key (${told(wrong)})`, told(right), wrong, right);
    },
  },
  {
    id: "SESSION-EMPTY-READS",
    title: "Where a session has no flow, list_flows and find_latest_flow show none, in the envelope",
    clauses: ["SESSION-BOUND", "ENVELOPE-OK", "ENVELOPE-RESULT"],
    requests: 6,
    reading: "Whether that is a success without a flow or a refusal is open.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const flow = await trial.flow({ goal });
      const quiet = trial.special("quiet");
      await guarded(trial, quiet);
      for (const action of views) {
        const exchange = await trial.post({ action }, quiet);
        const { ok, result } = envelopeOf(exchange) ?? {};
        const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
        check(
          typeof ok === "boolean" && isObject,
          `the envelope as the answer to ${action}`,
          describe(exchange),
          exchange,
        );
        check(flowsOf(exchange).length === 0, `${action} without a flow`, "a flow", exchange);
        mustNotShow(exchange, flow, goal);
      }
    },
  },
  {
    id: "SESSION-FOREIGN-CONFLICT",
    title: "A change of another session's flow with a wrong revision shows nothing of that flow",
    clauses: ["SESSION-BOUND"],
    requests: 16,
    reading:
      "The session is checked before the revision: a conflict that shows the current flow would show it to anybody.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const stale = await trial.flow({ goal });
      const flow = await changed(trial, "set_waiting", stale);
      const ahead = { ...flow, revision: flow.revision + 1 };
      for (const action of changeActions) {
        for (const wrong of [stale, ahead]) {
          mustNotShow(mustRefuse(await trial.post(change(action, wrong), trial.stranger)), flow, goal);
        }
      }
      setUp(await trial.post(change("finish_flow", flow)), "finish_flow of its own flow");
    },
  },
];
