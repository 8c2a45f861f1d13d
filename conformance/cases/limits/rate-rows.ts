/** Section 8: what requests take off the rate limit's budget, at every kind of route and in every form. */
import { isAccepted } from "../../http/exchange.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import type { Request } from "../../interface/request.ts";
import { arrive, costOf } from "../../harness/arrivals.ts";
import type { Case } from "../../harness/case.ts";
import { Failure, NotApplicable } from "../../harness/case-errors.ts";
import { mustAnswer } from "../../harness/checks.ts";
import { cheap, spend, type Key } from "../../harness/limit-keys.ts";
import { fingerprint } from "../../harness/refusals.ts";
import { mustBeWithin } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { askedOnce } from "../../harness/asked-once.ts";
import { checks, COLD, routes, type Check } from "../../oracle/request-factors.ts";
import { arrivalOf, refusingChecks, requestFor, routeOf, type RequestRow } from "../../oracle/request-row.ts";
import { secretSources, tableOf, servedValues } from "../../oracle/request-table.ts";
import { restricted, rowWith, smallestFailure } from "../../oracle/row-case.ts";
import { culpritIn, rowsOf, type Table } from "../../oracle/rows.ts";

/** Other cases use budgets up there. */
const [usualKind] = Object.keys(routes);
const large = ["256,000 bytes", "262,145 bytes"];

/** Refused before the rate limit: spends nothing. */
const isEarly = (row: RequestRow): boolean => ["method", "content type"].includes(refusingChecks(row)[0] ?? "");

/** What the requests of a row spend, with those that its connection carries beside it. */
const spentBy = (row: RequestRow): number => costOf(arrivalOf(row)) - (isEarly(row) ? 1 : 0);

type Sum =
  "right" | "too few requests let in" | "more than 120 requests let in" | "the budget of another route spent as well";

/** A kind of route whose budget is filled up, and those whose budgets that leaves alone: each two meet so once. */
interface Place {
  readonly kind: string;
  readonly others: readonly string[];
}

/**
 * Sends the rows at a key that nobody has used, fills the budget up with plain requests, and sends one more. The last
 * place of the budget goes to a wrong secret: a refusal behind the rate limit may not give it back.
 */
async function sumOf(trial: Trial, { kind, others }: Place, rows: readonly RequestRow[]): Promise<Sum> {
  const key: Key = { route: routeOf(trial, { route: kind }), from: trial.freshAddress() };
  const answerTo = async (request: Request) => fingerprintOf(mustAnswer(await trial.send(request, key.from)));
  const plain = () => answerTo(cheap(trial, key));
  const wrong = () => answerTo(spoilt(cheap(trial, key), "AUTH"));
  // One that is refused opens the window, and counts as well.
  const [refused, passes] = [await wrong(), await plain()];
  let left = REQUESTS_PER_WINDOW - 2;
  // Requests behind an answer that ended its connection: a target may have counted them, or not.
  let unsure = 0;
  for (const row of rows) {
    left -= spentBy(row);
    const { exchange, isCutOff, isLast, saysClose } = await arrive(trial, key, arrivalOf(row), requestFor(trial, row));
    if (isLast && saysClose) left += 1;
    else if (isLast) unsure += 1;
    if (isCutOff && !isEarly(row)) unsure += 1;
    else if (!isEarly(row)) mustAnswer(exchange);
  }
  const filled = await spend(trial, key, left - 1);
  const isShort = filled.some((exchange) => fingerprintOf(mustAnswer(exchange)) !== passes);
  if (isShort || (await wrong()) !== refused) return "too few requests let in";
  for (; (await plain()) === passes; unsure -= 1) if (unsure === 0) return "more than 120 requests let in";
  for (const route of [trial.route, ...others.map((other) => routeOf(trial, { route: other }))]) {
    const beside = mustAnswer(await trial.send(cheap(trial, { ...key, route }), key.from));
    if (!isAccepted(beside)) return "the budget of another route spent as well";
  }
  return "right";
}

/** Accepted is accepted, whatever is shown. */
const fingerprintOf = (exchange: Parameters<typeof fingerprint>[0]): string =>
  isAccepted(exchange) ? "accepted" : fingerprint(exchange);

/** A window aligned to the clock may end on the way: what is wrong has to be so a second time, before the next one ends. */
async function steadySumOf(trial: Trial, place: Place, rows: readonly RequestRow[]): Promise<Sum> {
  const since = trial.now();
  if ((await sumOf(trial, place, rows)) === "right") return "right";
  const sum = await sumOf(trial, place, rows);
  if (sum !== "right") mustBeWithin(trial, since, WINDOW_MS);
  return sum;
}

