/** Section 8: requests whose bodies are still to come, at every kind of route and in every form: their slots and their time. */
import { BODY_MS, IN_FLIGHT } from "../../interface/limits.ts";
import { paddedTo } from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { arrive, Arriving, costOf, targetForms } from "../../harness/arrivals.ts";
import { Failure, failureIn, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { framings } from "../../harness/framings.ts";
import { isRefused } from "../../harness/checks.ts";
import { cheap, notHeld, refusedSoon, type Key } from "../../harness/limit-keys.ts";
import { LATE_MS } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { COLD, rightValues, routes } from "../../oracle/request-factors.ts";
import { arrivalOf, requestFor, routeOf } from "../../oracle/request-row.ts";
import { secretSources, servedValues } from "../../oracle/request-table.ts";
import { restricted, rowCase } from "../../oracle/row-case.ts";
import { combinationOf, coverageOf, culpritIn, rowsOf, type Row, type Table } from "../../oracle/rows.ts";
import { namesOf } from "../../oracle/flow-factors.ts";

/** A route without its secret refuses at once. */
const table: Table = {
  factors: {
    route: namesOf(routes).filter((kind) => kind !== COLD) as [string, ...string[]],
    framing: namesOf(framings),
    target: namesOf(targetForms),
    connection: ["the only request", "pipelined behind another"],
    "content type": namesOf(rightValues["content type"]),
    credential: namesOf(rightValues.credential),
  },
};

/** A request owes at least this many bytes when it is held. */
const HELD_BYTES = 1;
const SETTLING_MS = 5000;
const BRIEFLY_MS = 500;

const ownKey = (trial: Trial, row: Row): Key => ({ route: routeOf(trial, row), from: trial.freshAddress() });

/**
 * Holds one request of each row; one that is answered because a slot came free late is held again. What another request
 * goes before comes first: the two need two slots for a moment.
 */
async function holdAll(trial: Trial, key: Key, rows: readonly Row[]): Promise<Arriving[]> {
  const begin = (row: Row) => Arriving.begin(trial, key, arrivalOf(row), requestFor(trial, row), HELD_BYTES);
  const held: { row: Row; one: Arriving }[] = [];
  for (const row of rows.toSorted((a, b) => costOf(arrivalOf(b)) - costOf(arrivalOf(a))))
    held.push({ row, one: await begin(row) });
  const isSettled = async () => {
    await trial.barrier();
    for (const item of held) if (item.one.isOver) item.one = await begin(item.row);
    await trial.barrier();
    return !held.some(({ one }) => one.isOver);
  };
  if (!(await trial.until(isSettled, SETTLING_MS, 100))) {
    // Nothing but these requests was sent with the key, and each is accepted alone.
    const refused = held.flatMap(({ one }) => (one.isOver ? [one.exchange()] : [])).find((each) => isRefused(each, {}));
    if (refused !== undefined) throw new Failure("eight requests of a key in flight", describe(refused), [refused]);
    throw notHeld("eight requests could not be held in flight");
  }
  return held.map(({ one }) => one);
}

/** How often it is tried to keep eight in flight: on a busy machine a ninth may arrive before the last of them. */
const TRIES = 3;

/**
 * Eight requests of the first rows take all slots of their route and none of the kinds behind theirs, each two of which
 * meet so; then a plain one is refused, and one of each row.
 */
async function mustBeFull(
  trial: Trial,
  rows: readonly Row[],
  kinds: readonly string[],
  withinMs?: number,
): Promise<void> {
  const key = ownKey(trial, rows[0] ?? {});
  // Each row as often as it takes.
  const held = await holdAll(
    trial,
    key,
    Array.from({ length: IN_FLIGHT }, (_, at) => rows[at % rows.length] as Row),
  );
  const mustBeRefused = (exchange: Exchange | undefined) => {
    if (held.some((one) => one.isOver)) throw notHeld();
    if (exchange !== undefined && !isAccepted(exchange)) return;
    throw new Failure("a ninth request refused beside eight in flight", "the ninth accepted", trial.last);
  };
  try {
    mustBeRefused(await refusedSoon(trial, key, undefined, withinMs));
    for (const kind of kinds.slice(kinds.indexOf(rows[0]?.["route"] ?? "") + 1)) {
      const route = routeOf(trial, { route: kind });
      const beside = await trial.send(cheap(trial, { ...key, route }), key.from);
      if (isRefused(beside, {})) throw new Failure("the slots of other routes free", describe(beside), [beside]);
    }
    for (const row of rows) mustBeRefused((await arrive(trial, key, arrivalOf(row), requestFor(trial, row))).exchange);
  } finally {
    for (const one of held) one.abort();
  }
}

/** A body that comes slowly has so many, most of them at once. */
const OWED_BYTES = 200;
const DRIPS = 3;
const DRIP_MS = 5000;
/** So many requests beside them are broken off. */
const LEFT = 2;

export const heldRowCases: readonly Case[] = [
  rowCase({
    id: "IN-FLIGHT-EVERY-REQUEST",
    title: "Every kind of request takes a slot, and is refused when eight are in flight, on any route",
    clauses: ["IN-FLIGHT-8", "IN-FLIGHT-KEY-PATH"],
    meetsLimits: true,
    needs: ["addresses"],
    uses: secretSources,
    requests: 40,
    reading:
      "At each kind of route eight requests of different forms are held, beside which a plain one is refused, one at another " +
      "kind is not, and then one of every form is. Forms in which the target takes no right request are left out.",
    table,
    async valuesOf(trial) {
      if (!trial.toldApart || !trial.facts.inFlightToldApart)
        throw new NotApplicable("the target does not tell client addresses apart");
      return servedValues(trial);
    },
    play: async () => {},
    async look(trial, rows) {
      const kinds = ((await servedValues(trial))["route"] ?? []).filter((kind) => kind !== COLD);
      const wrongAmong = (some: readonly Row[], withinMs?: number, tries = TRIES): Promise<Failure | undefined> =>
        mustBeFull(trial, some, kinds, withinMs).then(
          () => undefined,
          (error: unknown) =>
            error instanceof Unreached && tries > 1 ? wrongAmong(some, withinMs, tries - 1) : failureIn(error),
        );
      // A target that has been seen to let a ninth in is not waited for as long again.
      const withinMs = rows.length === 1 ? BRIEFLY_MS : undefined;
      const seen = await Promise.all(
        kinds.map(async (kind, first) => {
          const own = rows.filter(({ route }) => route === kind);
          // There are more forms than slots: at each kind others are left to be refused alone.
          const inTurn = [...own.slice(first), ...own.slice(0, first)];
          return { own: inTurn, wrong: own.length > 0 && (await wrongAmong(inTurn, withinMs)) };
        }),
      );
      const [first] = seen.flatMap(({ own, wrong }) => (wrong ? [{ own, failure: wrong }] : []));
      const isWrong = async (some: readonly Row[]) => (await wrongAmong(some, BRIEFLY_MS)) !== undefined;
      if (first === undefined) return undefined;
      // Most often any row will do.
      const [any, ...others] = first.own;
      const row = any && (await isWrong([any])) ? any : await culpritIn(others, isWrong);
      return row && { row, failure: first.failure };
    },
  }),
  {
    id: "BODY-TIME-EVERY-REQUEST",
    title: "A body that sends a byte every 5 seconds is refused after 15 seconds, not before",
    clauses: ["BODY-TIME"],
    needs: ["addresses"],
    uses: secretSources,
    seconds: 18,
    // Tried again before it blames.
    longestMs: 20_000,
    requests: 40,
    reading:
      "15 seconds are for the whole body: a byte now and then does not start them again. Forms in which the target takes no " +
      "right request are left out.",
    async run(trial) {
      const there = restricted(table, await servedValues(trial));
      const rows = rowsOf(there);
      const seen = (await notRefusedInTime(trial, rows)).map(({ row }) => row);
      // A machine that stalls is seen once, a target that waits twice.
      const [first, ...others] = seen.length === 0 ? [] : await notRefusedInTime(trial.fresh(), seen);
      if (first !== undefined) {
        const alike = [first, ...others].filter(({ actual }) => actual === first.actual).map(({ row }) => row);
        const combination = combinationOf(alike, rows, there);
        throw new Failure("a refusal after 15 seconds, and none before", first.actual, trial.last, { combination });
      }
      trial.coverage = coverageOf(table, rows);
    },
  },
];

interface Wrong {
  readonly row: Row;
  readonly actual: "no whole answer" | "an accepted request" | "an answer before its time was over";
}

/** Sends a byte of each row's body every five seconds; the rows that are not refused after 15, or sooner. */
async function notRefusedInTime(trial: Trial, rows: readonly Row[]): Promise<Wrong[]> {
  const since = trial.now();
  const begin = async (row: Row) => {
    const request = paddedTo(requestFor(trial, row), OWED_BYTES);
    return { row, one: await Arriving.begin(trial, ownKey(trial, row), arrivalOf(row), request, DRIPS + 1) };
  };
  const open = await Promise.all(rows.map(begin));
  // Whose clients leave: what their time sets off when it is over ends no target.
  const left = await Promise.all(rows.slice(0, LEFT).map(begin));
  await trial.barrier();
  for (const { one } of left) one.abort();
  const early = new Set<Row>();
  for (let drip = 0; drip < DRIPS; drip += 1) {
    await trial.pass(drip === DRIPS - 1 ? DRIP_MS - 500 : DRIP_MS);
    const over = open.filter(({ one }) => one.isOver);
    // Where the machine has stalled their time may be over.
    if (trial.now() - since < BODY_MS) for (const { row } of over) early.add(row);
    for (const { one } of open) one.drip();
    await trial.barrier();
  }
  await trial.pass(1300);
  const wrong = [...early].map((row): Wrong => ({ row, actual: "an answer before its time was over" }));
  for (const { row, one } of open) {
    if (wrong.length === 0 && !(await one.answeredWithin(LATE_MS))) await trial.barrier();
    if (!one.isOver) wrong.push({ row, actual: "no whole answer" });
    else if (isAccepted(one.exchange())) wrong.push({ row, actual: "an accepted request" });
  }
  return wrong;
}
