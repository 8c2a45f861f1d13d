/** Any sequence with right, stale, future and odd revisions: exactly the right ones are applied, the others leave no trace. */
import * as fc from "fast-check";
import { columns } from "../interface/flow-model.ts";
import { oddNames } from "./odd-revisions.ts";
import type { Property } from "./property.ts";
import type { Step } from "../story/story.ts";
import { changing, planWish, wishFor, type Wish } from "./wishes.ts";

const LENGTH = 30;

/** Revisions that are right, were right once, may be right one day, or never. */
const revision = fc.oneof(
  { arbitrary: fc.constant("current" as const), weight: 8 },
  { arbitrary: fc.constant("stale" as const), weight: 4 },
  { arbitrary: fc.constant("future" as const), weight: 2 },
  { arbitrary: fc.constant("odd" as const), weight: 2 },
  { arbitrary: fc.constant("missing" as const), weight: 1 },
);

const wish: fc.Arbitrary<Wish> = fc
  .record({
    action: fc.constantFrom(...changing),
    column: fc.constantFrom(...columns, "waiting" as const, "waiting" as const),
    revision,
    as: fc.constantFrom(...oddNames),
  })
  .chain(({ action, column, revision, as }) =>
    wishFor(action, column, { revision, as, looks: revision !== "current" }),
  );

export const revisions: Property<Wish> = {
  id: "PROPERTY-REVISIONS",
  title: "Of any sequence of changes with right, stale, future and odd revisions exactly the right ones are applied",
  clauses: ["REVISION-STALE", "REVISION-UNCHANGED", "REVISION-ADVANCES", "REVISION-REQUIRED", "ERROR-INVALID"],
  narrow: true,
  reading:
    "Every applied change makes a revision that the flow never had. A stale revision gets 409 revision_conflict, one that " +
    "is ahead any refusal, one that is missing or no number 400 invalid_request where the change would else apply, a " +
    "number that no revision is any 4xx; the flow is looked at after each.",
  runs: 10,
  begin: [
    { do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "the first flow" } },
    { do: "send", route: "sibling", as: "f2", body: { action: "create_flow", goal: "the second flow" } },
  ],
  wishes: fc.array(wish, { minLength: LENGTH, maxLength: LENGTH, size: "max" }),
  *plan(world, wish): Generator<Step> {
    yield* planWish(world, wish);
    // Who is refused tries again.
    if (wish.revision !== "current" && wish.nth % 2 === 0) yield* planWish(world, wish);
    // A change that the flow's state refused has used no revision up: the next one shows it.
    if (wish.revision === "current" && wish.action === "resume_flow")
      yield* planWish(world, { ...wish, action: "set_waiting" });
  },
};
