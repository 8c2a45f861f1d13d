/** Section 8: both limits among as many keys as are tracked. */
import { spoilt } from "../../interface/broken-requests.ts";
import { REQUESTS_PER_WINDOW, TRACKED_KEYS, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { OutOfTime } from "../../http/harness-error.ts";
import { lanes } from "../../targets/standard-routes.ts";
import { Failure, isTransient, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, isRefused, mustAnswer } from "../../harness/checks.ts";
import { pipelined } from "../../harness/at-once.ts";
import {
  cheap,
  earlyRefusal,
  exhausted,
  fillInFlight,
  firstRefusal,
  hold,
  keyOf,
  mustBeBackInAnHour,
  notHeld,
  spend,
  wrongBeside,
  type Key,
} from "../../harness/limit-keys.ts";
import { mustMeasure } from "../../harness/measure.ts";
import { mustBeWithin } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";

const BUDGET = REQUESTS_PER_WINDOW;
/** What the keys in use have spent and hold before the flood. */
const [HALF, SOME] = [BUDGET / 2, 3];
/** The keys that are looked at after the flood. */
const IN_USE = 2;
/** Other cases on the same target have keys of their own. */
const MARGIN = 64;
const OTHERS = TRACKED_KEYS - MARGIN - IN_USE;
/** A flood ends so long after bodies were held, ms. A body that is held longer may be refused for that, by a clock that is read late. */
const [FLOOD_MS, HELD_MS] = [10_000, 14_000];
/** Requests are held so many times beside the others, as in a window of real time: what that takes is within one budget. */
const HELD_TURNS = 6;
/** How long a slot may take to come free, and a ninth request to be refused, so that bodies have time left. */
const soon = { freedMs: 1000, refusedMs: 2000 };
/** The second half of a budget is spent within this time, ms. */
const LAST_MS = 4000;
/** So much of its window has gone by, ms, when a used-up key is asked again: what sweeps keys by their age has found it by then. */
const AGE_MS = 20_000;
/** How long the number of keys is looked for where it is too small, ms. */
const HALVING_MS = 40_000;

export const trackedKeysCases: readonly Case[] = [
  {
    id: "LIMITS-4096-KEYS",
    title: "Both limits hold while 4,096 other keys are tracked, and expired keys make room",
    clauses: ["RATE-KEY-ADDRESS", "IN-FLIGHT-KEY-ADDRESS", "TRACKED-KEYS", "RATE-WINDOW"],
    level: "must",
    gaps: ["rate.tracked-keys"],
    costly: true,
    meetsLimits: true,
    needs: ["addresses"],
    alone: true,
    clock: "driven",
    requests: 2 * BUDGET + 2,
    // Only where keys are lost or refused.
    longestMs: 3 * WINDOW_MS,
    reading:
      "Section 8: up to 4,096 keys are tracked, so among so many none is forgotten and none refused; where one is, their " +
      "number is found by halving. In real time that takes some 75 requests a second, and twice as many where windows end by " +
      "the clock; requests are held in flight as long as bodies have time, one flood after the other. What happens to new " +
      "keys beyond is left open, and judged where the profile binds rate.tracked-keys. Windows that are over take no room, " +
      "and none is there again an hour later: that is seen where the clock can be driven.",
    async run(trial) {
      const used: string[] = [];
      const fresh = () => {
        const from = trial.freshAddress();
        used.push(from);
        return from;
      };
      const slotKey = newKey(trial, trial.sibling);
      let since = trial.now();
      let seen = await among(trial, OTHERS, { since, fresh, slotKey, ages: true });
      if (seen.refused !== undefined) {
        // Keys of other cases may have taken some of the room, until their windows are over.
        await trial.pass(WINDOW_MS + 1000);
        since = trial.now();
        seen = await among(trial, OTHERS, { since, fresh, slotKey, ages: true }).catch((error: unknown) => {
          if (isTransient(error)) throw error;
          return seen;
        });
      }
      const { others, refused, unseen, besideHeld } = seen;
      const pace = others / (trial.now() - since);
      if (refused !== undefined) {
        const again = await trial.send(refused.request, refused.from);
        mustMeasure(trial, "tracked keys", keys(others, others + MARGIN), `beyond them ${describe(again)}`);
      }
      if (!seen.isKept) {
        // A window aligned to the clock may have ended meanwhile: the next one will not, and has room for the same keys.
        if (trial.driven) since = trial.now();
        const again = () => used.shift() ?? trial.freshAddress();
        seen = await among(trial, others, { since, fresh: again, ages: true });
        if (!seen.isKept) await mustTellKeys(trial, seen);
      }
      if (seen.others < OTHERS) throw tooSlow(pace);
      const note = besideHeld < OTHERS ? `with requests in flight beside ${besideHeld} of them at a time` : undefined;
      mustMeasure(trial, "tracked keys", keys(OTHERS), note);
      if (unseen !== undefined) throw unseen;
      const isBound = trial.profile.gaps["rate.tracked-keys"] !== undefined;
      if (isBound) {
        const slots = await someSlots(trial, slotKey);
        await flood(trial, MARGIN + 2 * IN_USE);
        await mustKeepSlots(trial, slots);
        await mustHaveOwnLimits(trial, "beyond those tracked");
      }
      if (!trial.driven || seen.spent === undefined) return;
      // Room for the keys of the next cases, too, where no more are taken than are tracked.
      await mustBeBackInAnHour(trial, seen.spent.key, seen.spent.at);
      // With those before more than are tracked at a time.
      if (!isBound) await flood(trial, MARGIN + 2 * IN_USE);
      await mustHaveOwnLimits(trial, "when the windows of those before are over");
    },
  },
];

const newKey = (trial: Trial, route = trial.route): Key => keyOf(trial, { route, from: trial.freshAddress() });

/** The keys that a target tracks which keeps one among `least` others, and none among more than `most`. */
const keys = (least: number, most?: number) => ({ least: least + IN_USE, most: most && most + IN_USE });

function tooSlow(pace: number): OutOfTime {
  const [needed, had] = [OTHERS / WINDOW_MS, pace].map((perMs) => `${(1000 * perMs).toFixed(0)} requests a second`);
  return new OutOfTime(`${OTHERS} keys within one window take ${needed}, and the target answered ${had}`);
}

interface Look {
  /** When the window began, ms; now if absent. */
  readonly since?: number;
  readonly fresh?: () => string;
  /** Requests are in flight there meanwhile, as long as their bodies have time, and then others. */
  readonly slotKey?: Key;
  /** A driven clock goes on by `AGE_MS` before the other half. */
  readonly ages?: true;
}

interface Opened {
  readonly others: number;
  /** The first request of another key. */
  readonly refused?: Exchange;
  /** The most of the others while requests were held in flight. */
  readonly besideHeld: number;
  /** Why nothing was seen of those. */
  readonly unseen?: unknown;
}

interface Seen extends Opened {
  readonly isKept: boolean;
  /** `next`: the request behind the budget. */
  readonly spent?: { readonly key: Key; readonly at: number; readonly next: Exchange };
}

/** Uses half a budget, opens other keys within the window, and fails unless the other half is there. */
async function among(trial: Trial, count: number, look: Look = {}): Promise<Seen> {
  const { since = trial.now(), ages } = look;
  const key = newKey(trial);
  const first = firstRefusal(await spend(trial, key, HALF));
  if (first !== undefined) throw earlyRefusal(first);
  const opened = await openOthers(trial, count, since + WINDOW_MS - LAST_MS, look);
  if (opened.refused !== undefined) return { ...opened, isKept: false };
  if (trial.driven && ages) {
    await trial.pass(AGE_MS);
    // A new key may be what keys are swept for.
    await flood(trial, 1);
  }
  const early = firstRefusal(await spend(trial, key, BUDGET - HALF));
  if (early !== undefined) throw new Failure("the second half of a budget accepted", describe(early), [early]);
  const next = await trial.send(cheap(trial, key), key.from);
  mustBeWithin(trial, since, WINDOW_MS);
  const isKept = !isAccepted(next);
  check(!isKept || isRefused(next, {}), "the 121st request of a key refused", describe(next), next);
  return { ...opened, isKept, spent: { key, at: trial.now(), next } };
}

/** Opens keys until there are so many, `until` or one is refused. */
async function openOthers(trial: Trial, count: number, until: number, { fresh, slotKey }: Look): Promise<Opened> {
  let [others, besideHeld, unseen]: [number, number, unknown] = [0, 0, undefined];
  for (let turn = 0; others < count && trial.now() < until; turn += 1) {
    const slots = slotKey && turn < HELD_TURNS ? await someSlots(trial, slotKey) : undefined;
    const soon = slots === undefined ? Number.POSITIVE_INFINITY : realTime(trial) + FLOOD_MS;
    const isOver = () => trial.now() >= until || realTime(trial) >= soon;
    const { opened, refused } = await flood(trial, count - others, isOver, fresh);
    others += opened;
    if (refused !== undefined) await slots?.held.finish();
    if (refused !== undefined) return { others, refused, besideHeld };
    if (slots === undefined) continue;
    unseen ??= await mustKeepSlots(trial, slots).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
      return error;
    });
    besideHeld = Math.max(besideHeld, opened);
  }
  return { others, besideHeld, unseen };
}

