/** A change that cannot be stored is refused and leaves no trace, whatever follows; the profile says how it is refused. */
import * as fc from "fast-check";
import { flowActions, type Column } from "../../interface/flow-model.ts";
import type { Step } from "../../story/story.ts";
import { intentOf, shuffled, type Intent } from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import { faultOf } from "../../oracle/answers.ts";
import { NOT_STORED } from "../../oracle/operations.ts";
import { flowPlayer } from "../../oracle/play/flow-player.ts";
import { creationOf } from "../../oracle/flow-requests.ts";
import type { Property } from "./property.ts";

/** How often what cannot be stored is tried. */
const MOST_TURNS = 2;

// A flow with a requested cancellation may have nothing left to store.
const column = fc.constantFrom<Column>("new", "waiting", "blocked", "resumed");

export const notStored: Property<Intent> = {
  id: "PROPERTY-NOT-STORED",
  title: "Whatever cannot be stored, how often it is tried and what comes next: it is refused and leaves no trace",
  clauses: ["ERROR-PERSIST"],
  gaps: ["status.persist_failed"],
  needs: ["persistence"],
  coverageGap: (visits) =>
    visits.noted(NOT_STORED) === 0 ? { reason: "nothing was asked for that could not be stored" } : undefined,
  reading:
    "The interface gives the code persist_failed and no more; a profile that binds its status holds the target to a refusal " +
    "after which the flow is as before, and the same request works once records can be stored.",
  // The control port makes the whole target fail, so no other story may be under way.
  runs: 1,
  player: flowPlayer(),
  begin: [creationOf("f1"), creationOf("f2", "sibling")],
  intents: shuffled(
    fc.tuple(
      ...flowActions.map((action) => intentOf({ action, column })),
      ...[0, 1].map((nth) => intentOf({ action: "run_task", column, nth })),
    ),
  ),
  *plan(world, intent): Generator<Step> {
    const looking = { ...intent, looks: true };
    // While storing works.
    yield* planIntent(world, { ...intent, action: "look", route: "route" });
    yield { do: "persist", fail: [faultOf(intent.action)] };
    for (let turn = 0; turn < Math.min(intent.by, MOST_TURNS); turn += 1) yield* planIntent(world, looking);
    yield { do: "persist", fail: [] };
    // A task that was not stored does not delay a cancellation.
    if (intent.action === "run_task" && intent.nth % 2 === 0)
      yield* planIntent(world, { ...looking, action: "cancel_flow", more: {}, looksBy: "get_flow" });
    else yield* planIntent(world, looking);
  },
};
