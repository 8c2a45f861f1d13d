/** Floods of other keys: the counts and slots of the keys in use stay those of the model. */
import * as fc from "fast-check";
import { IN_FLIGHT, WINDOW_MS } from "../../interface/limits.ts";
import type { Step } from "../../story/story.ts";
import type { Key } from "../play/limits-key.ts";
import { FLOOD, limitsPlayer, type LimitsPlayer } from "../play/limits-player.ts";
import type { Property } from "./property.ts";

type Intent =
  | (Key & { readonly kind: "send" | "hold"; readonly count: number })
  | (Key & { readonly kind: "look" })
  | { readonly kind: "flood" | "rest" };

const keysOf = (...clients: readonly number[]): readonly Key[] =>
  (["route", "sibling"] as const).flatMap((route) => clients.map((client) => ({ route, client })));
/** The keys that are in use before a rest, and after it: some of them are new then. */
const before = keysOf(0, 1, 2);
const after = keysOf(2, 3, 4);
/** Floods between two rests, and the tracked keys left for everything else. */
const FLOODS = 3;
const MARGIN = 128;
/** The most that one intent sends, so that budget is left to test the slots. */
const SOME = 60;

const flood: Intent = { kind: "flood" };
const lookAt = (own: Key): Intent => ({ ...own, kind: "look" });

/** Uses before, between and after the floods, and at the end a look at every key and at one that is new then. */
function part(inUse: readonly Key[], newcomer: Key): fc.Arbitrary<Intent[]> {
  const key = fc.constantFrom(...inUse);
  const intentFor = (kind: "send" | "hold", most: number): fc.Arbitrary<Intent> =>
    fc.tuple(key, fc.integer({ min: 1, max: most })).map(([own, count]) => ({ ...own, kind, count }));
  return fc
    .tuple(
      ...Array.from({ length: 4 }, () => intentFor("send", SOME)),
      ...Array.from({ length: 3 }, () => intentFor("hold", IN_FLIGHT - 1)),
      ...Array.from({ length: FLOODS - 1 }, () => fc.constant(flood)),
      key.map(lookAt),
    )
    .chain((deck) => fc.shuffledSubarray(deck, { minLength: deck.length }))
    .map((deck) => [...deck, flood, ...inUse.map(lookAt), lookAt(newcomer)]);
}

export const keys: Property<Intent, LimitsPlayer> = {
  id: "PROPERTY-KEYS",
  title: "However many other keys are heard in between, no key's budget and no slot is other than the interface says",
  clauses: ["TRACKED-KEYS"],
  gaps: ["rate.tracked-keys"],
  needs: ["clock"],
  reading:
    "Never more keys in one window than the profile says are tracked: what happens beyond is left open. Those whose windows " +
    "and requests are over take no room.",
  coverageGap: (visits) =>
    visits.noted(FLOOD) === 0
      ? {
          reason:
            "no other keys were heard: that takes a clock that is driven and a profile that says how many are tracked",
        }
      : undefined,
  runs: 1,
  begin: [],
  intents: fc
    .tuple(part(before, { route: "route", client: 5 }), part(after, { route: "route", client: 6 }))
    .map(([one, other]) => [...one, { kind: "rest" }, ...other]),
  player: limitsPlayer,
  *plan(player, intent): Generator<Step> {
    // Keys of the last minute would count as well.
    if (!player.driven) return;
    const tracked = player.world.gaps["rate.tracked-keys"] ?? 0;
    const most = Math.floor((tracked - MARGIN) / FLOODS);
    if (intent.kind === "flood" && most > 0) yield { do: "flood", keys: most };
    if (intent.kind === "send") yield { do: "send", ...keyOf(intent), times: intent.count };
    if (intent.kind === "hold") {
      const count = Math.min(intent.count, IN_FLIGHT - player.held(intent));
      if (count > 0 && player.budgetLeft(intent) > count) yield { do: "hold", ...keyOf(intent), count };
    }
    if (intent.kind === "look") yield* look(player, intent);
    if (intent.kind === "rest") {
      // Held requests would run into the body time-out.
      for (const own of before) yield* letGo(player, own);
      yield { do: "pass", ms: 2 * WINDOW_MS };
    }
  },
};

const keyOf = ({ route, client }: Key): Key => ({ route, client });

/** Fills a key's slots, where its budget allows, then uses up the budget; one request more each time. */
function* look(player: LimitsPlayer, own: Key): Generator<Step> {
  const one = { do: "send", ...keyOf(own) } as const;
  const free = IN_FLIGHT - player.held(own);
  if (player.budgetLeft(own) >= SOME) {
    if (free > 0) yield { do: "hold", ...keyOf(own), count: free };
    yield one;
  }
  yield* letGo(player, own);
  const rest = player.budgetLeft(own);
  if (rest > 0) yield { ...one, times: rest };
  yield one;
}

function* letGo(player: LimitsPlayer, own: Key): Generator<Step> {
  const count = player.held(own);
  if (count > 0) yield { do: "release", ...keyOf(own), count, how: "finish" };
}
