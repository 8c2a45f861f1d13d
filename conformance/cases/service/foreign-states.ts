/** Section 1: no flow of another session is seen or changed, in whatever state it is and however it is named. */
import { change, smallest, type FlowAt } from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import type { ActionBody } from "../../interface/request.ts";
import { describe, sayingOf, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check } from "../../harness/checks.ts";
import { absentId, changeActions, sendChange, waitingFlow } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

const reads: readonly ActionName[] = ["get_flow", "resolve_flow", "get_task_summary"];
const others: readonly ActionName[] = ["cancel_flow", "run_task"];
/** The actions that name a flow. */
const naming: readonly ActionName[] = [...reads, ...changeActions, ...others];

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

const states = [
  { what: "waiting", reach: waitingFlow, revisions: revisions.length },
  {
    what: "finished",
    reach: async (trial: Trial) => sendChange(trial, "finish_flow", await trial.flow()),
    revisions: 2,
  },
];

export const foreignStateCases: readonly Case[] = [
  {
    id: "SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION",
    title: "A flow of another session is answered like one that does not exist, whatever the revision and its state",
    clauses: ["SESSION-BOUND"],
    level: "should",
    requests: 80,
    reading: "Any difference would tell a stranger which ids exist, and how far the flows have come.",
    async run(trial) {
      const columns = states.flatMap(({ what, revisions: count }) =>
        revisions.slice(0, count).map(([revision]) => `${what}, ${revision}`),
      );
      const visit = everyCell(trial, naming, columns);
      const absent = new Map<string, { exchange: Exchange; at: FlowAt }>();
      for (const state of states) {
        const flow = await state.reach(trial);
        const none = { flowId: absentId(flow.flowId), revision: flow.revision };
        for (const action of naming) {
          const isChange = (changeActions as readonly ActionName[]).includes(action);
          for (const [revision, body] of revisions.slice(0, isChange ? state.revisions : 1)) {
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
];