/** Also where the clock is driven: the kit's own connections wait for an answer in real time. */
const realTime = (trial: Trial): number => (trial.driven ? performance.now() : trial.now());

/** Halves the number of others beside which a key is lost, for bounded time, and fails with the number of keys. */
async function mustTellKeys(trial: Trial, { others: lostAmong, spent }: Seen): Promise<void> {
  const isOfAge = trial.driven && (await among(trial, lostAmong)).isKept;
  if (isOfAge) {
    const expected = `a key's budget used up for its whole window, among ${lostAmong} other keys`;
    const evidence = spent === undefined ? [] : [spent.next];
    throw new Failure(expected, `all of it there again after ${AGE_MS / 1000} s`, evidence);
  }
  let [kept, lost] = [0, lostAmong];
  const until = performance.now() + HALVING_MS;
  while (lost - kept > 1 && performance.now() < until) {
    const { others, isKept } = await among(trial, Math.floor((kept + lost) / 2));
    if (isKept) kept = others;
    else lost = others;
  }
  mustMeasure(trial, "tracked keys", { least: kept + 1, most: lost });
}

type Slots = Awaited<ReturnType<typeof someSlots>>;

async function someSlots(trial: Trial, key: Key) {
  const since = trial.now();
  return { key, since, held: await hold(trial, key, SOME) };
}

