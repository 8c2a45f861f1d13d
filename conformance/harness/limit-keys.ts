/** Bringing a key (path and client address) to its limits: what the cases on limits and on order start from. */
import { validRequest, type Request } from "../interface/request.ts";
import { mustAccept, mustAnswer, mustTakeTwin } from "./checks.ts";
import { Failure, Unreached } from "./case-errors.ts";
import { describe, isAccepted, type Exchange } from "../http/exchange.ts";
import type { Upload } from "../http/upload.ts";
import type { Server } from "../targets/server.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import { begun } from "./slow-body.ts";
import type { Trial } from "./trial.ts";

/** Requests at the same time while a budget is spent: well below the in-flight limit. */
const SPEND_WIDTH = 4;
/**
 * A refusal by a limit shows within this time after the requests that cause it have been sent, ms. They may reach a
 * correct target late, and their bodies have 15 seconds from then on.
 */
export const LIMIT_SETTLING_MS = 12_000;
/** Between the first two tries, ms. */
export const LIMIT_POLL_MS = 100;
/** Servers that accepted a ninth request for that whole time. Cases that blame a target for it always wait in full. */
const letNinthIn = new WeakSet<Server>();
/** On these servers a case that merely needs a key with eight requests in flight gives up after this time, ms. */
const BRIEFLY_MS = 1000;

export interface Key {
  readonly route: ConfiguredRoute;
  readonly from: string;
}

export function keyOf(trial: Trial, other: Partial<Key> = {}): Key {
  return { route: other.route ?? trial.route, from: other.from ?? trial.from };
}

export function cheap(trial: Trial, key: Key): Request {
  return validRequest(key.route, trial.facts.cheapBody);
}

export interface Shot {
  readonly request: Request;
  readonly from: string;
}

export function shotsAt(trial: Trial, key: Key, count: number): Shot[] {
  return Array.from({ length: count }, () => ({ request: cheap(trial, key), from: key.from }));
}

/** Sends `count` requests, a few at a time; returns the exchanges in the order of their answers. */
export async function spend(trial: Trial, key: Key, count: number): Promise<Exchange[]> {
  const request = cheap(trial, key);
  const exchanges: Exchange[] = [];
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const exchange = await trial.send(request, key.from);
      exchanges.push(exchange);
      // One lost answer costs the whole request timeout, and the others would be lost as well.
      if (exchange.answer === undefined) left = 0;
    }
  };
  await Promise.all(Array.from({ length: SPEND_WIDTH }, worker));
  return exchanges;
}

export function firstRefusal(exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find((exchange) => !isAccepted(exchange));
}

/** The reason of a case for which a request among the first 120 was refused. */
export const earlyRefusal = (refusal: Exchange): Unreached =>
  new Unreached(`a request within the budget was refused: ${describe(refusal)}`, [refusal], "rate limit");

/**
 * Uses up a fresh key's whole budget, of which `already` requests are spent. A window aligned to the target's clock may end
 * meanwhile, so up to twice the budget is sent. Unreached where none is refused. `refusal`: what the first request beyond the
 * budget got; `accepted`: requests that were let in before, with those that were spent already.
 */
export async function exhausted(
  trial: Trial,
  key: Key,
  already = 0,
): Promise<{ readonly refusal: Exchange; readonly accepted?: number }> {
  const early = firstRefusal(await spend(trial, key, REQUESTS_PER_WINDOW - already));
  // Of a budget that all addresses share other cases have spent some, no one knows how many.
  if (early !== undefined && !trial.toldApart) return { refusal: mustAnswer(early) };
  if (early !== undefined) throw earlyRefusal(early);
  for (let accepted = REQUESTS_PER_WINDOW; accepted <= 2 * REQUESTS_PER_WINDOW; accepted += 1) {
    // A lost answer is no refusal that others could be compared with.
    const refusal = mustAnswer(await trial.send(cheap(trial, key), key.from), "a request beyond the budget");
    if (!isAccepted(refusal)) return { refusal, accepted };
  }
  throw new Unreached("the rate limit refused no request, so it cannot be judged", [], "rate limit");
}

