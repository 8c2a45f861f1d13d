/** Section 8: the in-flight limit, by itself, when requests arrive at one moment, and beside the windows of the rate limit. */
import {
  BODY_MS,
  IN_FLIGHT,
  REAL_SLACK_MS,
  REQUESTS_PER_WINDOW,
  WINDOW_MS,
  type Interval,
} from "../../interface/limits.ts";
import { HOME_ADDRESS } from "../../targets/lanes.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Upload } from "../../http/upload.ts";
import { servedBodies } from "../../harness/arrivals.ts";
import { headsAtOnce } from "../../harness/at-once.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustAnswer, mustRefuse, mustTakeTwin, setUp } from "../../harness/checks.ts";
import {
  acceptedSoon,
  cheap,
  exhausted,
  fillInFlight,
  firstRefusal,
  hold,
  keyOf,
  mustEndAccepted,
  mustTakeSideBySide,
  notHeld,
  patient,
  refusedSoon,
  LIMIT_POLL_MS,
  LIMIT_SETTLING_MS,
  shotsAt,
  spend,
  tryFill,
  wrongBeside,
  type HeldRequests,
  type Key,
} from "../../harness/limit-keys.ts";
import { mustBeWithin, passUntil } from "../../harness/slow-body.ts";
import { STALLED, type Trial } from "../../harness/trial.ts";
import { mustMeasure } from "../../harness/measure.ts";

const bursts = [
  { clients: 1, each: IN_FLIGHT },
  { clients: 1, each: 24 },
  { clients: 8, each: 9 },
];

const owing = (uploads: readonly Upload[]): Upload[] => uploads.filter((upload) => !upload.answered);

/**
 * The most requests of one client that were in flight together; undefined where those of a client all came to nothing,
 * as on a target that cannot take so many connections.
 */
async function mostAtOnce(trial: Trial, { clients, each }: (typeof bursts)[number]): Promise<number | undefined> {
  // RATE-121-REFUSED uses up the budgets of the other two routes of a lane.
  const alone = trial.toldApart ? { route: trial.stranger, from: HOME_ADDRESS } : {};
  const keys = Array.from({ length: clients }, () =>
    keyOf(trial, clients === 1 ? alone : { from: trial.freshAddress() }),
  );
  const shots = keys.flatMap((key) => shotsAt(trial, key, each));
  const uploads = await headsAtOnce(trial, shots, 1);
  const ofEach = keys.map((_key, index) => uploads.slice(index * each, (index + 1) * each));
  // When it is answered all heads have been seen, also where a connection waits for a free worker.
  await trial.barrier();
  const isOver = () => Promise.resolve(ofEach.every((some) => owing(some).length <= IN_FLIGHT));
  await trial.until(isOver, LIMIT_SETTLING_MS);
  for (const upload of uploads.filter(({ answered }) => answered)) {
    const early = await trial.answerOf(upload);
    if (isAccepted(early)) throw notHeld(undefined, [early]);
    if (each <= IN_FLIGHT || early.answer !== undefined) mustRefuse(mustAnswer(early));
  }
  const held = ofEach.map(owing);
  const ended = await Promise.all(held.map((some) => Promise.all(some.map((upload) => trial.finish(upload)))));
  const accepted = ended.map((exchanges) => exchanges.filter(isAccepted).length);
  if (each <= IN_FLIGHT && !accepted.includes(0)) for (const exchange of ended.flat()) mustAnswer(exchange);
  return accepted.includes(0) ? undefined : Math.max(...accepted);
}

const common = { meetsLimits: true, requests: 60 } as const;
/** Within the time that a body has, ms. */
const HELD_MS = 12_200;
/** This many turns take longer than a window, wherever it began. */
const ROUNDS = 5;
/** How long bodies stay incomplete, less than the limit, ms. */
const OWED_MS = 5000;

/** Requests whose bodies time out, and when the others of eight take their slots, ms. */
const [HALF, LATER_MS] = [IN_FLIGHT / 2, 10_000];

/** More are not tried. */
const MOST_HELD = 2 * IN_FLIGHT + 1;