/** The key has as many slots left as before, and no more. Throws `OutOfTime` or `Unreached` where that cannot be seen. */
async function mustKeepSlots(trial: Trial, { key, held, since }: Slots): Promise<void> {
  const wrong = await wrongBeside(trial, key, { ...soon, others: SOME });
  mustBeWithin(trial, since, HELD_MS);
  if (held.uploads.some(({ answered }) => answered)) throw notHeld();
  // Without a limit nothing is lost.
  if (wrong !== undefined && isAccepted(wrong.exchange)) await fillInFlight(trial, newKey(trial, trial.sibling));
  mustBeRight(wrong);
  const lost = firstRefusal(await held.finish());
  if (lost === undefined) return;
  mustBeWithin(trial, since, HELD_MS);
  throw new Failure("the requests in flight accepted in the end", describe(lost), [lost]);
}

function mustBeRight(wrong: Awaited<ReturnType<typeof wrongBeside>>): void {
  if (wrong !== undefined) throw new Failure(wrong.expected, describe(wrong.exchange), [wrong.exchange]);
}

/** A new key has its whole budget and eight slots, and no more. `when`: in the words of a failure. */
async function mustHaveOwnLimits(trial: Trial, when: string): Promise<void> {
  const [budget, slots] = [newKey(trial), newKey(trial, trial.sibling)];
  await exhausted(trial, budget).catch((error: unknown) => {
    if (!(error instanceof Unreached) || isTransient(error)) throw error;
    throw new Failure(`120 requests of a new key accepted ${when}, no more`, error.message, error.exchanges);
  });
  mustBeRight(await wrongBeside(trial, slots, { ...soon, others: 0 }));
}

/** Connections of a flood at the same time, and the longest that one of them should take, ms. */
const [WIDTH, BATCH_MS] = [8, 1000];

const laneRoutes = lanes.flatMap(({ route, sibling, stranger }) => [route, sibling, stranger]);

/**
 * One request to each of `count` keys that nobody else uses, until `isOver`. Authentication refuses it: cheap, and yet
 * counted. Each address pipelines its requests over one connection; what is left unanswered or is answered otherwise than
 * the first one is sent again by itself.
 */
async function flood(trial: Trial, count: number, isOver = () => false, fresh = () => trial.freshAddress()) {
  const most = Math.max(1, Math.min(laneRoutes.length, Math.floor(BATCH_MS / trial.facts.requestMs / WIDTH)));
  const sample = spoilt(trial.right(), "AUTH");
  const usual = mustAnswer(await trial.send(sample, trial.freshAddress())).answer?.status;
  let [left, opened] = [count - 1, 1];
  let refused: Exchange | undefined;
  const worker = async () => {
    while (left > 0 && refused === undefined && !isOver()) {
      const from = fresh();
      const requests = laneRoutes
        .slice(0, Math.min(left, most))
        .map((route) => spoilt(cheap(trial, { route: trial.routeOf(route), from }), "AUTH"));
      left -= requests.length;
      const connection = await pipelined(trial, requests, from);
      connection.abort();
      for (const [at, request] of requests.entries()) {
        const again = connection.statuses[at] === usual ? undefined : mustAnswer(await trial.send(request, from));
        if (again !== undefined && again.answer?.status !== usual) {
          refused ??= again;
          break;
        }
        opened += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  return { opened, refused };
}
