/** Section 1: a route sees and changes the TaskFlows of its own session, all of them and no others. */
import { randomUUID } from "node:crypto";
import {
  cancelFlow,
  change,
  getFlow,
  getTaskSummary,
  resolveFlow,
  runTask,
  smallest,
  type FlowAt,
} from "../../../fixtures/bodies.ts";
import type { ActionName } from "../../../fixtures/fields.ts";
import type { ActionBody } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf, mustAccept, mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { describe, envelopeOf, isAccepted, sayingOf, textOf, type Exchange } from "../../http/exchange.ts";
import type { Trial } from "../../harness/trial.ts";
import {
  absentId,
  changeActions,
  checkSame,
  guarded,
  helpful,
  idOf,
  isListed,
  mustReadFields,
  readBack,
  shownIn,
  twoFlows,
  understood,
  waitingFlow,
} from "../../harness/flows.ts";
import { startedTask, taskCount, taskForm } from "../../harness/tasks.ts";

const isShown = (exchange: Exchange, flowId: string): boolean => shownIn(exchange, flowId) !== undefined;

/** Fails where an answer to a stranger shows the flow or its goal. */
export function mustNotShow(exchange: Exchange, flow: FlowAt, goal: string): void {
  check(exchange.answer !== undefined, "an answer without the flow", describe(exchange), exchange);
  check(!isShown(exchange, flow.flowId), "no flow of another session", "the flow", exchange);
  const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
  check(!text.includes(goal), "nothing of a flow of another session", "its goal", exchange);
}

interface Read {
  readonly action: ActionName;
  body(trial: Trial, flowId: string): ActionBody;
}

export const readsByIdentity: readonly Read[] = [
  { action: "get_flow", body: (trial, flowId) => getFlow(flowId, trial.profile.fields) },
  { action: "resolve_flow", body: (trial, flowId) => resolveFlow(flowId, trial.profile.fields) },
  { action: "list_flows", body: () => ({ action: "list_flows" }) },
  { action: "find_latest_flow", body: () => ({ action: "find_latest_flow" }) },
];

