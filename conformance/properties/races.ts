/** Bursts and histories of overlapping requests on few flows: each change seems to happen at one moment. */
import * as fc from "fast-check";
import { createFlow } from "../../fixtures/bodies.ts";
import type { Property } from "./property.ts";
import { RacePlayer, TOO_MANY_ORDERS } from "./race-player.ts";
import type { RouteName, SendStep, Step } from "../story/story.ts";
import { changing, readOf, sendOf } from "./wishes.ts";

const BURSTS = 7;
/** Requests in flight of all workers together: each has a client address of its own. */
const WIDTH = 6;

interface Wish {
  /** Changes that come before, so that the flow waits or was resumed. */
  readonly before: readonly ("set_waiting" | "resume_flow")[];
  readonly requests: readonly Request[];
  readonly width: number;
}

interface Request {
  readonly action: (typeof changing)[number] | "run_task" | "cancel_flow" | "get_flow" | "list_flows";
  readonly route: RouteName;
  readonly at: "current" | "stale" | "future";
}

const route = fc.constantFrom<RouteName>("route", "sibling");
const changes = fc.record({
  // What ends a flow leaves nothing to be raced for.
  action: fc.constantFrom(...changing, ...Array.from({ length: 6 }, () => "set_waiting" as const)),
  route,
  at: fc.constantFrom("current" as const, "current" as const, "current" as const, "stale" as const, "future" as const),
});
const reads = fc.record({
  action: fc.constantFrom("get_flow" as const, "get_flow" as const, "list_flows" as const),
  route,
  at: fc.constant("current" as const),
});
const children = fc.record({
  action: fc.constantFrom("run_task" as const, "run_task" as const, "cancel_flow" as const),
  route,
  at: fc.constant("current" as const),
});
const before = fc.constantFrom<Wish["before"]>([], ["set_waiting"], ["set_waiting", "resume_flow"]);

/** Everybody changes the flow as it was seen by all. */
const burst: fc.Arbitrary<Wish> = fc.record({
  before,
  requests: fc.array(
    changes.map((one) => ({ ...one, at: "current" as const })),
    { minLength: 2, maxLength: WIDTH },
  ),
  width: fc.constant(WIDTH),
});

/** The same, led by one that ends the flow: among all changes it would seldom be the first. */
const ending: fc.Arbitrary<Wish> = fc
  .tuple(burst, fc.constantFrom("finish_flow" as const, "fail_flow" as const), route)
  .map(([{ requests, ...how }, action, by]) => ({
    ...how,
    requests: [{ action, route: by, at: "current" }, ...requests.slice(0, WIDTH - 1)],
  }));

/** One kind of look, again and again, beside changes that each have a right revision. */
const watched: fc.Arbitrary<Wish> = fc
  .tuple(fc.constantFrom("get_flow" as const, "list_flows" as const), route, fc.constantFrom(2, 3))
  .map(([action, by, width]) => ({
    before: [],
    requests: Array.from({ length: 12 }, (_, index) => ({
      action: index % 2 === 0 ? action : ("set_waiting" as const),
      route: by,
      at: "current" as const,
    })),
    width,
  }));

/** Callers that look, change, and look again, each in its own time. */
const overlap: fc.Arbitrary<Wish> = fc.record({
  before,
  requests: fc.array(
    fc.oneof({ arbitrary: changes, weight: 4 }, { arbitrary: reads, weight: 5 }, { arbitrary: children, weight: 1 }),
    { minLength: 10, maxLength: 16, size: "max" },
  ),
  width: fc.constantFrom(2, 3, 4),
});

export const races: Property<Wish & { readonly name: string }> = {
  id: "PROPERTY-RACES",
  title: "Of overlapping requests some order explains every answer, and each revision has one winner at most",
  clauses: ["REVISION-STALE", "REVISION-ADVANCES"],
  reading:
    "Each flow's requests are recorded with the times at which they were sent and answered. Each seems to happen at one " +
    "moment between the two: a search over the orders that keep to the times finds one that the model allows.",
  lacks: (visits) =>
    visits.noted(TOO_MANY_ORDERS) > 0 ? "its answers to overlapping requests allow too many orders to try" : undefined,
  runs: 5,
  begin: [],
  tries: 16,
  wishes: fc
    .tuple(
      fc.array(
        fc.oneof({ arbitrary: burst, weight: 2 }, { arbitrary: overlap, weight: 2 }, { arbitrary: watched, weight: 2 }),
        { minLength: BURSTS, maxLength: BURSTS, size: "max" },
      ),
      ending,
    )
    .map(([wishes, last]) => [...wishes, last].map((wish, index) => ({ ...wish, name: `f${index + 1}` }))),
  player: (playing) => new RacePlayer(playing),
  *plan({ rules: { fields } }, { name, before: first, requests, width }): Generator<Step> {
    const body = createFlow() as unknown as NonNullable<SendStep["body"]>;
    yield { do: "send", route: "route", as: name, body };
    const how = { route: "route" as const, more: {}, fields };
    for (const action of first) yield sendOf(action, name, how);
    const sends = requests.map(({ action, route: by, at }) =>
      action === "get_flow" || action === "list_flows"
        ? readOf(action, name, by, fields)
        : sendOf(action, name, { ...how, route: by, revision: { $revision: name, at } }),
    );
    yield { do: "together", sends, ...(width < sends.length && { width }) };
    yield readOf("get_flow", name, "route", fields);
  },
};
