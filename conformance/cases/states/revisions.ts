/** Section 3: optimistic concurrency. A change with a revision that is no longer current changes nothing. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change } from "../../interface/bodies.ts";
import { idOf } from "../../interface/values.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { fromBothRoutes, lastBytesAtOnce } from "../../harness/at-once.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import {
  changeActions,
  changed,
  mustBeUnchanged,
  mustRefuseChange,
  readBack,
  shownIn,
  twoFlows,
  waitingFlow,
  type ChangeAction,
} from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

const conflict = { status: 409, code: "revision_conflict" } as const;

/** A flow that waits, and a revision that it once had. */
async function movedOn(trial: Trial): Promise<{ flow: FlowView; stale: FlowView }> {
  const stale = await trial.flow();
  return { flow: await changed(trial, "set_waiting", stale), stale };
}

const staleCases: readonly Case[] = changeActions.map((action) => ({
  id: `REVISION-STALE-${idOf(action)}`,
  title: `${action} with a stale revision gets 409 revision_conflict and changes nothing`,
  clauses: ["REVISION-STALE", "REVISION-UNCHANGED"],
  requests: 8,
  async run(trial) {
    const { flow, stale } = await movedOn(trial);
    await mustRefuseChange(trial, flow, change(action, flow), change(action, stale), conflict);
  },
}));

const endings: readonly ChangeAction[] = ["finish_flow", "fail_flow"];

const endedCases: readonly Case[] = endings.map((ending) => ({
  id: `REVISION-STALE-AFTER-${idOf(ending)}`,
  title: `A stale revision gets 409 revision_conflict also after ${ending}`,
  clauses: ["REVISION-STALE", "REVISION-UNCHANGED"],
  requests: 16,
  reading:
    "The rule on stale revisions names no exception, so it also comes first for an ended flow: " +
    "a caller with an old view gets revision_conflict before any other code.",
  async run(trial) {
    const { flow, stale } = await movedOn(trial);
    const ended = await changed(trial, ending, flow);
    const before = await readBack(trial, ended.flowId);
    for (const action of changeActions) {
      for (const old of [stale, flow]) mustRefuse(await trial.post(change(action, old)), conflict);
    }
    await mustBeUnchanged(trial, before);
  },
}));

/** Requests at once, half through the route, half through its sibling: a session is one, whichever route is used. */
const RACERS = 12;
/** Where client addresses share their limits: each key stays well below the in-flight limit. */
const SLOW_RACERS = 8;

interface Race {
  readonly id: string;
  readonly title: string;
  /** The actions of each round, in turns. */
  readonly rounds: readonly (readonly ChangeAction[])[];
}

const mixed: readonly ChangeAction[] = ["finish_flow", "fail_flow", "set_waiting", "resume_flow", "request_cancel"];

const races: readonly Race[] = [
  { id: "REVISION-RACE", title: "the same change", rounds: changeActions.map((action) => [action]) },
  {
    id: "REVISION-RACE-MIXED",
    title: "different changes",
    rounds: [0, 1, 2].map((first) => [...mixed.slice(first), ...mixed.slice(0, first)]),
  },
];

const raceCases: readonly Case[] = races.map(({ id, title, rounds }) => ({
  id,
  title: `Of simultaneous requests for ${title} with one revision exactly one is applied`,
  clauses: ["REVISION-STALE", "REVISION-ADVANCES"],
  requests: rounds.length * (SLOW_RACERS / 2 + 3),
  reading:
    "Whichever comes first is applied; then the revision of the others is stale: 409 revision_conflict. Their last bytes " +
    "arrive at one moment, so that one is checked before another is written.",
  async run(trial) {
    for (const actions of rounds) {
      const flow = await waitingFlow(trial);
      const bodies = Array.from({ length: trial.toldApart ? RACERS : SLOW_RACERS }, (_, index) =>
        change(actions[index % actions.length] ?? "set_waiting", flow),
      );
      const answers = await lastBytesAtOnce(trial, fromBothRoutes(trial, bodies));
      const applied = answers.filter(isAccepted);
      const count = applied.length === 0 ? "none" : "several";
      const of = actions.length === 1 ? actions.join() : "different changes";
      check(applied.length === 1, "exactly one change applied", `${count} of ${of}`, ...applied);
      for (const answer of answers) if (!isAccepted(answer)) mustRefuse(answer, conflict);
    }
  },
}));

/** `unchanged`, but for data that no view of a flow may show. */
async function shownText(trial: Trial, flowId: string): Promise<string> {
  const view = await readBack(trial, flowId);
  if (view === undefined) throw new NotApplicable("get_flow is not understood");
  return JSON.stringify(view);
}

