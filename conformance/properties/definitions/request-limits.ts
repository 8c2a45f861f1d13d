/** Any interleaving of keys, times, refusals and aborts: counts and slots stay those of the model. */
import * as fc from "fast-check";
import { PASSES_BYTES, REFUSED_BYTES } from "../../../fixtures/broken-requests.ts";
import { IN_FLIGHT, WINDOW_MS } from "../../interface/limits.ts";
import type { SendStep, Step } from "../../story/story.ts";
import type { Key } from "../play/limits-key.ts";
import { limitsPlayer, type LimitsPlayer } from "../play/limits-player.ts";
import type { Property } from "./property.ts";

/** What a request is refused for, by checks before and after the two limits. */
const spoils = {
  method: { method: "PUT" },
  "content type": { contentType: "text/plain" },
  secret: { secret: "wrong" },
  "no secret": { secret: "" },
  malformed: { text: '{"action":' },
  "unknown action": { text: '{"action":"no_such_action"}' },
  "too large": { padTo: REFUSED_BYTES },
} as const satisfies Record<string, Partial<SendStep>>;
interface Spoilt {
  readonly by: keyof typeof spoils;
  readonly times: number;
}

type Intent = Key &
  (
    | { readonly kind: "use up"; readonly short: number; readonly spoilt: readonly Spoilt[] }
    | { readonly kind: "fill"; readonly how: "finish" | "abort"; readonly count: number }
    | { readonly kind: "let go"; readonly how: "finish" | "abort"; readonly count: number }
    | { readonly kind: "refused in flight" }
    | { readonly kind: "pass"; readonly turns: number }
    | { readonly kind: "window's end"; readonly spoilt: readonly Spoilt[] }
    | { readonly kind: "delay the body"; readonly count: number }
    | { readonly kind: "size" }
  );

/** Time passes in turns; no number of them is close to a minute, so nothing depends on the very end of a window, ms. */
const TURN_MS = 7000;
/** After the last moment of a window: it may have been counted in whole seconds, ms. */
const WELL_OVER_MS = 2000;
const OVERDUE_MS = 15_600;
const SIZE_BYTES = 262_144;

const key: fc.Arbitrary<Key> = fc.record({
  route: fc.constantFrom("route" as const, "sibling" as const),
  client: fc.constantFrom(0, 0, 1),
});
const count = fc.integer({ min: 1, max: IN_FLIGHT });
/** Every kind, in any order. */
const spoilt: fc.Arbitrary<Spoilt[]> = fc
  .tuple(
    ...(Object.keys(spoils) as Spoilt["by"][]).map((by) =>
      fc.integer({ min: 1, max: 3 }).map((times): Spoilt => ({ by, times })),
    ),
  )
  .chain((kinds) => fc.shuffledSubarray(kinds, { minLength: kinds.length }));

const intentFor = <Detail extends object>(kind: Intent["kind"], detail: fc.Arbitrary<Detail>): fc.Arbitrary<Intent> =>
  fc.tuple(key, detail).map(([own, more]) => ({ ...own, kind, ...more }) as unknown as Intent);

const usesUp = intentFor("use up", fc.record({ short: fc.integer({ min: 0, max: 2 }), spoilt }));
const fills = (ending: "finish" | "abort") =>
  intentFor("fill", fc.record({ how: fc.constant(ending), count: fc.integer({ min: 1, max: 4 }) }));
const letsGo = (ending: "finish" | "abort") => intentFor("let go", fc.record({ how: fc.constant(ending), count }));
const refusedInFlight = intentFor("refused in flight", fc.constant({}));
const passes = intentFor("pass", fc.record({ turns: fc.integer({ min: 1, max: 9 }) }));
const windowEnds = intentFor("window's end", fc.record({ spoilt }));
const delaysBody = intentFor("delay the body", fc.record({ count }));
const sized = intentFor("size", fc.constant({}));

