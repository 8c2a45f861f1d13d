/** The properties of flows: each draws other intents, and all are planned, played and judged alike. */
import * as fc from "fast-check";
import { CHILD_MARK } from "../../harness/leaks.ts";
import { changeActions, visitColumns, flowActions, type Column, type FlowAction } from "../../interface/flow-model.ts";
import { creationOf } from "../../oracle/flow-requests.ts";
import { flowClauses } from "../../oracle/judge.ts";
import { oddNames } from "../../oracle/odd-revisions.ts";
import { faultOf } from "../../oracle/operations.ts";
import type { Step } from "../../story/story.ts";
import {
  asides,
  everyCell,
  intentOf,
  jsonData,
  secondTries,
  shuffled,
  anyText,
  type Intent,
} from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import type { Property } from "./property.ts";

type About = Pick<Property<Intent>, "id" | "title" | "clauses" | "reading" | "intents"> & Partial<Property<Intent>>;

/** A property of one run, on a flow of the route's session and one of another session. */
export const flowProperty = (about: About): Property<Intent> => ({
  runs: 1,
  begin: [creationOf("f1"), creationOf("f2", "stranger")],
  plan: planIntent,
  ...about,
});

export const statesProperty = flowProperty({
  id: "PROPERTY-STATES",
  title: "Any sequence of the 13 actions on several flows and sessions is answered as states allow",
  clauses: flowClauses,
  reading:
    "Judged by a model of the interface alone. Where the interface is silent the profile decides, or the target's first " +
    "answer within a story is its rule for the rest of it.",
  intents: shuffled(fc.tuple(everyCell, secondTries, asides).map((all) => all.flat())),
});

const mostlyWaiting = fc.constantFrom(...visitColumns, "waiting" as const, "waiting" as const);
/** A change of a flow in any state, with this revision. */
const withRevision = (revision: Intent["revision"]) => (action: FlowAction | fc.Arbitrary<FlowAction>) =>
  intentOf({
    action,
    column: mostlyWaiting,
    revision,
    as: fc.constantFrom(...oddNames),
    looks: revision !== "current",
  });

export const revisionsProperty = flowProperty({
  id: "PROPERTY-REVISIONS",
  title: "Of changes with right, stale, future and odd revisions exactly the right ones are applied",
  clauses: ["REVISION-STALE", "REVISION-UNCHANGED", "REVISION-ADVANCES", "REVISION-REQUIRED", "ERROR-INVALID"],
  reading:
    "Every applied change makes a revision that the flow never had. A stale revision gets 409 revision_conflict, one that " +
    "is ahead any refusal, one that is missing or no number 400 invalid_request where the change would else apply, a " +
    "number that no revision is any 4xx; the flow is looked at after each.",
  runs: 2,
  begin: [creationOf("f1"), creationOf("f2", "sibling")],
  intents: shuffled(
    fc.tuple(
      ...(["current", "stale", "odd"] as const).flatMap((at) => changeActions.map(withRevision(at))),
      ...(["future", "missing"] as const).map((at) => withRevision(at)(fc.constantFrom(...changeActions))),
      // One action that the state refuses, and one that is applied without changing the state.
      intentOf({ action: "resume_flow", column: "new" }),
      intentOf({ action: "resume_flow", column: "resumed" }),
      intentOf({ action: "set_waiting", column: "waiting" }),
    ),
  ),
  *plan(world, intent): Generator<Step> {
    yield* planIntent(world, intent);
    // After a conflict a wrong revision is still none.
    if (intent.revision === "stale") yield* planIntent(world, { ...intent, revision: "odd" });
    // A change that the flow's state refused must not use up a revision: the next change shows it.
    if (intent.revision === "current" && intent.action === "resume_flow")
      yield* planIntent(world, { ...intent, action: "set_waiting" });
  },
});

const change = intentOf({
  action: fc.constantFrom(...changeActions, "cancel_flow", "list_flows"),
  column: fc.constantFrom("waiting", "blocked", "finished"),
  revision: fc.constantFrom("current", "stale"),
  nth: fc.nat(1),
});

/** Mostly changes; children of sessions with every kind of name, contents of every kind, and requests from another session. */
const leaking = fc.oneof(
  change,
  change,
  change,
  intentOf({
    action: "run_task",
    more: fc.record({ childSessionKey: anyText.map((key) => `${CHILD_MARK}${key}`), task: anyText }),
    looks: true,
  }),
  intentOf({ action: "create_flow", more: fc.record({ goal: anyText, stateJson: jsonData, currentStep: anyText }) }),
  intentOf({ action: fc.constantFrom("look", ...changeActions), route: "stranger" }),
);

export const leakageProperty = flowProperty({
  id: "PROPERTY-LEAKAGE",
  title: "No answer to any sequence holds a session key, owner metadata or a secret, in any form",
  clauses: ["NO-METADATA", "TASK-VIEW"],
  reading: "Looked for as they are, in other cases, percent-encoded, in hex and base64, in bodies and in headers.",
  intents: fc.array(leaking, { minLength: 17, maxLength: 17, size: "max" }),
});

/** How often a change that cannot be stored is tried. */
const MOST_TURNS = 2;

// A flow with a requested cancellation may have nothing left to store.
const storing = fc.constantFrom<Column>("new", "waiting", "blocked", "resumed");

export const notStored = flowProperty({
  id: "PROPERTY-NOT-STORED",
  title: "A change that cannot be stored is refused without a trace, in any sequence",
  clauses: ["ERROR-PERSIST"],
  gaps: ["status.persist_failed"],
  // The control port makes the whole target fail, so no other story may be under way.
  needs: ["persistence"],
  shortfall: (met) =>
    met.has("what could not be stored") ? undefined : "nothing was asked for that could not be stored",
  reading:
    "The interface gives the code persist_failed and no more; a profile that binds its status holds the target to a refusal " +
    "after which the flow is as before, and the same request works once records can be stored.",
  begin: [creationOf("f1"), creationOf("f2", "sibling")],
  intents: shuffled(
    fc.tuple(
      ...flowActions.map((action) => intentOf({ action, column: storing })),
      ...[0, 1].map((nth) => intentOf({ action: "run_task", column: storing, nth })),
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
});