export const notHeld = (
  why = "one of the held requests was answered before its last byte was sent",
  exchanges: readonly Exchange[] = [],
): Unreached => new Unreached(why, exchanges, "requests in flight");

/** Requests in flight: the head and all but the last byte of the body are sent. */
export type HeldRequests = Awaited<ReturnType<typeof hold>>;

type Framing = Pick<Request, "chunked">;

/** Holds `count` requests, of these framings in turns; when it settles the target has seen them all. */
export async function hold(trial: Trial, key: Key, count: number, framings: readonly Framing[] = [{}]) {
  const uploads: Upload[] = [];
  const holdOne = (index: number) =>
    begun(trial, { ...cheap(trial, key), ...framings[index % framings.length] }, key.from);
  for (let index = 0; index < count; index += 1) uploads.push(await holdOne(index));
  await trial.barrier();
  return {
    uploads,
    /** Sends the last bytes and returns the exchanges. */
    finish: () => Promise.all(uploads.map((upload) => trial.finish(upload))),
    abort: () => uploads.forEach((upload) => upload.abort()),
    /** Holds again what was refused, as the slot of a request before it came free late; says how many. */
    async refill() {
      const answered = [...uploads.entries()].filter(([, upload]) => upload.answered);
      for (const [index] of answered) uploads[index] = await holdOne(index);
      await trial.barrier();
      return answered.length;
    },
  };
}

/** The limit refuses a request in flight as it does a ninth; what another check refuses is no matter of slots. */
export function mustBeOfLimit(refused: Exchange, ninth: Exchange): void {
  const { status = 0 } = refused.answer ?? {};
  if (status >= 400 && status < 500 && describe(refused) !== describe(ninth))
    throw notHeld(`a request in flight was refused by another check: ${describe(refused)}`, [refused]);
}

/** Fails where requests are refused because others are read at the same time, which is no matter of limits. */
export async function mustTakeSideBySide(trial: Trial): Promise<void> {
  for (const one of await (await hold(trial, keyOf(trial.fresh()), IN_FLIGHT)).finish())
    mustAccept(one, "each of eight requests accepted whose bodies arrive side by side");
}

/** Fails unless what was held is accepted when it is whole. `ninth`: what was refused beside it. */
export async function mustEndAccepted(ninth: Exchange, held: HeldRequests): Promise<void> {
  const lost = firstRefusal(await held.finish());
  if (lost !== undefined) mustBeOfLimit(lost, ninth);
  if (lost !== undefined) throw new Failure("the requests in flight accepted in the end", describe(lost), [lost]);
}

/**
 * Holds eight requests and sends a ninth, whose refusal is given where there is one. A slot may be freed a moment after its answer, so a request that is refused
 * meanwhile is held again. Unreached where eight cannot be held.
 */
export async function tryFill(trial: Trial, key: Key, withinMs = LIMIT_SETTLING_MS, framings?: readonly Framing[]) {
  mustTakeTwin(await trial.send(cheap(trial, key), key.from));
  const held = await hold(trial, key, IN_FLIGHT, framings);
  const { uploads } = held;
  let refusal: Exchange | undefined;
  const fillUp = async () => {
    await held.refill();
    const ninth = mustAnswer(await trial.send(cheap(trial, key), key.from), "a ninth request");
    refusal = isAccepted(ninth) ? undefined : ninth;
    return refusal !== undefined && !uploads.some((upload) => upload.answered);
  };
  await trial.until(fillUp, withinMs, LIMIT_POLL_MS);
  if (refusal === undefined) letNinthIn.add(trial.server);
  if (uploads.some((upload) => upload.answered)) {
    throw notHeld("eight requests could not be held in flight, so the limit cannot be judged");
  }
  return { held, refusal };
}

