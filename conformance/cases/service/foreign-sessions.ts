/** Section 1: a route neither sees nor changes the TaskFlows of another session, and learns nothing of them. */
import { randomUUID } from "node:crypto";
import { change, resolveFlow, smallest, type FlowAt } from "../../interface/bodies.ts";
import { describe, type Exchange } from "../../http/exchange.ts";
import { flowReads } from "../../oracle/flow-factors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowsOf } from "../../harness/checks.ts";
import { envelopeFault } from "../../harness/envelope.ts";
import { absentId, mustBeGuarded, mustHelp, mustNotShow, sendChange, waitingFlow } from "../../harness/flows.ts";
import type { ActionName } from "../../interface/fields.ts";
import { changeActions } from "../../interface/flow-model.ts";
import type { ActionBody } from "../../interface/request.ts";
import type { Trial } from "../../harness/trial.ts";
import { rowCase } from "../../oracle/row-case.ts";
import { perInstance } from "../../targets/per-instance.ts";

const told = (exchange: Exchange) => `${describe(exchange)}, flows: ${flowsOf(exchange).length}`;

/** Reads that name no flow. */
const views = ["list_flows", "find_latest_flow"] as const;

const revisions = {
  "the right revision": (action: ActionName, flow: FlowAt, { profile }: Trial) =>
    smallest(action, flow, profile.fields),
  "a stale revision": (action: ActionName, flow: FlowAt) => change(action, { ...flow, revision: flow.revision - 1 }),
  "a revision ahead": (action: ActionName, flow: FlowAt) => change(action, { ...flow, revision: flow.revision + 1 }),
  "no revision": (action: ActionName, { flowId }: FlowAt): ActionBody => ({ action, flowId }),
} as const;

const states = {
  waiting: waitingFlow,
  finished: async (trial: Trial) => sendChange(trial, "finish_flow", await trial.flow()),
} as const;

/** By route and state: nothing that a stranger asks changes one, so that it does for all rows. */
const flowsAsked = perInstance(() => new Map<string, FlowAt>());

export const foreignSessionCases: readonly Case[] = [
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
      mustHelp(await trial.post(resolveFlow(flowId, fields)), "resolve_flow");
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
      await mustBeGuarded(trial, quiet);
      for (const action of views) {
        const exchange = await trial.post({ action }, quiet);
        const fault = envelopeFault(exchange, quiet.id);
        check(fault === undefined, `the envelope as the answer to ${action}`, fault?.actual ?? "", exchange);
        check(flowsOf(exchange).length === 0, `${action} without a flow`, "a flow", exchange);
        mustNotShow(exchange, flow, goal);
      }
    },
  },
  rowCase({
    id: "SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION",
    title: "A flow of another session is answered like one that does not exist, whatever the revision and its state",
    clauses: ["SESSION-BOUND"],
    requests: 118,
    reading:
      "A route sees the flows of its own session only (section 1): another status or code would tell a stranger which ids " +
      "exist, and how far the flows have come.",
    table: {
      factors: {
        action: [...flowReads, ...changeActions, "cancel_flow", "run_task"],
        state: Object.keys(states) as [keyof typeof states],
        revision: Object.keys(revisions) as [keyof typeof revisions],
      },
      // Of the others none has to be sent with a revision, and a wrong one is met in one state.
      allows: ({ action, state, revision = "the right revision" }) =>
        revision === "the right revision" ||
        (changeActions.some((name) => name === (action ?? name)) && (state ?? "waiting") === "waiting"),
    },
    async play(trial, { action, state, revision }) {
      const known = flowsAsked(trial.instance);
      const key = `${trial.route.id} ${state}`;
      const flow = known.get(key) ?? (await states[state](trial));
      known.set(key, flow);
      const none = { flowId: absentId(flow.flowId), revision: flow.revision };
      const asked = (at: FlowAt) => trial.post(revisions[revision](action, at, trial), trial.stranger);
      const [foreign, absent] = [await asked(flow), await asked(none)];
      const expected = `the answer to ${action} with ${revision} of no flow (${describe(absent)})`;
      check(
        describe(foreign) === describe(absent),
        expected,
        `${describe(foreign)} for one that is ${state}`,
        foreign,
        absent,
      );
    },
  }),
];
