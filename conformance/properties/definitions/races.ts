/** Bursts and histories of overlapping requests on few flows: each change seems to happen at one moment. */
import * as fc from "fast-check";
import { changeActions } from "../../interface/flow-model.ts";
import type { RouteName, Step } from "../../story/story.ts";
import { creationOf, readOf, sendOf } from "../../oracle/flow-requests.ts";
import type { Property } from "./property.ts";

const BURSTS = 7;
/** Requests in flight of all workers together: each has a client address of its own. */
const WIDTH = 6;

interface Intent {
  /** Changes that come before, so that the flow waits or was resumed. */
  readonly before: readonly ("set_waiting" | "resume_flow")[];
  readonly requests: readonly Request[];
  readonly width: number;
}

interface Request {
  readonly action: (typeof changeActions)[number] | "run_task" | "cancel_flow" | "get_flow" | "list_flows";
  readonly route: RouteName;
  readonly at: "current" | "stale" | "future";
}

const route = fc.constantFrom<RouteName>("route", "sibling");
const requestFor = (actions: readonly Request["action"][], at: readonly Request["at"][] = ["current"]) =>
  fc.record<Request>({ action: fc.constantFrom(...actions), route, at: fc.constantFrom(...at) });
// Mostly set_waiting: after a change that ends the flow nothing is left to race for.
const mostlyWaits = [...changeActions, ...Array.from({ length: 6 }, () => "set_waiting" as const)];
const changes = requestFor(mostlyWaits, ["current", "current", "current", "stale", "future"]);
const reads = requestFor(["get_flow", "get_flow", "list_flows"]);
const children = requestFor(["run_task", "run_task", "cancel_flow"]);
const before = fc.constantFrom<Intent["before"]>([], ["set_waiting"], ["set_waiting", "resume_flow"]);

/** Concurrent changes with the same revision. */
const burst: fc.Arbitrary<Intent> = fc.record({
  before,
  requests: fc.array(requestFor(mostlyWaits), { minLength: 2, maxLength: WIDTH }),
  width: fc.constant(WIDTH),
});

/** The same, but the first one ends the flow, which would seldom be first by chance. */
const ending: fc.Arbitrary<Intent> = fc
  .tuple(burst, fc.constantFrom("finish_flow" as const, "fail_flow" as const), route)
  .map(([{ requests, ...how }, action, by]) => ({
    ...how,
    requests: [{ action, route: by, at: "current" }, ...requests.slice(0, WIDTH - 1)],
  }));

/** One read repeated beside changes with right revisions. */
const watched: fc.Arbitrary<Intent> = fc
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

/** Reads and changes that overlap in any way. */
const overlap: fc.Arbitrary<Intent> = fc.record({
  before,
  requests: fc.array(
    fc.oneof({ arbitrary: changes, weight: 4 }, { arbitrary: reads, weight: 5 }, { arbitrary: children, weight: 1 }),
    { minLength: 10, maxLength: 16, size: "max" },
  ),
  width: fc.constantFrom(2, 3, 4),
});

export const races: Property<Intent & { readonly name: string }> = {
  id: "PROPERTY-RACES",
  title: "Some order of overlapping requests explains every answer; each revision is used once",
  clauses: ["REVISION-STALE", "REVISION-ADVANCES"],
  reading:
    "Each flow's requests are recorded with the times at which they were sent and answered. Each seems to happen at one " +
    "moment between the two: a search over the orders that keep to the times finds one that the model allows.",
  shortfall: (met) =>
    met.has("orders beyond number") ? "its answers to overlapping requests allow too many orders to try" : undefined,
  runs: 2,
  begin: [],
  intents: fc
    .tuple(
      fc.array(
        fc.oneof({ arbitrary: burst, weight: 2 }, { arbitrary: overlap, weight: 2 }, { arbitrary: watched, weight: 2 }),
        { minLength: BURSTS, maxLength: BURSTS, size: "max" },
      ),
      ending,
    )
    .map(([intents, last]) => [...intents, last].map((intent, index) => ({ ...intent, name: `f${index + 1}` }))),
  *plan(world, { name, before: first, requests, width }): Generator<Step> {
    yield creationOf(name);
    for (const action of first) yield sendOf(world, action, name);
    const sends = requests.map(({ action, route: by, at }) =>
      action === "get_flow" || action === "list_flows"
        ? readOf(world, action, name, by)
        : sendOf(world, action, name, { route: by, revision: { $revision: name, at } }),
    );
    yield { do: "together", sends, ...(width < sends.length && { width }) };
    yield readOf(world, "get_flow", name);
  },
};
