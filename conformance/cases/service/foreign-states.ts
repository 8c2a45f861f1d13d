/** Section 1: no flow of another session is seen or changed, in whatever state it is and however it is named. */
import {
  cancelFlow,
  change,
  createFlow,
  getTaskSummary,
  runTask,
  smallest,
  type FlowAt,
} from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import type { ActionBody } from "../../interface/request.ts";
import { describe, envelopeOf, isAccepted, sayingOf, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check, flowOf, twin } from "../../harness/checks.ts";
import { absentId, changeActions, readBack, shows } from "../../harness/flows.ts";
import { foreignStates, mustStayAsItIs, reached } from "../../harness/foreign-flows.ts";
import { startedTask, taskWithChildKey } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const reads: readonly ActionName[] = ["get_flow", "resolve_flow", "get_task_summary"];
const others: readonly ActionName[] = ["cancel_flow", "run_task"];
/** The actions that name a flow. */
const naming: readonly ActionName[] = [...reads, ...changeActions, ...others];

const isRefused = (exchange: Exchange): boolean => exchange.answer !== undefined && !isAccepted(exchange);
const resultOf = (exchange: Exchange) => JSON.stringify(envelopeOf(exchange)?.result);

/** An answer without the id that was asked for. */
function anonymous(exchange: Exchange, { flowId }: FlowAt): string {
  const { answer } = exchange;
  return answer === undefined ? "no answer" : `${answer.status} ${sayingOf(exchange).replaceAll(flowId, "ID")}`;
}

type Revision = readonly [what: string, body: (action: ActionName, flow: FlowAt, trial: Trial) => ActionBody];

const revisions: readonly Revision[] = [
  ["the right revision", (action, flow, { profile }) => smallest(action, flow, profile.fields)],
  ["a stale revision", (action, flow) => change(action, { ...flow, revision: flow.revision - 1 })],
  ["a revision ahead", (action, flow) => change(action, { ...flow, revision: flow.revision + 1 })],
  ["no revision", (action, { flowId }) => ({ action, flowId })],
];

/** What a stranger does with a flow of its own that has a child. */
const endings: readonly ActionName[] = ["cancel_flow", "request_cancel", "finish_flow", "fail_flow"];

