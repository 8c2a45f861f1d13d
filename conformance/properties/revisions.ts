/** Any sequence with right, stale and future revisions: exactly the right ones are applied, the others leave no trace. */
import * as fc from "fast-check";
import { columns } from "../model.ts";
import type { Property } from "./property.ts";
import type { Step } from "./story.ts";
import { changing, planWish, wishFor, type Wish } from "./wishes.ts";

const LENGTH = 30;

/** Revisions that are right, were right once, or may be right one day. */
const revision = fc.oneof(
  { arbitrary: fc.constant("current" as const), weight: 5 },
  { arbitrary: fc.constant("stale" as const), weight: 4 },
  { arbitrary: fc.constant("future" as const), weight: 2 },
);

const wish: fc.Arbitrary<Wish> = fc
  .record({
    action: fc.constantFrom(...changing),
    column: fc.constantFrom(...columns, "waiting" as const, "waiting" as const),
    revision,
  })
  .chain(({ action, column, revision }) => wishFor(action, column, { revision, looks: revision !== "current" }));

export const revisions: Property<Wish> = {
  id: "PROPERTY-REVISIONS",
  title: "Of any sequence of changes with right, stale and future revisions exactly the right ones are applied",
  clauses: ["REVISION-STALE", "REVISION-UNCHANGED", "REVISION-ADVANCES"],
  narrow: true,
  reading:
    "Every applied change makes a revision that the flow never had. A stale revision gets 409 revision_conflict, one that " +
    "is ahead any refusal; the flow is looked at after each.",
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
  },
};