const foreignReads: readonly Case[] = readsByIdentity.map(({ action, body }) => ({
  id: `SESSION-FOREIGN-${idOf(action)}`,
  title: `${action} shows no flow of another session`,
  clauses: ["SESSION-BOUND"],
  level: "must",
  requests: 12,
  async run(trial) {
    const goal = `goal of one session ${randomUUID()}`;
    // The stranger has a flow, too: a view that is empty for everybody would prove nothing.
    const [own, foreign] = [await trial.flow({}, trial.stranger), await trial.flow({ goal })];
    const shown = helpful(await trial.post(body(trial, foreign.flowId)), action);
    const holds = action === "list_flows" ? isListed : isShown;
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
  level: "must",
  requests: 8,
  async run(trial) {
    const flow = await waitingFlow(trial);
    const before = await readBack(trial, flow.flowId);
    const refused = mustRefuse(await trial.post(change(action, flow), trial.stranger));
    checkSame(before, before && (await readBack(trial, flow.flowId)), refused);
    twin(await trial.post(change(action, flow)));
  },
}));

const resultOf = (exchange: Exchange) => JSON.stringify(envelopeOf(exchange)?.result);

/** Each action that names a flow, as a stranger asks it about a flow and about none. */
const namingActions: readonly ActionName[] = [
  ...changeActions,
  "get_flow",
  "resolve_flow",
  "get_task_summary",
  "cancel_flow",
  "run_task",
];

/** An answer without the ids that were asked for. */
function anonymous(exchange: Exchange, flowId: string): string {
  const { answer } = exchange;
  return answer === undefined ? "no answer" : `${answer.status} ${sayingOf(exchange).replaceAll(flowId, "ID")}`;
}

export const sessionCases: readonly Case[] = [
  ...foreignReads,
  ...foreignChanges,
  {
    id: "SESSION-FOREIGN-CANCEL-FLOW",
    title: "cancel_flow of a flow of another session is refused and changes nothing",
    clauses: ["SESSION-BOUND"],
    level: "must",
    requests: 8,
    async run(trial) {
      const flow = await trial.flow();
      const body = cancelFlow(flow.flowId, trial.profile.fields);
      const before = await readBack(trial, flow.flowId);
      const refused = await trial.post(body, trial.stranger);
      checkSame(before, before && (await readBack(trial, flow.flowId)), refused);
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
    level: "must",
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
    level: "must",
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
    level: "must",
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
    id: "SESSION-FOREIGN-LIKE-ABSENT",
    title: "A flow of another session is answered like one that does not exist",
    clauses: ["SESSION-BOUND"],
    level: "should",
    requests: 30,
    reading:
      "Any difference would tell a stranger which ids exist. Status and body are compared, but for the id itself.",
    async run(trial) {
      const flow = await waitingFlow(trial);
      const absent = { ...flow, flowId: absentId(flow.flowId) };
      for (const action of namingActions) {
        const ask = (at: FlowView) => trial.post(smallest(action, at, trial.profile.fields), trial.stranger);
        const [foreign, none] = [await ask(flow), await ask(absent)];
        const alike = anonymous(foreign, flow.flowId) === anonymous(none, absent.flowId);
        const expected = `the answer to ${action} of a flow that does not exist (${describe(none)})`;
        check(alike, expected, `${describe(foreign)}, or another text`, foreign, none);
      }
    },
  },
  {
    id: "SESSION-SIBLING-READS",
    title: "Another route of the same session shows its flows",
    clauses: ["SESSION-WHOLE"],
    level: "must",
    requests: 6,
    async run(trial) {
      const flow = await trial.flow();
      const body = getFlow(flow.flowId, trial.profile.fields);
      const exchange = understood(await trial.post(body, trial.sibling), "get_flow");
      const shown = isShown(exchange, flow.flowId);
      if (!shown) await mustReadFields(trial, body, exchange);
      check(shown, "the flow", "no flow", exchange);
      await guarded(trial, trial.sibling);
    },
  },
  {
    id: "SESSION-SIBLING-LISTS",
    title: "list_flows shows the flows of the session, whichever route made them",
    clauses: ["SESSION-WHOLE", "ACTION-LIST-FLOWS"],
    level: "must",
    requests: 2,
    reading: "Also where they have another controllerId. A target may give a part of a long list.",
    async run(trial) {
      const flows = await twoFlows(trial, trial.sibling);
      for (const route of [trial.route, trial.sibling]) {
        const list = understood(await trial.post({ action: "list_flows" }, route), "list_flows");
        for (const { flowId } of flows) check(isListed(list, flowId), "both flows", "one less", list);
      }
    },
  },
  {
    id: "SESSION-SIBLING-CHANGES",
    title: "Another route of the same session may change its flows",
    clauses: ["SESSION-WHOLE"],
    level: "must",
    requests: 20,
    async run(trial) {
      for (const action of changeActions) {
        const flow = await waitingFlow(trial);
        mustAccept(await trial.post(change(action, flow), trial.sibling), `${action} accepted`);
      }
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      mustAccept(await trial.post(runTask(flowId, form), trial.sibling), "run_task accepted");
      const { fields } = trial.profile;
      understood(await trial.post(cancelFlow((await trial.flow()).flowId, fields), trial.sibling), "cancel_flow");
      await guarded(trial, trial.sibling);
    },
  },
  {
    id: "SESSION-SEEDED",
    title: "A flow that came into the session otherwise is changed there, and neither seen nor changed elsewhere",
    clauses: ["SESSION-WHOLE", "SESSION-BOUND"],
    level: "must",
    needs: ["sessions"],
    requests: 8,
    reading: "Within its session a route may inspect and mutate any managed TaskFlow, whoever made it.",
    async run(trial) {
      const goal = `goal of one session ${randomUUID()}`;
      const seeded = await trial.control.seed({ sessionKey: trial.route.sessionKey, managed: true, goal });
      const { flowId, revision } = seeded;
      mustNotShow(await trial.post(getFlow(flowId, trial.profile.fields), trial.stranger), seeded, goal);
      mustRefuse(await trial.post(change("set_waiting", { flowId, revision }), trial.stranger));
      mustAccept(await trial.post(change("set_waiting", { flowId, revision })), "a change in its session accepted");
    },
  },
];