export const revisionCases: readonly Case[] = [
  ...staleCases,
  ...endedCases,
  ...raceCases,
  {
    id: "REVISION-ADVANCES",
    title: "Each applied change makes the revision that it was sent with stale",
    clauses: ["REVISION-ADVANCES", "REVISION-STALE"],
    requests: 30,
    async run(trial) {
      for (const action of changeActions) {
        const flow = await waitingFlow(trial);
        mustAccept(await trial.post(change(action, flow)));
        mustRefuse(await trial.post(change(action, flow)), conflict);
      }
    },
  },
  {
    id: "REVISION-FUTURE",
    title: "A revision that the flow does not have yet is refused and changes nothing",
    clauses: ["REVISION-STALE", "REVISION-UNCHANGED"],
    requests: 40,
    reading:
      "A change applies where the revision equals the current one (section 3). One ahead of it is not stale, so " +
      "status and code of its refusal are open.",
    async run(trial) {
      for (const action of changeActions) {
        const flow = await waitingFlow(trial);
        const ahead = { ...flow, revision: flow.revision + 1 };
        await mustRefuseChange(trial, flow, change(action, flow), change(action, ahead));
      }
    },
  },
  {
    id: "REVISION-STALE-STORES-NOTHING",
    title: "A stale set_waiting leaves no trace of the data that it carried",
    clauses: ["REVISION-UNCHANGED"],
    requests: 10,
    async run(trial) {
      const { stateData, waitData } = trial.profile.fields;
      const data = (text: string) => ({ [stateData]: { text }, [waitData]: { text } });
      const [right, wrong] = [`right ${randomUUID()}`, `stale ${randomUUID()}`];
      const stale = await trial.flow();
      const planted = await trial.post(change("set_waiting", stale, data(right)));
      if (!isAccepted(planted)) {
        throw new NotApplicable(`set_waiting does not take ${stateData} and ${waitData}`);
      }
      if (!(await shownText(trial, stale.flowId)).includes(right)) {
        throw new NotApplicable(`no view shows ${stateData} or ${waitData}`);
      }
      const refused = mustRefuse(await trial.post(change("set_waiting", stale, data(wrong))), conflict);
      const text = await shownText(trial, stale.flowId);
      check(text.includes(right) && !text.includes(wrong), "the data from before", "other data", refused);
    },
  },
  {
    id: "REVISION-OF-ONE-FLOW",
    title: "A change of one flow leaves the revision of another current",
    clauses: ["REVISION-ADVANCES"],
    requests: 8,
    async run(trial) {
      const [one, other] = await twoFlows(trial);
      await changed(trial, "set_waiting", one);
      mustAccept(await trial.post(change("set_waiting", other)), "the other flow's revision still applies");
    },
  },
  {
    id: "REVISION-SEEN-BY-SIBLING",
    title: "A change through one route makes the revision stale on every route of the session",
    clauses: ["REVISION-STALE", "SESSION-WHOLE"],
    requests: 4,
    async run(trial) {
      const flow = await trial.flow();
      twin(await trial.post(change("set_waiting", flow), trial.sibling));
      mustRefuse(await trial.post(change("set_waiting", flow)), conflict);
      mustRefuse(await trial.post(change("set_waiting", flow), trial.sibling), conflict);
    },
  },
  {
    id: "REVISION-CONFLICT-SAYS-CURRENT",
    title: "A conflict's result shows the flow as it is now, or no flow",
    clauses: ["REVISION-STALE"],
    requests: 6,
    reading: "The result of a rejection may be empty; a flow in it that is out of date would mislead the caller.",
    async run(trial) {
      const { flow, stale } = await movedOn(trial);
      const refused = mustRefuse(await trial.post(change("finish_flow", stale)), conflict);
      const shown = shownIn(refused, flow.flowId)?.revision;
      if (shown === undefined) throw new NotApplicable("a conflict's result shows no flow");
      twin(await trial.post(change("finish_flow", flow)));
      check(shown === flow.revision, "the flow's current revision", "another revision", refused);
    },
  },
  {
    id: "REVISION-CANCEL-FLOW",
    title: "cancel_flow with a stale expectedRevision is refused and changes nothing",
    clauses: ["REVISION-STALE"],
    gaps: ["cancel.honours-revision"],
    requests: 10,
    reading: "The fields of cancel_flow are not shown; the rule on stale revisions names no exception.",
    async run(trial) {
      const { flow, stale } = await movedOn(trial);
      const at = ({ flowId, revision }: FlowView) =>
        cancelFlow(flowId, trial.profile.fields, { expectedRevision: revision });
      if (trial.gap("cancel.honours-revision")) return mustRefuseChange(trial, flow, at(flow), at(stale), conflict);
      const exchange = await trial.post(at(stale));
      check(!isConflict(exchange), "no revision conflict", describe(exchange), exchange);
    },
  },
];

function isConflict(exchange: Exchange): boolean {
  return envelopeOf(exchange)?.code === conflict.code;
}
