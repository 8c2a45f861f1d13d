/** Any sequence with right, stale, future and odd revisions: exactly the right ones are applied, the others leave no trace. */
import * as fc from "fast-check";
import { changeActions, columns, type FlowAction } from "../../interface/flow-model.ts";
import type { Step } from "../../story/story.ts";
import { intentOf, shuffled, type Intent } from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import { oddNames } from "../../oracle/odd-revisions.ts";
import { tooFewJudged } from "../../oracle/visits.ts";
import { flowPlayer } from "../../oracle/play/flow-player.ts";
import { creationOf } from "../../oracle/flow-requests.ts";
import type { Property } from "./property.ts";

const column = fc.constantFrom(...columns, "waiting" as const, "waiting" as const);
/** A change of a flow in any state, with this revision. */
const withRevision = (revision: Intent["revision"]) => (action: FlowAction | fc.Arbitrary<FlowAction>) =>
  intentOf({ action, column, revision, as: fc.constantFrom(...oddNames), looks: revision !== "current" });

const intents: fc.Arbitrary<Intent[]> = fc.tuple(
  ...changeActions.map(withRevision("current")),
  ...changeActions.map(withRevision("stale")),
  ...changeActions.map(withRevision("odd")),
  ...(["future", "missing"] as const).map((at) => withRevision(at)(fc.constantFrom(...changeActions))),
  // Refused for the flow's state, and applied although the state stays as it is.
  intentOf({ action: "resume_flow", column: "new" }),
  intentOf({ action: "resume_flow", column: "resumed" }),
  intentOf({ action: "set_waiting", column: "waiting" }),
);

const clauses = [
  "REVISION-STALE",
  "REVISION-UNCHANGED",
  "REVISION-ADVANCES",
  "REVISION-REQUIRED",
  "ERROR-INVALID",
] as const;

export const revisions: Property<Intent> = {
  id: "PROPERTY-REVISIONS",
  title: "Of any sequence of changes with right, stale, future and odd revisions exactly the right ones are applied",
  clauses,
  reading:
    "Every applied change makes a revision that the flow never had. A stale revision gets 409 revision_conflict, one that " +
    "is ahead any refusal, one that is missing or no number 400 invalid_request where the change would else apply, a " +
    "number that no revision is any 4xx; the flow is looked at after each.",
  runs: 2,
  player: flowPlayer(clauses),
  coverageGap: tooFewJudged,
  begin: [creationOf("f1"), creationOf("f2", "sibling")],
  intents: shuffled(intents),
  *plan(world, intent): Generator<Step> {
    yield* planIntent(world, intent);
    // A refused request is sent again; after a conflict a wrong revision is still none.
    if (intent.revision !== "current" && intent.nth % 2 === 0) yield* planIntent(world, intent);
    if (intent.revision === "stale") yield* planIntent(world, { ...intent, revision: "odd" });
    // A change that the flow's state refused must not use up a revision: the next change shows it.
    if (intent.revision === "current" && intent.action === "resume_flow")
      yield* planIntent(world, { ...intent, action: "set_waiting" });
  },
};
