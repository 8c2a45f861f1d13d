/** What cannot be stored is refused and leaves no trace, whatever comes of it next; as far as a profile binds it. */
import * as fc from "fast-check";
import type { FlowAction } from "../interface/flow-model.ts";
import { faultOf } from "./answers.ts";
import { NOT_STORED } from "./operations.ts";
import type { Property } from "./property.ts";
import type { Step } from "../story/story.ts";
import { changing, planWish, wishFor, type Wish } from "./wishes.ts";

const LENGTH = 20;

const wish: fc.Arbitrary<Wish> = fc
  .record({
    action: fc.oneof(
      { arbitrary: fc.constantFrom<FlowAction>(...changing), weight: 4 },
      { arbitrary: fc.constantFrom<FlowAction>("run_task", "cancel_flow"), weight: 3 },
    ),
    // What was asked to end may have nothing left to store.
    column: fc.constantFrom("new" as const, "waiting" as const, "blocked" as const, "resumed" as const),
  })
  .chain(({ action, column }) => wishFor(action, column));

export const notStored: Property<Wish> = {
  id: "PROPERTY-NOT-STORED",
  title: "Whatever cannot be stored, how often it is tried and what comes next: it is refused and leaves no trace",
  clauses: ["ERROR-PERSIST"],
  gaps: ["status.persist_failed"],
  needs: ["persistence"],
  lacks: (visits) => (visits.noted(NOT_STORED) === 0 ? "nothing was asked for that could not be stored" : undefined),
  reading:
    "The interface gives the code persist_failed and no more; a profile that binds its status holds the target to a refusal " +
    "after which the flow is as before, and the same request works once records can be stored.",
  runs: 2,
  // The control port makes all of the target fail.
  width: 1,
  begin: [
    { do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "the first flow" } },
    { do: "send", route: "sibling", as: "f2", body: { action: "create_flow", goal: "the second flow" } },
  ],
  wishes: fc.array(wish, { minLength: LENGTH, maxLength: LENGTH, size: "max" }),
  *plan(world, wish): Generator<Step> {
    const looking = { ...wish, looks: true };
    // Brought there while it can be.
    yield* planWish(world, { ...wish, action: "look", route: "route" });
    yield { do: "persist", fail: [faultOf(wish.action)] };
    for (let turn = 0; turn < wish.by; turn += 1) yield* planWish(world, looking);
    yield { do: "persist", fail: [] };
    yield* planWish(world, looking);
    // A task that was not stored is in nobody's way.
    if (wish.action === "run_task" && wish.nth % 2 === 0)
      yield* planWish(world, { ...looking, action: "cancel_flow", more: {} });
  },
};
