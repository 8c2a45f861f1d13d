/** Section 3: optimistic concurrency. A change with a revision that is no longer current changes nothing. */
import { cancelFlow, change } from "../../interface/bodies.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { fromBothRoutes, lastBytesAtOnce } from "../../harness/at-once.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, type FlowView } from "../../harness/checks.ts";
import {
  changeActions,
  changed,
  mustRefuseChange,
  shownIn,
  waitingFlow,
  type ChangeAction,
} from "../../harness/flows.ts";

const conflict = { status: 409, code: "revision_conflict" } as const;

/** Requests at once, half through the route, half through its sibling: a session is one, whichever route is used. */
const RACERS = 8;
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
      // What changes nothing that a caller could see may be accepted and leave the revision as it is.
      const isSame = (answer: Exchange) => shownIn(answer, flow.flowId)?.revision === flow.revision;
      const accepted = answers.filter(isAccepted);
      if (accepted.length > 0 && accepted.every(isSame)) continue;
      const applied = accepted.filter((answer) => !isSame(answer));
      const count = applied.length === 0 ? "none" : "several";
      const of = actions.length === 1 ? actions.join() : "different changes";
      check(applied.length === 1, "exactly one change applied", `${count} of ${of}`, ...applied);
      for (const answer of answers) if (!isAccepted(answer)) mustRefuse(answer, conflict);
    }
  },
}));

export const revisionCases: readonly Case[] = [
  ...raceCases,
  {
    id: "REVISION-CANCEL-FLOW",
    title: "cancel_flow with a stale expectedRevision is refused and changes nothing",
    clauses: ["REVISION-STALE"],
    gaps: ["cancel.honours-revision"],
    requests: 10,
    reading: "The fields of cancel_flow are not shown; the rule on stale revisions names no exception.",
    async run(trial) {
      const stale = await trial.flow();
      const flow = await changed(trial, "set_waiting", stale);
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