export const limits: Property<Intent, LimitsPlayer> = {
  id: "PROPERTY-LIMITS",
  title: "Whatever keys, times, refusals and aborts are mixed, no budget and no slot is other than the interface says",
  clauses: [
    "RATE-120",
    "RATE-WINDOW",
    "RATE-KEY-PATH",
    "RATE-KEY-ADDRESS",
    "IN-FLIGHT-8",
    "IN-FLIGHT-FREED",
    "IN-FLIGHT-KEY-PATH",
    "IN-FLIGHT-KEY-ADDRESS",
    "BODY-SIZE",
    "BODY-TIME",
  ],
  reading:
    "When a window opens is left open: a key's first request or one moment for all keys, and answers may rule one out. A " +
    "slot may take three seconds to come free. Time is let pass only where the clock can be driven; " +
    "LIMITS-4096-KEYS has very many keys.",
  clock: "driven",
  runs: 1,
  begin: [],
  intents: fc
    .tuple(
      usesUp,
      fills("finish"),
      fills("abort"),
      letsGo("finish"),
      letsGo("abort"),
      refusedInFlight,
      passes,
      passes,
      windowEnds,
      delaysBody,
      sized,
    )
    .chain((deck) => fc.shuffledSubarray(deck, { minLength: deck.length })),
  player: limitsPlayer,
  *plan(player, intent): Generator<Step> {
    const { route } = intent;
    // A budget that is used up already need not be used up again.
    const isSpent = intent.kind === "use up" || intent.kind === "window's end";
    const client = isSpent || player.hasRoom(intent) ? intent.client : player.newClient();
    const one = { do: "send", route, client } as const;
    const held = player.held({ route, client });
    const fill: Step[] = held < IN_FLIGHT ? [{ do: "hold", route, client, count: IN_FLIGHT - held }] : [];
    if (intent.kind === "use up") yield* useUp(player, one, intent);
    if (intent.kind === "fill") {
      yield* fill;
      yield one;
      // Eight in flight at one key do not concern other keys.
      yield { ...one, route: otherThan(route) };
      yield { ...one, client: player.newClient() };
      yield { do: "release", route, client, count: intent.count, how: intent.how };
      yield { do: "hold", route, client, count: intent.count };
      yield one;
    }
    if (intent.kind === "let go") {
      const count = Math.min(intent.count, IN_FLIGHT - held);
      // Repeated, to find a slot that is lost only sometimes.
      for (let turn = 0; turn < 3; turn += 1) {
        yield { do: "hold", route, client, count };
        yield { do: "release", route, client, count, how: intent.how };
      }
      yield* fill;
      yield one;
      yield { do: "release", route, client, count: IN_FLIGHT, how: "finish" };
    }
    if (intent.kind === "refused in flight") {
      yield* fill;
      yield { ...one, times: 9 };
      yield { do: "release", route, client, count: IN_FLIGHT, how: "abort" };
      yield* useUp(player, one, { short: 0 });
    }
    if (intent.kind === "size") {
      yield { ...one, padTo: PASSES_BYTES };
      yield { ...one, padTo: SIZE_BYTES };
      yield { ...one, padTo: REFUSED_BYTES };
    }
    if (!player.driven) return;
    if (intent.kind === "pass") yield { do: "pass", ms: intent.turns * TURN_MS };
    if (intent.kind === "window's end") {
      yield* useUp(player, one, { short: 0, spoilt: intent.spoilt });
      const opened = player.rate.opened(`${route} ${client}`);
      if (opened === undefined) return;
      const left = opened.from + WINDOW_MS - 1 - player.now().from;
      if (left > 0) yield { do: "pass", ms: left };
      yield one;
      yield { do: "pass", ms: WELL_OVER_MS };
      yield* useUp(player, one, { short: 1 });
    }
    if (intent.kind === "delay the body") {
      if (held > 0) yield { do: "release", route, client, count: held, how: "finish" };
      // After two turns the bodies may still arrive; after 15 seconds and after three turns they are overdue.
      for (const ms of [2 * TURN_MS, OVERDUE_MS, 3 * TURN_MS]) {
        yield { do: "hold", route, client, count: intent.count };
        yield { do: "pass", ms };
        if (ms === 2 * TURN_MS) yield { do: "release", route, client, count: intent.count, how: "finish" };
      }
      yield { do: "hold", route, client, count: IN_FLIGHT };
      yield { do: "release", route, client, count: IN_FLIGHT, how: "abort" };
    }
  },
};

const otherThan = (route: Key["route"]): Key["route"] => (route === "route" ? "sibling" : "route");

/** Uses up a key's budget, with some spoilt requests, and sends a little more. */
function* useUp(
  player: LimitsPlayer,
  one: SendStep & Key,
  { short, spoilt = [] }: { short: number; spoilt?: readonly Spoilt[] },
): Generator<Step> {
  for (const { by, times } of spoilt) if (player.budgetLeft(one) > times) yield { ...one, ...spoils[by], times };
  const most = player.budgetLeft(one) - short;
  if (most > 0) yield { ...one, times: most };
  for (let more = 0; more < short; more += 1) yield one;
  yield one;
  // Requests of other keys give no budget back.
  yield { ...one, client: player.newClient() };
  yield { ...one, route: otherThan(one.route) };
  yield one;
  const [first] = spoilt;
  if (first !== undefined) yield { ...one, ...spoils[first.by] };
}
