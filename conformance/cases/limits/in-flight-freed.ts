/** Section 8: each way in which a request ends frees its slot and no other, and takes its part off the budget. */
import * as fc from "fast-check";
import { grouped } from "../../foundation/grouped.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { TooMuchAnswered } from "../../http/harness-error.ts";
import { Failure, leftOut, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import {
  cheap,
  firstRefusal,
  hold,
  keyOf,
  notHeld,
  patient,
  spend,
  wrongBeside,
  type Key,
  type Patience,
} from "../../harness/limit-keys.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { mustBeWithin } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { culpritIn } from "../../oracle/rows.ts";
import { endingsFor, severalEndings, type Ending } from "./endings.ts";

/** A first look, which blames nobody: a slot that comes free late is lawful, so it waits for that alone. */
const glance = { ...patient, refusedMs: 300 };
/** With a target that has been seen to keep a slot, or to give one too many. */
const brisk = { ...glance, freedMs: 300 };
const refusedLate = ["AUTH", "BAD-JSON"] as const;
/** Eight in flight and one that is refused beside them, these, and one that shows that the others were not counted twice. */
const LATE = IN_FLIGHT + refusedLate.length + 2;

/** Endings that are told: each takes a patient look. */
const MOST_TOLD = 2;
/** Requests around some endings, at most. */
const AROUND = 20;

interface Wrong {
  readonly clause: ClauseId;
  readonly expected: string;
  readonly exchange: Exchange;
}

/** Fills up the budget of a key that has spent so many, at last with what later checks refuse, and sends one more. */
async function wrongBudget(trial: Trial, key: Key, spent: number): Promise<Wrong | undefined> {
  const left = REQUESTS_PER_WINDOW - spent;
  const hasRoom = left > 2 * LATE;
  let early = firstRefusal(await spend(trial, key, left - (hasRoom ? LATE : 0)));
  if (hasRoom) {
    const held = await hold(trial, key, IN_FLIGHT);
    await trial.send(cheap(trial, key), key.from);
    await held.finish();
    for (const id of refusedLate) await trial.send(spoilt(cheap(trial, key), id), key.from);
    early ??= firstRefusal(await spend(trial, key, 1));
  }
  const clause = "RATE-120";
  const expected = "120 requests of a key let in";
  if (early !== undefined) return { clause, expected, exchange: early };
  const exchange = await trial.send(cheap(trial, key), key.from);
  return isAccepted(exchange) ? { clause, expected: `no more than ${expected}`, exchange } : undefined;
}

/**
 * What is wrong when, beside six requests in flight, others have come to these ends; `their time` where the six were over
 * first: on a busy machine, or as another case lets time pass on the same clock.
 */
async function wrongBehind(
  trial: Trial,
  endings: readonly Ending[],
  patience: Patience,
): Promise<Wrong | "their time" | undefined> {
  if (!trial.toldApart && trial.requests + endings.length + AROUND > REQUESTS_PER_WINDOW)
    throw new Unreached("the requests of this case used up the rate limit", [], "rate limit");
  const key = keyOf(trial.fresh());
  const { uploads, finish } = await hold(trial, key, patience.others);
  let spent: number | undefined = 0;
  for (const { end, spends } of endings) {
    const isLeftOut = (await end(trial.fresh(), key).catch(leftOut)) === false;
    spent = spent === undefined || spends === undefined ? undefined : spent + (isLeftOut ? 0 : spends);
  }
  const before = trial.requests;
  const beside = await wrongBeside(trial, key, patience);
  const wrong = beside && ({ clause: "IN-FLIGHT-FREED", ...beside } as const);
  if (uploads.some((upload) => upload.answered)) return "their time";
  await finish();
  if (wrong !== undefined || spent === undefined || !trial.toldApart) return wrong;
  return wrongBudget(trial, key, spent + trial.requests - before);
}

/** A window aligned to the clock may end on the way, and bodies may run out of time: the same has to show again. */
async function steadilyWrong(
  trial: Trial,
  endings: readonly Ending[],
  patience: Patience,
): ReturnType<typeof wrongBehind> {
  if ((await wrongBehind(trial, endings, patience)) === undefined) return undefined;
  const since = trial.now();
  const again = await wrongBehind(trial, endings, patience);
  if (again !== undefined && again !== "their time") mustBeWithin(trial, since, WINDOW_MS);
  return again;
}

const failureOf = ({ clause, expected, exchange }: Wrong, what: string): Failure =>
  new Failure(`${expected}, after one that was ${what}`, describe(exchange), [exchange], { clause });

/** What is wrong without any of the endings is not blamed on one. */
async function mustHoldWithout(trial: Trial, patience: Patience): Promise<void> {
  const wrong = await steadilyWrong(trial, [], patience);
  if (wrong === undefined) return;
  if (wrong !== "their time" && wrong.clause === "RATE-120")
    throw failureOf(wrong, "refused late in a window: beside eight, for its secret or its body");
  throw new Unreached("the limit already fails before any request has ended", trial.last);
}

/**
 * Judges endings together; where something is wrong behind them, tells the first ending that it takes, and goes on behind
 * that one. `others`: requests that are held meanwhile; beside seven there would be no slot for an ending to take in vain.
 */
export async function judgeEndings(
  trial: Trial,
  endings: readonly Ending[],
  others = IN_FLIGHT - 2,
  isKnownWrong = false,
): Promise<void> {
  if (endings.length === 0) return;
  const look = isKnownWrong ? brisk : glance;
  const wrong = await steadilyWrong(trial, endings, { ...look, others });
  if (wrong === undefined) return;
  const judgeHalves = async () => {
    const middle = Math.ceil(endings.length / 2);
    for (const half of [endings.slice(0, middle), endings.slice(middle)])
      await judgeEndings(trial, half, others, isKnownWrong);
  };
  if (wrong === "their time") {
    if (endings.length < 2) throw notHeld(undefined, trial.last);
    return judgeHalves();
  }
  const patience = { ...patient, others };
  const search = async () => {
    if (!isKnownWrong) await mustHoldWithout(trial, patience);
    return blamed(trial, endings, patience);
  };
  const culprit = await search().catch((error: unknown) => {
    if (!(error instanceof TooMuchAnswered)) throw error;
    // Lists of all flows are long answers; what was seen is told all the same.
    if (!isKnownWrong) throw failureOf(wrong, together(endings));
    return undefined;
  });
  if (culprit !== undefined) return judgeEndings(trial, endings.slice(endings.indexOf(culprit) + 1), others, true);
  // A brisk look cannot tell a slot that comes free late from one that is lost: the rest is not judged.
  if (isKnownWrong) return;
  // Where a busy machine led the search astray, fewer endings take less time.
  const told = trial.record.found.length;
  if (endings.length > 1) await judgeHalves();
  if (trial.record.found.length === told) await mustBeRightTogether(trial, endings, patience);
}

const together = (endings: readonly Ending[]): string => `${endings[0]?.what}, and ${endings.length - 1} others`;

/** What no ending shows by itself. */
async function mustBeRightTogether(trial: Trial, endings: readonly Ending[], patience: Patience): Promise<void> {
  const wrong = await steadilyWrong(trial, endings, patience);
  if (wrong === "their time") throw notHeld(undefined, trial.last);
  if (wrong !== undefined) throw failureOf(wrong, together(endings));
}

/** Tells the first of these behind which something is wrong; undefined where a patient look at it alone sees nothing. */
async function blamed(trial: Trial, endings: readonly Ending[], patience: Patience): Promise<Ending | undefined> {
  const isWrong = async (some: readonly Ending[]) => {
    const seen = await wrongBehind(trial, some, { ...patience, ...brisk });
    return seen !== undefined && seen !== "their time";
  };
  const culprit = await culpritIn(endings, isWrong);
  const wrong = culprit && (await wrongBehind(trial, [culprit], patience));
  if (culprit === undefined || wrong === undefined || wrong === "their time") return undefined;
  const failure = failureOf(wrong, culprit.what);
  if (trial.record.found.length + 1 >= MOST_TOLD) throw failure;
  trial.record.find(failure);
  return culprit;
}

export const inFlightFreedCases: readonly Case[] = [
  {
    id: "IN-FLIGHT-FREED",
    title: "A request frees its own slot and spends one of 120, however it ends",
    clauses: ["IN-FLIGHT-FREED", "IN-FLIGHT-8", "RATE-120", "ORDER-METHOD-IN-FLIGHT", "ORDER-METHOD-RATE"],
    meetsLimits: true,
    uses: ["sessions"],
    requests: REQUESTS_PER_WINDOW,
    longestMs: 60_000,
    reading:
      "Beside six requests in flight others end, each in its own way: accepted by each action, refused by each check and for " +
      "each reason that a flow gives, or broken off. Then two more are let in, and a ninth is not; and 120 are let in in all. " +
      "A slot may be free a moment later. What method or content type refuse has never had one and spends nothing, also " +
      "while its body is owed; what is broken off may count or not.",
    async run(trial) {
      // By how they are counted: what is open of one would be open of all. Those that clients break off are the plainest.
      const groups = grouped(await endingsFor(trial), ({ spends }) => spends === undefined);
      for (const endings of [...groups.values()].toReversed()) await judgeEndings(trial, endings);
    },
  },
];

/** Every ending whose part of the budget is known, and these, in an order that the seed draws. */
async function historyFor(trial: Trial, seed: number): Promise<readonly Ending[]> {
  const single = (await endingsFor(trial)).filter(({ spends }) => spends !== undefined);
  const counts = fc.tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 2, max: 4 }));
  const histories = counts.chain((drawn) => {
    const all = [...single, ...severalEndings(drawn)];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });
  return fc.sample(histories, { seed, numRuns: 1 })[0] ?? [];
}

export const limitsProperty = (seed: number): Case => ({
  id: "PROPERTY-LIMITS",
  title: "Whatever was sent before, a key has 120 requests a window and eight in flight",
  clauses: [
    "RATE-120",
    "RATE-KEY-PATH",
    "RATE-KEY-ADDRESS",
    "ORDER-RATE-IN-FLIGHT",
    "IN-FLIGHT-8",
    "IN-FLIGHT-FREED",
    "IN-FLIGHT-KEY-PATH",
    "BODY-TIME",
  ],
  alone: true,
  costly: true,
  clock: "driven",
  needs: ["addresses"],
  uses: ["sessions", "persistence"],
  meetsLimits: true,
  requests: REQUESTS_PER_WINDOW,
  longestMs: 60_000,
  reading:
    "Requests that end in each way of IN-FLIGHT-FREED, several that are broken off together, and where the clock can be " +
    "driven some that run out of time, in an order that the seed draws. A window that ends by the clock may end on the way: " +
    "what is wrong has to be so a second time in a row.",
  async run(trial) {
    if (!trial.toldApart) throw new NotApplicable("the target does not tell client addresses apart");
    await judgeEndings(trial, await historyFor(trial, seed), 0);
  },
});