/** How many requests are held when one more is refused. */
async function mostHeld(trial: Trial, key: Key): Promise<Interval> {
  const uploads: Upload[] = [];
  // One that is answered is not in flight: it was refused, as the slot of a request before it was not free yet.
  const held = () => uploads.filter(({ answered }) => !answered).length;
  const holdUpTo = async (count: number) => {
    if (held() < count) uploads.push(...(await hold(trial, key, 1)).uploads);
  };
  for (let tries = 0; tries < 2 * MOST_HELD && held() < MOST_HELD; tries += 1) {
    await holdUpTo(MOST_HELD);
    const count = held();
    const next = await trial.send(cheap(trial, key), key.from);
    // A slot may come free late: then this one is refused, or the last of those held is, which may be told after it.
    if (!isAccepted(next) && held() < IN_FLIGHT && isAccepted(await acceptedSoon(trial, key))) continue;
    if (!isAccepted(next)) return { least: held(), most: held() };
    // Of the eight one may arrive late.
    if (count === IN_FLIGHT && (await refusedSoon(trial, key, () => holdUpTo(count))))
      return { least: count, most: count };
  }
  if (held() < MOST_HELD)
    throw new Unreached("held requests were answered repeatedly before their bodies were complete", trial.last);
  return { least: MOST_HELD };
}

/** What is sent beside eight held requests stays refused. `expected`: in the words of the case. */
function mustStayRefused(held: HeldRequests, exchange: Exchange, expected: string): void {
  if (held.uploads.some((upload) => upload.answered)) throw notHeld(undefined, [exchange]);
  if (isAccepted(exchange)) throw new Failure(expected, "accepted", [exchange]);
  mustRefuse(exchange);
}

