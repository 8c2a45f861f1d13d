/** Section 8: both limits among more keys than are tracked. */
import { spoilt } from "../../interface/broken-requests.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, TRACKED_KEYS, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { lanes } from "../../targets/standard-routes.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, isRefused, mustAccept } from "../../harness/checks.ts";
import { pipelined } from "../../harness/connection.ts";
import {
  acceptedSoon,
  cheap,
  earlyRefusal,
  fill,
  firstRefusal,
  hold,
  keyOf,
  mustEndAccepted,
  refusedNext,
  refusedSoon,
  spend,
  type Held,
  type Key,
} from "../../harness/limit-keys.ts";
import { mustMeasure } from "../../harness/measure.ts";
import type { Trial } from "../../harness/trial.ts";

const BUDGET = REQUESTS_PER_WINDOW;
/** What the keys in use have spent and hold before the flood. */
const [HALF, SOME] = [BUDGET / 2, 3];
/** The keys that are looked at after the flood. */
const IN_USE = 3;
/** Other cases on the same target have keys of their own. */
const MARGIN = 64;
/** A body that is held longer may be refused for that, by a clock that is read late, ms. */
const HELD_MS = 14_000;

/** A key with half of its budget. */
interface HalfSpent {
  readonly key: Key;
  readonly since: number;
}

/** One key with eight requests in flight, and one with some. */
interface Slots {
  readonly full: Key;
  readonly part: Key;
  readonly held: Held[];
  readonly since: number;
}

export const trackedKeysCases: readonly Case[] = [
  {
    id: "LIMITS-4096-KEYS",
    title: "Among 4,096 other keys budgets and slots stay as they are, and keys whose time is over take no room",
    clauses: ["RATE-KEY-ADDRESS", "IN-FLIGHT-KEY-ADDRESS", "TRACKED-KEYS"],
    level: "must",
    gaps: ["rate.tracked-keys"],
    costly: true,
    meetsLimits: true,
    needs: ["addresses"],
    alone: true,
    clock: "driven",
    requests: 2 * BUDGET + 2,
    // Only where a new key is refused after the flood.
    longestMs: WINDOW_MS + 10_000,
    reading:
      "Section 8: up to 4,096 keys are tracked, so among so many none is forgotten. What happens to new keys beyond is left " +
      "open, and judged where the profile names a number: a flood that opens new slots would undo the limit. Keys whose " +
      "requests are over are not in flight and take no room. Windows that are over take none either: that is seen where " +
      "the clock can be driven.",
    async run(trial) {
      const bound = trial.profile.gaps["rate.tracked-keys"];
      const tracked = bound ?? TRACKED_KEYS;
      const others = tracked - MARGIN - IN_USE;
      const half = await useHalf(trial);
      const slots = await useSlots(trial);
      // A window aligned to the clock may end meanwhile: the next one will not.
      if (!(await keepsBudget(trial, half, others)) && !(await keepsBudget(trial, await useHalf(trial), others)))
        throw new Failure("the 121st request of a key refused after the flood as well", "it was accepted", trial.last);
      await mustKeepPart(trial, slots);
      await mustKeepFull(trial, slots);
      if (bound !== undefined) {
        await flood(trial, MARGIN + 2 * IN_USE);
        await mustKeepFull(trial, slots);
        await mustRefuseNext(trial, newKey(trial), "a key beyond those tracked", 2 * BUDGET + 1);
      }
      mustMeasure(trial, "tracked keys", { least: others });
      const wasHeld = await finishAll(trial, slots);
      if (bound !== undefined) await mustFindRoom(trial);
      if (bound !== undefined && trial.driven) {
        await trial.pass(2 * WINDOW_MS);
        await mustHaveOwnLimits(trial);
      }
      if (!wasHeld) throw new NotApplicable(`${tracked} keys took longer than a body has time; the budgets were kept`);
    },
  },
];

const newKey = (trial: Trial, route = trial.route): Key => keyOf(trial, { route, from: trial.freshAddress() });

async function useHalf(trial: Trial): Promise<HalfSpent> {
  const [key, since] = [newKey(trial), trial.now()];
  const early = firstRefusal(await spend(trial, key, HALF));
  if (early !== undefined) throw earlyRefusal(early);
  return { key, since };
}

async function useSlots(trial: Trial): Promise<Slots> {
  const [full, part] = [newKey(trial, trial.sibling), newKey(trial, trial.sibling)];
  const since = trial.now();
  const held = [(await fill(trial, full)).held, await hold(trial, part, SOME)];
  return { full, part, held, since };
}