export const foreignStateCases: readonly Case[] = [
  {
    id: "SESSION-FOREIGN-EVERY-STATE",
    title: "A flow of another session is neither shown nor changed by any action, in whatever state it is",
    clauses: ["SESSION-BOUND"],
    requests: foreignStates.length * naming.length + 35,
    reading:
      "Each action is sent with the right revision. What its own session sees of the flow is the same before and " +
      "after; where a flow in that state changes by itself, that cannot be told.",
    async run(trial) {
      twin(await trial.post(createFlow(), trial.stranger));
      const visit = everyCell(
        trial,
        naming,
        foreignStates.map(({ what }) => what),
      );
      for (const state of foreignStates) {
        let own: Exchange | undefined;
        let tells = false;
        const make = async () => {
          const flow = await reached(trial, state);
          if (flow === undefined) return undefined;
          const summaryOf = (flowId: string) => trial.post(getTaskSummary(flowId, trial.profile.fields), trial.sibling);
          own = await summaryOf(flow.flowId);
          // A target that does not take the profile's field, or whose summary is that of no flow, shows nothing by it.
          tells = isAccepted(own) && resultOf(own) !== resultOf(await summaryOf(absentId(flow.flowId)));
          return flow;
        };
        await mustStayAsItIs(trial, make, `a flow of another session, ${state.what},`, async (flow) => {
          const exchanges: Exchange[] = [];
          for (const action of naming) {
            const exchange = await trial.post(smallest(action, flow, trial.profile.fields), trial.stranger);
            exchanges.push(exchange);
            const expected = `nothing of a flow of another session, ${state.what}, by ${action}`;
            check(exchange.answer !== undefined, expected, describe(exchange), exchange);
            check(!shows(exchange, flow.flowId), expected, "the flow", exchange);
            const isRead = reads.includes(action);
            check(
              isRead || isRefused(exchange),
              `${action} of it refused, ${state.what}`,
              describe(exchange),
              exchange,
            );
            const isSummary = tells && action === "get_task_summary";
            const shown = isSummary && own !== undefined && resultOf(exchange) === resultOf(own);
            check(!shown, expected, "its summary", exchange);
            visit(action, state.what);
          }
          return exchanges;
        });
      }
    },
  },
  {
    id: "SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION",
    title: "A flow of another session is answered like one that does not exist, whatever the revision and its state",
    clauses: ["SESSION-BOUND"],
    level: "should",
    requests: 118,
    reading: "Any difference would tell a stranger which ids exist, and how far the flows have come.",
    async run(trial) {
      const states = foreignStates.filter(({ what }) => ["waiting", "finished", "with an active child"].includes(what));
      const columns = states.flatMap(({ what }) => revisions.map(([revision]) => `${what}, ${revision}`));
      const visit = everyCell(trial, naming, columns);
      const absent = new Map<string, { exchange: Exchange; at: FlowAt }>();
      for (const state of states) {
        const flow = await reached(trial, state);
        if (flow === undefined) continue;
        const none = { flowId: absentId(flow.flowId), revision: flow.revision };
        for (const action of naming) {
          const isChange = (changeActions as readonly ActionName[]).includes(action);
          for (const [revision, body] of isChange ? revisions : revisions.slice(0, 1)) {
            const foreign = await trial.post(body(action, flow, trial), trial.stranger);
            const key = `${action} ${revision}`;
            const known = absent.get(key) ?? {
              exchange: await trial.post(body(action, none, trial), trial.stranger),
              at: none,
            };
            absent.set(key, known);
            const alike = anonymous(foreign, flow) === anonymous(known.exchange, known.at);
            const expected = `the answer to ${action} with ${revision} of no flow (${describe(known.exchange)})`;
            const actual = `${describe(foreign)}, or another text, for one that is ${state.what}`;
            check(alike, expected, actual, foreign, known.exchange);
            visit(action, `${state.what}, ${revision}`);
          }
        }
      }
    },
  },
  {
    id: "SESSION-FOREIGN-KEYS-NAMED",
    title: "A child that names another session's keys gives no hold on that session's flows and children",
    clauses: ["SESSION-BOUND"],
    requests: 70,
    reading:
      "Whether run_task takes such a childSessionKey is open. Whatever becomes of the stranger's own flow and child, the " +
      "other session's flow, revision and task summary are as before.",
    async run(trial) {
      let childKey: string | undefined;
      const make = async () => {
        const flow = await trial.flow();
        childKey = (await taskWithChildKey(trial, flow.flowId, { status: "running" }))?.childKey;
        if (childKey === undefined) await startedTask(trial, flow.flowId, { status: "running" });
        if ((await readBack(trial, flow.flowId)) === undefined) throw new NotApplicable("get_flow is not understood");
        return flow;
      };
      const keys: readonly (readonly [what: string, keyOf: (flow: FlowAt) => string])[] = [
        ["the session's key", () => trial.route.sessionKey],
        ["the child's key", () => childKey ?? trial.route.sessionKey],
        ["the flow's id", ({ flowId }) => flowId],
      ];
      const visit = everyCell(
        trial,
        keys.map(([what]) => what),
        endings,
      );
      for (const [what, keyOf] of keys) {
        const expected = `a flow of a session of which a stranger named a key (${what})`;
        const judged = await mustStayAsItIs(trial, make, expected, async (flow) => {
          const childSessionKey = keyOf(flow);
          const exchanges: Exchange[] = [];
          for (const ending of endings) {
            const own = flowOf(twin(await trial.post(createFlow(), trial.stranger)));
            const task = await trial.post(runTask(own.flowId, { status: "running", childSessionKey }), trial.stranger);
            const now = (await readBack(trial, own.flowId, trial.stranger)) ?? own;
            const body = ending === "cancel_flow" ? cancelFlow(own.flowId, trial.profile.fields) : change(ending, now);
            exchanges.push(task, await trial.post(body, trial.stranger));
          }
          return exchanges;
        });
        for (const ending of endings) if (judged) visit(what, ending);
      }
    },
  },
];