export const inFlightCases: readonly Case[] = [
  {
    id: "IN-FLIGHT-AT-ONCE",
    title: "Of requests that arrive at the same moment, at most eight of each client are accepted",
    clauses: ["IN-FLIGHT-8", "IN-FLIGHT-KEY-ADDRESS"],
    meetsLimits: true,
    requests: 40,
    reading:
      "Eight clients at once, each with more than eight requests that owe the last byte of their bodies: a limiter that " +
      "looks for a free slot and takes it later lets in too many. Of more than eight it may let in fewer. One client " +
      "alone comes from 127.0.0.1 where the target tells addresses apart: it is limited like any other.",
    async run(trial) {
      for (const burst of bursts) {
        if (burst.clients > 1 && !trial.toldApart) return;
        const most = await mostAtOnce(trial, burst);
        if (most === undefined && burst.clients > 1) return;
        if (most === undefined)
          throw new Unreached(`none of ${burst.each} requests was accepted in the end`, trial.last);
        // One buffer for several bodies is no matter of limits.
        if (most < burst.each && trial.last.some((one) => envelopeOf(one)?.code === "invalid_request"))
          await mustTakeSideBySide(trial);
        if (burst.each <= IN_FLIGHT && most < burst.each)
          throw new Failure("eight requests in flight, all accepted", `${most} of them`, trial.last);
        if (most <= IN_FLIGHT) continue;
        const of = burst.clients === 1 ? "one client" : `one of ${burst.clients} clients`;
        throw new Failure("at most eight requests in flight", `more of ${of}`, trial.last);
      }
    },
  },
  {
    ...common,
    id: "IN-FLIGHT-9-REFUSED",
    title: "A ninth request in flight is refused, and the eight others complete",
    clauses: ["IN-FLIGHT-8"],
    async run(trial) {
      if (trial.facts.stalls && trial.facts.translated === true) throw new Unreached(STALLED);
      check(
        !trial.facts.stalls,
        "an answer while the body of another request is owed",
        "none before that one was over",
      );
      const key = keyOf(trial);
      mustMeasure(trial, "in flight", await mostHeld(trial, keyOf(trial, { route: trial.sibling })));
      const { held, refusal } = await tryFill(trial, key);
      const expected = "a ninth request refused while the last byte of eight others is still to come";
      if (refusal === undefined) throw new Failure(expected, "accepted", trial.last);
      mustRefuse(refusal);
      // A refused request never had a slot, so it must not free one.
      for (let again = 1; again <= 2; again += 1) {
        const next = await trial.send(cheap(trial, key), key.from);
        mustStayRefused(held, next, "the next request refused like the ninth, with the same eight held");
      }
      await mustEndAccepted(refusal, held);
      mustAccept(await acceptedSoon(trial, key), "a request accepted when the eight are over");
    },
  },
  {
    ...common,
    id: "IN-FLIGHT-FREED-TIMEOUT",
    title: "A request whose body timed out frees its slot, and no other",
    clauses: ["IN-FLIGHT-FREED", "IN-FLIGHT-8"],
    seconds: 17,
    reading:
      "Of eight, half of them in chunks where the target takes those, four are over after ten seconds, and four others are " +
      "held. Then the first four time out, and their clients leave: four are let in again, and a ninth is not.",
    async run(trial) {
      const key = keyOf(trial);
      const { held, refusal } = await fillInFlight(trial, key, await servedBodies(trial));
      const [early, over] = [held.uploads.slice(0, HALF), held.uploads.slice(HALF)];
      await trial.pass(LATER_MS);
      const lostBefore = firstRefusal(await Promise.all(over.map((upload) => trial.finish(upload))));
      if (lostBefore !== undefined) {
        await mustTakeSideBySide(trial);
        throw notHeld("a request in flight was not accepted", [lostBefore]);
      }
      const since = trial.now();
      const late = await hold(trial, key, HALF);
      // A slot may come free late.
      await trial.until(async () => (await late.refill()) === 0, LIMIT_SETTLING_MS, LIMIT_POLL_MS);
      await trial.pass(15_500 - LATER_MS);
      for (const upload of early) {
        await upload.answeredWithin(1500);
        // A target may wait a while for the rest of what it has refused, with the slot taken.
        upload.abort();
      }
      const wrong = await wrongBeside(trial, key, { ...patient, others: HALF });
      const cut = firstRefusal(await late.finish());
      if (wrong === undefined || isAccepted(wrong.exchange)) mustBeWithin(trial, since, BODY_MS - REAL_SLACK_MS);
      const { expected, exchange } = wrong ?? { expected: "the requests beside them accepted", exchange: cut };
      if (exchange === undefined) return;
      // What is lost as well where nothing has ended is no matter of slots.
      if (!isAccepted(exchange) && describe(exchange) !== describe(refusal)) await mustTakeSideBySide(trial);
      throw new Failure(`${expected}, after four ran out of time`, describe(exchange), [exchange]);
    },
  },
  {
    id: "IN-FLIGHT-ACROSS-WINDOWS",
    title: "Requests in flight still count when a rate-limit window ends",
    clauses: ["IN-FLIGHT-8"],
    meetsLimits: true,
    seconds: 61,
    clock: "driven",
    requests: 110,
    reading:
      "Eight are held for twelve seconds, five times: the end of a window falls into one of them, whether windows begin with " +
      "a key's first request or are aligned to the clock.",
    async run(trial) {
      const key = keyOf(trial);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const since = trial.now();
        const { held, refusal } = await fillInFlight(trial, key);
        await trial.pass(HELD_MS);
        const ninth = await trial.send(cheap(trial, key), key.from);
        mustBeWithin(trial, since, BODY_MS - REAL_SLACK_MS);
        mustStayRefused(held, ninth, "a ninth request refused twelve seconds later as well");
        await mustEndAccepted(refusal, held).catch((error: unknown) => {
          mustBeWithin(trial, since, BODY_MS - REAL_SLACK_MS);
          throw error;
        });
        setUp(await acceptedSoon(trial, key), "a request when none is in flight");
      }
    },
  },
  {
    id: "ORDER-RATE-HOLDS-NO-SLOT",
    title: "A request refused by the rate limit takes no slot, be it whole or with its body to come",
    clauses: ["ORDER-RATE-IN-FLIGHT"],
    level: "must",
    costly: true,
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW + 28,
    seconds: 61,
    clock: "driven",
    reading: "Seen in the next window, with eight such requests still open and seven more over.",
    async run(trial) {
      const key = keyOf(trial);
      const opened = { least: trial.now(), most: 0 };
      const beside = await hold(trial, key, 1);
      mustRefuse((await exhausted(trial, key, 1)).refusal);
      await spend(trial, key, IN_FLIGHT - 1);
      await beside.finish();
      opened.most = trial.now();
      // Their bodies have 15 seconds, too.
      await passUntil(trial, opened.least, WINDOW_MS - OWED_MS, OWED_MS);
      if (isAccepted(await trial.send(cheap(trial, key), key.from))) {
        throw new NotApplicable("all windows start together here, and this one ended too early");
      }
      await hold(trial, key, IN_FLIGHT);
      // In the next window they would be held.
      mustBeWithin(trial, opened.least, WINDOW_MS);
      await passUntil(trial, opened.most, WINDOW_MS + 1000, BODY_MS);
      mustTakeTwin(await trial.send(cheap(trial, keyOf(trial, { route: trial.sibling })), key.from));
      // As many are let in as were there when others were refused beside it.
      await hold(trial, key, 1);
      mustAccept(await trial.send(cheap(trial, key), key.from), "a second request accepted in the next window");
    },
  },
];
