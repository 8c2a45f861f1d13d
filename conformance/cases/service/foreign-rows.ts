/** Section 1: a route neither sees nor changes the TaskFlows of another session, by any action, in whatever state they are, and learns nothing of them. */
import { randomUUID } from "node:crypto";
import { change, resolveFlow, smallest, type FlowAt } from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import { changeActions, flowActions } from "../../interface/flow-model.ts";
import type { ActionBody } from "../../interface/request.ts";
import { describe, envelopeOf, type Exchange } from "../../http/exchange.ts";
import { perServer } from "../../targets/per-server.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf } from "../../harness/checks.ts";
import { absentId, mustHelp, sendChange, waitingFlow } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";
import { flowReads, revisions } from "../../oracle/flow-factors.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { withFlowClauses } from "../../oracle/judge.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { bring, createNamed, namedFlow, learnRuntime } from "../../oracle/play/flow-set-up.ts";
import { rowCase } from "../../oracle/row-case.ts";
import { findRule } from "../../oracle/reads.ts";
import { unless, type Row, type Table } from "../../oracle/rows.ts";
import type { Reference } from "../../story/story.ts";

interface Part {
  readonly title: string;
  readonly actions: readonly [ActionName, ...ActionName[]];
  readonly states: readonly [string, ...string[]];
  /** What is done with the flow afterwards. */
  readonly afterwards: readonly ["read", ...string[]];
}

const parts: Readonly<Record<string, Part>> = {
  READS: {
    title: "No read shows a flow of another session",
    actions: ["get_flow", "resolve_flow", "get_task_summary", "list_flows", "find_latest_flow"],
    states: ["new", "waiting", "finished", "cancel-requested"],
    afterwards: ["read"],
  },
  CHANGES: {
    title: "No change reaches a flow of another session",
    actions: changeActions,
    states: ["waiting", "new", "blocked", "finished", "cancel-requested"],
    afterwards: ["read", "changed"],
  },
  TASKS: {
    title: "cancel_flow and run_task do not reach a flow of another session",
    actions: ["cancel_flow", "run_task"],
    states: ["new", "waiting", "blocked", "finished", "cancel-requested", "cancelled", "cancel-pending"],
    afterwards: ["read", "changed"],
  },
};

const isChange = (action: unknown): boolean => (changeActions as readonly unknown[]).includes(action);

const tableFor = ({ actions, states, afterwards }: Part) =>
  ({
    factors: {
      action: actions,
      state: states,
      child: ["none", "running"],
      revision: actions.some(isChange) ? ["current", "one back", "one ahead", "none"] : ["current"],
      // Only reads that name no flow could mistake one for the other.
      "its own flow": afterwards.length === 1 ? ["none", "one", "one that ended"] : ["none"],
      // What the session has just read may be kept for whoever asks next.
      "read before": afterwards.length === 1 ? ["no", "by its session"] : ["no"],
      afterwards,
      runtime: actions.includes("run_task") ? ["subagent", "acp"] : ["subagent"],
      // What a child belongs to is no authority over its flow.
      childSessionKey: actions.includes("run_task") ? ["none", "the flow's session"] : ["none"],
    },
    allows: unless<Row>(
      // No other action would send them.
      ({ action = "run_task", runtime = "subagent", childSessionKey = "none" }) =>
        action !== "run_task" && (runtime !== "subagent" || childSessionKey !== "none"),
      ({ revision, state }) => revision === "one back" && state === "new",
      ({ state, child }) => state === "cancelled" && child === "running",
      // A cancellation waits for active children, and for nothing else.
      ({ state, child }) => state === "cancel-pending" && child === "none",
      // Other reads have a cache of the session, whatever the flow's state.
      ({ "read before": before, state = "waiting", action = "get_flow" }) =>
        before === "by its session" && state !== "waiting" && !["get_flow", "resolve_flow"].includes(action),
    ),
    // An answer may be kept for some states only.
    triples: [["action", "state", "read before"]] as const,
  }) satisfies Table;

/** Keys of another session that a child may name, and the child of that session which has it. */
const keys = {
  "the session's": { children: "running", key: { $sessionKey: "route" } },
  "a child's": { children: "with a key", key: { $sessionKey: "route", as: "child" } },
} as const;

