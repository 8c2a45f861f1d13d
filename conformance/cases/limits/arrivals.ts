/** Section 8: every limit holds for a request however it arrives. */
import { PASSES_BYTES, REFUSED_BYTES } from "../../interface/broken-requests.ts";
import { paddedTo } from "../../interface/request.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { isAccepted } from "../../http/exchange.ts";
import { arrivals, arrive, Arriving, servedArrivals, type Arrival } from "../../harness/arrivals.ts";
import { Failure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell, type Visit } from "../../harness/cells.ts";
import { check, twin } from "../../harness/checks.ts";
import { cheap, exhaust, fill, keyOf, refusedSoon, spend, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";

const served =
  "A way in which the target does not take a small request either is left out: a path with a query, chunks and " +
  "HTTP/1.0 need not be served.";

const tableOf = (trial: Trial, ...columns: string[]): Visit =>
  everyCell(
    trial,
    arrivals.map(({ what }) => what),
    columns,
  );

const cycled = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from({ length: count }, (_, index) => items[index % items.length] as Item);

/** Requests on the key that one arrival takes. */
const costOf = ({ behind }: Arrival): number => (behind === undefined ? 1 : 2);

/** Spends a fresh key's budget by requests of these ways; whether the next plain one is refused. */
async function isUsedUpBy(trial: Trial, key: Key, ways: readonly Arrival[]): Promise<boolean> {
  let left = REQUESTS_PER_WINDOW;
  for (const arrival of cycled(ways, REQUESTS_PER_WINDOW)) {
    if (costOf(arrival) > left) break;
    left -= costOf(arrival);
    const { status } = await arrive(trial, arrival, key, cheap(trial, key));
    if (status === undefined || status >= 300)
      throw new Unreached(`a request ${arrival.what} within the budget was not accepted (${status ?? "no answer"})`);
  }
  await spend(trial, key, left);
  return !isAccepted(await trial.send(cheap(trial, key), key.from));
}

/** The way that a limit does not count, found by halves at addresses of their own. */
async function culprit(
  trial: Trial,
  ways: readonly Arrival[],
  isCounted: (key: Key, ways: readonly Arrival[]) => Promise<boolean>,
): Promise<string> {
  if (!trial.toldApart) return "one of them is not";
  let suspects = ways;
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    const counted = await isCounted(keyOf(trial, { from: trial.freshAddress() }), half);
    suspects = counted ? suspects.slice(half.length) : half;
  }
  return `those ${suspects[0]?.what} are not`;
}

const DRIPS = 3;
const DRIP_MS = 5000;
const LATE_MS = 2500;

/** A request owes at least this many bytes when it is held. */
const HELD_BYTES = 1;
const SETTLING_MS = 5000;

/**
 * Holds one request of each of these ways; one that is answered because a slot came free late is held again. What
 * another request goes before comes first: the two need two slots for a moment.
 */
async function holdAll(trial: Trial, key: Key, ways: readonly Arrival[]): Promise<Arriving[]> {
  const hold = (way: Arrival) => Arriving.begin(trial, way, key, cheap(trial, key), HELD_BYTES);
  const held: Arriving[] = [];
  for (const way of ways.toSorted((a, b) => costOf(b) - costOf(a))) held.push(await hold(way));
  await trial.until(
    async () => {
      await trial.barrier();
      for (const [index, one] of held.entries()) if (one.isOver) held[index] = await hold(one.arrival);
      await trial.barrier();
      return !held.some((one) => one.isOver);
    },
    SETTLING_MS,
    100,
  );
  if (held.some((one) => one.isOver)) throw new Unreached("eight requests could not be held in flight");
  return held;
}

/** Whether a ninth request beside eight of these ways is refused. */
async function isFullOf(trial: Trial, key: Key, ways: readonly Arrival[]): Promise<boolean> {
  const held = await holdAll(trial, key, ways);
  const refusal = await refusedSoon(trial, key);
  for (const one of held) one.abort();
  return refusal !== undefined;
}