/** The row that makes the sum wrong; without any row where plain requests do. */
async function culprit(trial: Trial, place: Place, rows: readonly RequestRow[]): Promise<RequestRow> {
  const isWrong = async (some: readonly RequestRow[]) => (await steadySumOf(trial, place, some)) !== "right";
  const found = (await isWrong([])) ? undefined : await culpritIn(rows, isWrong);
  return found ?? { route: place.kind };
}

const tables: readonly (Check | undefined)[] = [undefined, ...checks];

/** Of the rows that are refused early each second one of each value, so that every kind of route meets half of the values. */
function halfOfEarly(all: readonly RequestRow[]): RequestRow[] {
  const turns = new Map<string | undefined, number>();
  return all.filter((row) => {
    if (!isEarly(row)) return true;
    const value = row[refusingChecks(row)[0] ?? ""];
    const turn = turns.get(value) ?? turns.size;
    turns.set(value, turn + 1);
    return turn % 2 === 0;
  });
}

/** The rows of a kind of route that one budget has room for. */
function rowsFor(kind: string, all: readonly RequestRow[]): RequestRow[] {
  let left = REQUESTS_PER_WINDOW - 4;
  return all.filter((row) => {
    if (row["route"] !== kind || large.includes(row["body"] ?? "")) return false;
    left -= spentBy(row);
    return left >= 0;
  });
}

async function smallest(
  trial: Trial,
  { others }: Place,
  row: RequestRow,
  sum: Sum,
  there: (table: Table) => Table,
): Promise<Failure> {
  const table = there(tableOf(refusingChecks(row)[0]));
  const [whole = row] = rowWith(table, row);
  const expected = "120 requests of a key let in, each counted that the checks before have let through";
  return smallestFailure(new Failure(expected, sum, trial.last), whole, table, async (one) => {
    const isPlain = Object.entries(one).every(
      ([name, value]) => name === "route" || value === table.factors[name]?.[0],
    );
    const found = await sumOf(trial, { kind: one["route"] ?? "", others }, isPlain && !isEarly(one) ? [] : [one]);
    if (found !== "right") throw new Failure(expected, found, trial.last);
  });
}

/** By kind of route: what it comes to is counted once for all cases. */
const once = askedOnce<Sum>();

/** Fills up a budget at each of these kinds of route; fails with the smallest row that makes one of the sums wrong. */
async function judge(trial: Trial, isJudged: (kind: string, sum?: Sum) => boolean): Promise<void> {
  if (!trial.toldApart) throw new NotApplicable("the target does not tell client addresses apart");
  const values = await servedValues(trial);
  const there = (table: Table) => restricted(table, values);
  const rows = halfOfEarly(tables.flatMap((check) => rowsOf(there(tableOf(check))) as RequestRow[]));
  const kinds = values["route"] ?? [];
  const judged = kinds
    .filter((kind) => isJudged(kind))
    .map(async (kind) => {
      const own = rowsFor(kind, rows);
      const place = { kind, others: kinds.slice(kinds.indexOf(kind) + 1).filter((other) => other !== COLD) };
      return { place, own, sum: await once(trial.server, kind, () => steadySumOf(trial, place, own)) };
    });
  for (const { place, own, sum } of await Promise.all(judged))
    if (sum !== "right" && isJudged(place.kind, sum))
      throw await smallest(trial, place, await culprit(trial, place, own), sum, there);
}

const common = {
  costly: true,
  meetsLimits: true,
  needs: ["addresses"],
  requests: REQUESTS_PER_WINDOW,
  longestMs: 60_000,
} as const satisfies Partial<Case>;

export const rateRowCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-EVERY-REQUEST",
    title: "Every request past the method and content-type check spends one of 120, on any route",
    clauses: ["RATE-120", "RATE-KEY-PATH", "ORDER-METHOD-RATE", "ORDER-RATE-AUTH", "ORDER-RATE-BODY", "COLD-OTHERS"],
    uses: secretSources,
    reading:
      "Each kind of route gets the rows of the REQUEST cases that are its own: right ones, those that are refused behind the " +
      "rate limit, and those that are refused before it and spend nothing. Then 120 is filled up, at last with a wrong secret, and the next request is " +
      "refused, and one at another kind of route is not. A window aligned to the clock may end on the way; then the same is judged " +
      "at another address.",
    run: (trial) =>
      judge(trial, (kind, sum) => kind !== usualKind && !(kind === COLD && sum === "more than 120 requests let in")),
  },
  {
    ...common,
    id: "RATE-COLD-ROUTE",
    title: "The rate limit also holds for a route whose secret could not be resolved",
    clauses: ["RATE-120", "COLD-ROUTE"],
    level: "should",
    reading:
      "The order of checks names no exception. But section 5 gives every request to such a route 401, so one may answer it " +
      "before any limit.",
    run: (trial) => judge(trial, (kind) => kind === COLD),
  },
];