type Foreign = Row<ReturnType<typeof tableFor>["factors"]>;

/** Whether a summary counts tasks, and whether a read finds a flow, by what the session's own route is shown. */
async function learn(one: Play, { action, state, child }: Pick<Foreign, "action" | "state" | "child">): Promise<void> {
  if (action === "get_task_summary") {
    // What is kept of one flow may not be shown of another: only alone nothing changes in between.
    if (state === "waiting" && child !== "none") {
      await createNamed(one, "f9");
      await one.send(readOf(one.world, action, "f9"));
    }
    await one.send(readOf(one.world, action, "f1"));
  }
  if (action !== "get_flow" && action !== "resolve_flow") return;
  if (one.world.learned.get(findRule(action)) !== undefined) return;
  // A flow that no stranger has asked for.
  await createNamed(one, "f9");
  await one.send(readOf(one.world, action, "f9"));
}

/** What a stranger was told is not there, is there for its own session. */
async function readAgain(one: Play, action: ActionName): Promise<void> {
  if (action === "get_flow" || action === "resolve_flow") await one.send(readOf(one.world, action, "f1"));
}

async function playForeign(one: Play, row: Foreign): Promise<void> {
  const { world } = one;
  const { action } = row;
  const own = row["its own flow"];
  await bring(one, "f1", { state: row.state, children: row.child, goal: `goal of one session ${randomUUID()}` });
  await learn(one, row);
  if (own !== "none") await createNamed(one, "f2", "stranger");
  if (own === "one that ended") await one.send(sendOf(world, "finish_flow", "f2", { route: "stranger" }));
  const { sent } = revisions[row.revision as keyof typeof revisions];
  const revision = sent && ({ $revision: "f1", ...sent } as Reference);
  if (action === "run_task") await learnRuntime(one, row.runtime);
  const acting = flowActions.find((known) => known === action);
  if (acting === undefined && row["read before"] !== "no") await one.send(readOf(world, action, "f1"));
  await one.send(
    acting === undefined
      ? readOf(world, action, "f1", "stranger")
      : sendOf(world, acting, "f1", {
          route: "stranger",
          ...(isChange(acting) && { revision }),
          ...(acting === "run_task" && {
            more: {
              runtime: row.runtime,
              ...(row.childSessionKey !== "none" && { childSessionKey: keys["the session's"].key }),
            },
          }),
        }),
  );
  if (acting === undefined) return readAgain(one, action);
  if (row.afterwards === "changed") await one.send(sendOf(world, "set_waiting", "f1"));
  else await one.send(readOf(world, namedFlow(one, "f1").state.tasks > 0 ? "get_task_summary" : "get_flow", "f1"));
}

const namedKeys = flowRows({
  id: "SESSION-FOREIGN-KEYS-NAMED",
  title: "A child task that names another session's key gives no access to that session",
  clauses: withFlowClauses("SESSION-BOUND"),
  requests: 80,
  reading:
    "Whether run_task takes such a childSessionKey is open. Whatever becomes of the stranger's own flow and child, the " +
    "other session's flow, revision and children are as before.",
  table: {
    factors: {
      key: Object.keys(keys) as [keyof typeof keys],
      ending: ["cancel_flow", "finish_flow"],
    },
  },
  async play(one, { key: name, ending }) {
    const { world } = one;
    const { children, key } = keys[name];
    await bring(one, "f1", { state: "new", children });
    await createNamed(one, "f2", "stranger");
    const more = { status: "running", childSessionKey: key };
    await one.send(sendOf(world, "run_task", "f2", { more, route: "stranger" }));
    await one.send(sendOf(world, ending, "f2", { route: "stranger" }));
    for (const action of ["get_flow", "get_task_summary"] as const) await one.send(readOf(world, action, "f1"));
    await one.send(sendOf(world, "cancel_flow", "f1"));
  },
});

/** The message of a refusal without ids, numbers and the like, which may differ from answer to answer. */
const wordsOf = (exchange: Exchange): string => String(envelopeOf(exchange)?.error).replaceAll(/\S*\d\S*/g, "#");

const told = (exchange: Exchange) => `${describe(exchange)}, flows: ${flowsOf(exchange).length}`;