/** Floods; fails unless the other half of the budget is there. False where more is: its window may have ended. */
async function keepsBudget(trial: Trial, { key, since }: HalfSpent, others: number): Promise<boolean> {
  await flood(trial, others);
  const early = firstRefusal(await spend(trial, key, BUDGET - HALF));
  if (early !== undefined) throw new Failure("the second half of a budget accepted", describe(early), [early]);
  const next = await trial.send(cheap(trial, key), key.from);
  if (!isAccepted(next)) {
    mustStayRefused(next, "the 121st request of a key");
    return true;
  }
  if (trial.now() - since >= WINDOW_MS) throw new NotApplicable("so many keys took longer than a window");
  return false;
}

const mustStayRefused = (exchange: Exchange, what: string): void =>
  check(isRefused(exchange, {}), `${what} refused after the flood as well`, describe(exchange), exchange);

/** Whether the time of the held bodies may be over: then nothing can be seen of their slots. */
const isOver = (trial: Trial, { held, since }: Slots): boolean =>
  trial.now() - since >= HELD_MS || held.some(({ uploads }) => uploads.some(({ answered }) => answered));

/** The key with some requests in flight has as many slots left as before. */
async function mustKeepPart(trial: Trial, slots: Slots): Promise<void> {
  if (isOver(trial, slots)) return;
  const more = await hold(trial, slots.part, IN_FLIGHT - SOME);
  const ninth = await refusedSoon(trial, slots.part);
  if (isOver(trial, slots)) return;
  slots.held.push(more);
  mustHold(trial, more, ninth);
}

/** The key with eight in flight refuses one more. */
async function mustKeepFull(trial: Trial, slots: Slots): Promise<void> {
  if (isOver(trial, slots)) return;
  const ninth = await trial.send(cheap(trial, slots.full), slots.full.from);
  if (!isOver(trial, slots)) mustStayRefused(ninth, "a ninth request in flight");
}

/** Fails unless these are in flight and the ninth was refused. */
function mustHold(trial: Trial, { uploads }: Held, ninth: Exchange | undefined): void {
  const lost = uploads.filter(({ answered }) => answered).length;
  check(lost === 0, "eight requests of a key held in flight", "some of them answered", ...trial.last);
  check(ninth !== undefined, "a ninth request in flight refused", "it was accepted", ...trial.last);
}

/** A window aligned to the clock may end on the way: `most` goes beyond two budgets then. */
async function mustRefuseNext(trial: Trial, key: Key, what: string, most?: number): Promise<void> {
  await refusedNext(trial, key, most).catch((error: unknown) => {
    if (!(error instanceof Unreached) || error.exchanges.length > 0) throw error;
    throw new Failure(`a limit for ${what}`, "no request was refused", trial.last);
  });
}

/** Finishes what is held; fails where one is refused then. False where their time was over. */
async function finishAll(trial: Trial, slots: Slots): Promise<boolean> {
  const inTime = !isOver(trial, slots);
  await mustEndAccepted(...slots.held).catch((error: unknown) => {
    if (inTime) throw error;
  });
  return inTime;
}

/** A new key is accepted when all requests before are over, or when their windows are, too. */
async function mustFindRoom(trial: Trial): Promise<void> {
  const fresh = newKey(trial);
  if (isAccepted(await trial.send(cheap(trial, fresh), fresh.from))) return;
  // The rate limit may have no room for more keys until the windows of those in the flood are over.
  await trial.pass(WINDOW_MS + 1000);
  const later = await acceptedSoon(trial, fresh);
  mustAccept(later, "a request of a new key accepted when all of those before are over");
}

/** A new key has its whole budget and eight slots, and no more. */
async function mustHaveOwnLimits(trial: Trial): Promise<void> {
  const [budget, slots] = [newKey(trial), newKey(trial, trial.sibling)];
  const early = firstRefusal(await spend(trial, budget, BUDGET));
  if (early !== undefined) throw new Failure("120 requests of a new key accepted", describe(early), [early]);
  await mustRefuseNext(trial, budget, "a new key when the windows of those before are over");
  const held = await hold(trial, slots, IN_FLIGHT);
  mustHold(trial, held, await refusedSoon(trial, slots));
  await mustEndAccepted(held);
}

/** Connections of a flood at the same time. */
const WIDTH = 8;

const laneRoutes = lanes.flatMap(({ route, sibling, stranger }) => [route, sibling, stranger]);

/**
 * A flood of keys: one request to each of `count` that nobody else uses. Authentication refuses it: cheap, and yet counted. Each
 * address pipelines its requests to all routes over one connection; those left unanswered are sent again one by one.
 */
async function flood(trial: Trial, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      const from = trial.freshAddress();
      const requests = laneRoutes.slice(0, left).map((route) => {
        const key = { route: trial.routeOf(route), from };
        return spoilt(cheap(trial, key), "AUTH");
      });
      left -= requests.length;
      const connection = await pipelined(trial, requests, from);
      connection.abort();
      for (const request of requests.slice(connection.statuses.length)) await trial.send(request, from);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
