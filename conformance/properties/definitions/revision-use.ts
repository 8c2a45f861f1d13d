/** Any sequence with right, stale, future and odd revisions: exactly the right ones are applied, the others leave no trace. */
import * as fc from "fast-check";
import { changeActions, columns } from "../../interface/flow-model.ts";
import type { Step } from "../../story/story.ts";
import { intentFor, type Intent } from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import { oddNames } from "../oracle/odd-revisions.ts";
import { tooFewJudged } from "../oracle/visits.ts";
import { flowPlayer, type FlowPlayer } from "../play/flow-player.ts";
import type { Property } from "./property.ts";

const LENGTH = 30;

/** Revisions that are current, past, future, or impossible. */
const revision = fc.oneof(
  { arbitrary: fc.constant("current" as const), weight: 8 },
  { arbitrary: fc.constant("stale" as const), weight: 4 },
  { arbitrary: fc.constant("future" as const), weight: 2 },
  { arbitrary: fc.constant("odd" as const), weight: 2 },
  { arbitrary: fc.constant("missing" as const), weight: 1 },
);

const intent: fc.Arbitrary<Intent> = fc
  .record({
    action: fc.constantFrom(...changeActions),
    column: fc.constantFrom(...columns, "waiting" as const, "waiting" as const),
    revision,
    as: fc.constantFrom(...oddNames),
  })
  .chain(({ action, column, revision, as }) =>
    intentFor(action, column, { revision, as, looks: revision !== "current" }),
  );

const clauses = [
  "REVISION-STALE",
  "REVISION-UNCHANGED",
  "REVISION-ADVANCES",
  "REVISION-REQUIRED",
  "ERROR-INVALID",
] as const;

export const revisions: Property<Intent, FlowPlayer> = {
  id: "PROPERTY-REVISIONS",
  title: "Of any sequence of changes with right, stale, future and odd revisions exactly the right ones are applied",
  clauses,
  reading:
    "Every applied change makes a revision that the flow never had. A stale revision gets 409 revision_conflict, one that " +
    "is ahead any refusal, one that is missing or no number 400 invalid_request where the change would else apply, a " +
    "number that no revision is any 4xx; the flow is looked at after each.",
  runs: 6,
  player: flowPlayer({ clauses }),
  coverageGap: tooFewJudged,
  begin: [
    { do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "the first flow" } },
    { do: "send", route: "sibling", as: "f2", body: { action: "create_flow", goal: "the second flow" } },
  ],
  intents: fc.array(intent, { minLength: LENGTH, maxLength: LENGTH, size: "max" }),
  *plan({ world }, intent): Generator<Step> {
    yield* planIntent(world, intent);
    // A refused request is sent again.
    if (intent.revision !== "current" && intent.nth % 2 === 0) yield* planIntent(world, intent);
    // A change that the flow's state refused must not use up a revision: the next change shows it.
    if (intent.revision === "current" && intent.action === "resume_flow")
      yield* planIntent(world, { ...intent, action: "set_waiting" });
  },
};