/** The same, unreached where a ninth is never refused. */
export async function fillInFlight(trial: Trial, key: Key, framings?: readonly Framing[]) {
  const withinMs = letNinthIn.has(trial.server) ? BRIEFLY_MS : LIMIT_SETTLING_MS;
  const { held, refusal } = await tryFill(trial, key, withinMs, framings);
  if (refusal !== undefined) return { held, refusal };
  throw notHeld("a ninth request in flight was not refused, so the limit cannot be judged");
}

/** How long is waited, ms, and how many requests are held meanwhile. */
export interface Patience {
  /** For a slot to come free after its request is over, as when its connection was broken off. */
  readonly freedMs: number;
  /** For a ninth request to be refused: it may overtake those that it is beside. */
  readonly refusedMs: number;
  readonly others: number;
}

/** What blames a target waits so long. */
export const patient = { freedMs: 3000, refusedMs: LIMIT_SETTLING_MS };

/** Holds as many more as make eight, sends a ninth and ends the eight; what is not answered as it has to be. */
export async function wrongBeside(trial: Trial, key: Key, patience: Patience) {
  let [eighth, ninth]: (Exchange | undefined)[] = [];
  await trial.until(
    async () => {
      const { uploads, finish } = await hold(trial, key, IN_FLIGHT - patience.others);
      // Those may be refused as well.
      const isSeen = async () => {
        ninth = await trial.send(cheap(trial, key), key.from);
        return !isAccepted(ninth) || uploads.some((upload) => upload.answered);
      };
      await trial.until(isSeen, patience.refusedMs, LIMIT_POLL_MS);
      // Refused where the slot of the request before was not free yet; a target may say so only once it has the whole body.
      eighth = firstRefusal(await finish());
      return eighth === undefined;
    },
    patience.freedMs,
    LIMIT_POLL_MS,
  );
  const isLetIn = ninth !== undefined && isAccepted(ninth);
  if (eighth && ninth && !isLetIn) mustBeOfLimit(eighth, ninth);
  if (eighth) return { expected: "room for eight requests in flight", exchange: eighth };
  return ninth && isLetIn ? { expected: "a ninth request refused beside eight in flight", exchange: ninth } : undefined;
}

/** Sends requests, for a moment, until one is answered so; the last of them. `beforeEach` runs before each. */
async function sentUntil(
  trial: Trial,
  key: Key,
  isWanted: (exchange: Exchange) => boolean,
  beforeEach = async () => {},
  withinMs = LIMIT_SETTLING_MS,
): Promise<Exchange> {
  let last: Exchange | undefined;
  const isOver = async () => {
    await beforeEach();
    last = await trial.send(cheap(trial, key), key.from);
    return isWanted(last);
  };
  await trial.until(isOver, withinMs, LIMIT_POLL_MS);
  return last as unknown as Exchange;
}

/** The refusal of one more request, retried for a moment; undefined if none is refused. */
export async function refusedSoon(trial: Trial, key: Key, beforeEach = async () => {}, withinMs = LIMIT_SETTLING_MS) {
  const last = await sentUntil(trial, key, (exchange) => !isAccepted(exchange), beforeEach, withinMs);
  return isAccepted(last) ? undefined : last;
}

/** How long a ninth request is sent again: it may arrive before the last of the eight, ms. */
const NINTH_MS = 2000;

/** The refusal of a ninth request beside eight; undefined if none is refused. */
export const ninthRefused = (trial: Trial, key: Key) => refusedSoon(trial, key, undefined, NINTH_MS);

/** The first accepted request, or the last refusal, within a moment: slots may take that long to come free. */
export const acceptedSoon = (trial: Trial, key: Key): Promise<Exchange> => sentUntil(trial, key, isAccepted);

const HOUR_MS = 3_600_000;

/** A budget that was used up at this moment is there an hour later: a window known by the minute of the hour would be that one again. */
export async function mustBeBackInAnHour(trial: Trial, key: Key, usedUpAt: number): Promise<void> {
  await trial.pass(Math.max(0, usedUpAt + HOUR_MS - trial.now()));
  mustAccept(await trial.send(cheap(trial, key), key.from), "a used-up budget available again an hour later");
}