export const arrivalCases: readonly Case[] = [
  {
    id: "BODY-SIZE-EVERY-ARRIVAL",
    title: "A body of 256,000 bytes is read and one of 262,145 refused, in whatever way the request arrives",
    clauses: ["BODY-SIZE"],
    requests: 75,
    reading: served,
    async run(trial) {
      const key = keyOf(trial);
      twin(await trial.send(trial.right()));
      const visit = tableOf(trial, "256,000 bytes", "262,145 bytes");
      for (const way of await servedArrivals(trial, key)) {
        // Its own address: when a slot ends behind a refused body is left open.
        const own = keyOf(trial.fresh());
        const passes = await arrive(trial, way, own, paddedTo(trial.right(), PASSES_BYTES));
        const actual = `${passes.status ?? "no answer"} for one ${way.what}`;
        check(passes.isAccepted, "a body of 256,000 bytes accepted", actual);
        visit(way.what, "256,000 bytes");
        const large = await arrive(trial, way, own, paddedTo(trial.right(), REFUSED_BYTES));
        check(!large.isAccepted, "a body of 262,145 bytes refused", `${large.status} for one ${way.what}`);
        visit(way.what, "262,145 bytes");
      }
    },
  },
  {
    id: "BODY-TIME-EVERY-ARRIVAL",
    title: "A body of which a byte comes every five seconds is refused after 15, in whatever way the request arrives",
    clauses: ["BODY-TIME"],
    seconds: 18,
    requests: 40,
    reading: `15 seconds are for the whole body: a byte now and then does not start them again. ${served}`,
    async run(trial) {
      const keys = [trial.route, trial.sibling, trial.stranger].map((route) => keyOf(trial, { route }));
      twin(await trial.send(trial.right()));
      const visit = tableOf(trial, "after 15 seconds");
      const ways = await servedArrivals(trial, keyOf(trial));
      const open: Arriving[] = [];
      for (const [index, way] of ways.entries()) {
        const key = keys[index % keys.length] as Key;
        open.push(await Arriving.begin(trial, way, key, paddedTo(cheap(trial, key), 100), DRIPS + 1));
      }
      await trial.barrier();
      for (let drip = 0; drip < DRIPS; drip += 1) {
        await trial.pass(drip === DRIPS - 1 ? DRIP_MS - 500 : DRIP_MS);
        for (const one of open) one.drip();
        await trial.barrier();
      }
      await trial.pass(1300);
      for (const one of open) {
        const { what } = one.arrival;
        if (!(await one.answeredWithin(LATE_MS))) await trial.barrier();
        check(one.isOver, "a refusal after 15 seconds", `silence for a body ${what}`);
        check(!one.isAccepted, "a refusal after 15 seconds", `${one.status} for a body ${what}`);
        visit(what, "after 15 seconds");
      }
    },
  },
  {
    id: "RATE-EVERY-ARRIVAL",
    title: "Requests spend the budget, and are refused without one, in whatever way they arrive",
    clauses: ["RATE-120"],
    costly: true,
    meetsLimits: true,
    requests: 3 * REQUESTS_PER_WINDOW,
    reading: `${served} A window aligned to the clock may end within the burst; then one at another path is judged.`,
    async run(trial) {
      const visit = tableOf(trial, "counted", "refused");
      const ways = await servedArrivals(trial, keyOf(trial, { route: trial.stranger }));
      if (ways.length === 0) throw new Unreached("no right request was accepted");
      let key = keyOf(trial);
      if (!(await isUsedUpBy(trial, key, ways))) {
        key = keyOf(trial, { route: trial.sibling });
        if (!(await isUsedUpBy(trial, key, ways))) {
          const actual = await culprit(trial, ways, (at, half) => isUsedUpBy(trial, at, half));
          throw new Failure("120 requests counted, in whatever way they arrive", actual, trial.last);
        }
      }
      for (const { what } of ways) visit(what, "counted");
      for (const way of ways) {
        let one = await arrive(trial, way, key, cheap(trial, key));
        if (one.isAccepted && isAccepted(await trial.send(cheap(trial, key), key.from))) {
          await exhaust(trial, key, costOf(way) + 1);
          one = await arrive(trial, way, key, cheap(trial, key));
        }
        check(!one.isAccepted, "a request beyond the budget refused", `${one.status} for one ${way.what}`);
        visit(way.what, "refused");
      }
    },
  },
  {
    id: "IN-FLIGHT-EVERY-ARRIVAL",
    title: "Requests take a slot, and are refused without one, in whatever way they arrive",
    clauses: ["IN-FLIGHT-8"],
    meetsLimits: true,
    requests: 100,
    reading: served,
    async run(trial) {
      const visit = tableOf(trial, "counted", "refused");
      const ways = await servedArrivals(trial, keyOf(trial, { route: trial.stranger }));
      if (ways.length === 0) throw new Unreached("no right request was accepted");
      const key = keyOf(trial);
      const { held } = await fill(trial, key);
      for (const way of ways) {
        const one = await arrive(trial, way, key, cheap(trial, key));
        if (held.uploads.some((upload) => upload.answered))
          throw new Unreached("one of the eight was answered before its last byte was sent");
        check(!one.isAccepted, "a request beside eight refused", `${one.status} for one ${way.what}`);
        visit(way.what, "refused");
      }
      await held.finish();
      for (let from = 0; from < ways.length; from += IN_FLIGHT) {
        const route = from === 0 ? trial.sibling : trial.stranger;
        const chosen = cycled([...ways.slice(from, from + IN_FLIGHT), ...ways], IN_FLIGHT);
        if (!(await isFullOf(trial, keyOf(trial, { route }), chosen))) {
          const actual = await culprit(trial, chosen, (at, half) => {
            return isFullOf(trial, at, [...cycled(half, IN_FLIGHT / 2), ...cycled(ways.slice(0, 1), IN_FLIGHT / 2)]);
          });
          throw new Failure("eight requests counted as in flight, in whatever way they arrive", actual, trial.last);
        }
        for (const { what } of chosen) visit(what, "counted");
      }
    },
  },
];