const sentAs = {
  "the right revision": (action: ActionName, flow: FlowAt, { profile }: Trial) =>
    smallest(action, flow, profile.fields),
  "a stale revision": (action: ActionName, flow: FlowAt) => change(action, { ...flow, revision: flow.revision - 1 }),
  "a revision ahead": (action: ActionName, flow: FlowAt) => change(action, { ...flow, revision: flow.revision + 1 }),
  "no revision": (action: ActionName, { flowId }: FlowAt): ActionBody => ({ action, flowId }),
} as const;

const statesAsked = {
  waiting: waitingFlow,
  finished: async (trial: Trial) => sendChange(trial, "finish_flow", await trial.flow()),
} as const;

/** By route and state: nothing that a stranger asks changes one, so that it does for all rows. */
const flowsAsked = perServer(() => new Map<string, FlowAt>());

export const foreignRows: readonly Case[] = [
  ...Object.entries(parts).map(([id, part]) =>
    flowRows({
      id: `SESSION-FOREIGN-${id}`,
      title: part.title,
      clauses: withFlowClauses("SESSION-BOUND", "ERROR-NOT-FOUND"),
      // What is kept for a moment may be forgotten at any change, by whomever: no other case changes anything meanwhile.
      ...(id === "READS" && { alone: true }),
      requests: 118,
      reading:
        "Whether it is refused as a flow that does not exist or otherwise is open; nothing of the flow is shown, and it stays as it is.",
      table: tableFor(part),
      play: playForeign,
    }),
  ),
  namedKeys,
  {
    id: "SESSION-KEY-NOT-CONFIRMED",
    title: "resolve_flow answers its own session's key like any unknown token",
    clauses: ["NO-METADATA"],
    level: "should",
    requests: 5,
    reading:
      "The key is in no answer, but an answer that only the right key gets confirms a guessed one. What else may be a " +
      "token is open.",
    async run(trial) {
      const { fields } = trial.profile;
      const { flowId } = await trial.flow();
      mustHelp(await trial.post(resolveFlow(flowId, fields)), "resolve_flow");
      const { sessionKey } = trial.route;
      const wrong = await trial.post(resolveFlow(`${sessionKey}-${randomUUID()}`, fields));
      const right = await trial.post(resolveFlow(sessionKey, fields));
      check(told(right) === told(wrong), `the answer to a wrong key (${told(wrong)})`, told(right), wrong, right);
    },
  },
  rowCase({
    id: "SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION",
    title: "A flow of another session is answered like one that does not exist",
    clauses: ["SESSION-BOUND"],
    requests: 118,
    reading:
      "A route sees the flows of its own session only (section 1): another status or code would tell a stranger which ids " +
      "exist, and how far the flows have come; so would another message.",
    table: {
      factors: {
        action: [...flowReads, ...changeActions, "cancel_flow", "run_task"],
        state: Object.keys(statesAsked) as [keyof typeof statesAsked],
        revision: Object.keys(sentAs) as [keyof typeof sentAs],
      },
      // Of the others none has to be sent with a revision, and a wrong one is met in one state.
      allows: ({ action, state, revision = "the right revision" }) =>
        revision === "the right revision" ||
        (changeActions.some((name) => name === (action ?? name)) && (state ?? "waiting") === "waiting"),
    },
    async play(trial, { action, state, revision }) {
      const known = flowsAsked(trial.server);
      const key = `${trial.route.id} ${state}`;
      const flow = known.get(key) ?? (await statesAsked[state](trial));
      known.set(key, flow);
      const asked = (flowId = absentId(flow.flowId)) =>
        trial.post(sentAs[revision](action, { ...flow, flowId }, trial), trial.stranger);
      const [foreign, absent] = [await asked(flow.flowId), await asked()];
      const [own, none] = [describe(foreign), describe(absent)];
      const expected = `the answer to ${action} with ${revision} of no flow (${none})`;
      check(own === none, expected, `${own} for one that is ${state}`, foreign, absent);
      if (wordsOf(foreign) === wordsOf(absent)) return;
      // A message may be another one each time.
      const isSteady = wordsOf(await asked()) === wordsOf(absent);
      check(!isSteady, `${expected} and its message`, `another message for one that is ${state}`, foreign, absent);
    },
  }),
];
