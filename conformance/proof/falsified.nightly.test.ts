/** What the rules over a whole run notice: answers of a conformant target, falsified one at a time, are judged again. */
import { beforeAll, expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import type { Case } from "../harness/case.ts";
import type { WatchedExchange, WatchedRequest, Watcher } from "../harness/watcher.ts";
import { isAccepted, textOf, type Exchange } from "../http/exchange.ts";
import { invariants } from "../invariants/index.ts";
import { judgeSubject } from "./judge-subject.ts";

interface Log {
  readonly heard: (((watcher: Watcher) => unknown) | WatchedExchange)[];
  readonly exchanges: readonly WatchedExchange[];
}

/** Everything that the rules hear of a run of these cases. */
async function recorded(...ids: readonly string[]): Promise<Log> {
  const heard: Log["heard"] = [];
  const recorder: Watcher = {
    request: (seen: WatchedRequest) => void heard.push((watcher) => watcher.request?.(seen)),
    gaveUp: (sent, at) => void heard.push((watcher) => watcher.gaveUp?.(sent, at)),
    exchange: (seen) => void heard.push(seen),
    bytes: (server, text) => void heard.push((watcher) => watcher.bytes?.(server, text)),
  };
  const item: Case = { ...(invariants[0] as Case), id: "RECORDER", watch: () => recorder };
  // One after the other: of answers that crossed, neither can be held against the other.
  for (const id of ids) {
    const chosen = cases.filter((one) => one.id === id);
    const { results } = await judgeSubject("recorded", {}, "reference", [...chosen, item]);
    expect(results.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
  }
  return { heard, exchanges: heard.filter((one) => typeof one !== "function") };
}

/** The first rule that objects to the log in which one exchange is another. */
function objector({ heard }: Log, at?: WatchedExchange, exchange?: Exchange): string | undefined {
  const watchers = invariants.map(({ id, watch }) => ({ id, watcher: watch?.() ?? {} }));
  for (const one of heard)
    for (const { id, watcher } of watchers) {
      if (typeof one === "function") one(watcher);
      else if (watcher.exchange?.(one === at && exchange ? { ...one, exchange } : one) !== undefined) return id;
    }
  return undefined;
}

const withBody = (exchange: Exchange, body: string): Exchange => {
  const { answer } = exchange;
  return answer === undefined ? exchange : { ...exchange, answer: { ...answer, body: new TextEncoder().encode(body) } };
};

/** Another text in the place of the first that matches; undefined where none does. */
const rewritten =
  (pattern: RegExp, other: string | ((found: string) => string)) =>
  ({ exchange }: WatchedExchange): Exchange | undefined => {
    const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
    const body = text.replace(pattern, (found) => (typeof other === "string" ? other : other(found)));
    return body === text ? undefined : withBody(exchange, body);
  };

const withStatus = (exchange: Exchange, status: number): Exchange =>
  exchange.answer === undefined ? exchange : { ...exchange, answer: { ...exchange.answer, status } };

const accepted =
  (change: (seen: WatchedExchange) => Exchange | undefined) =>
  (seen: WatchedExchange): Exchange | undefined =>
    isAccepted(seen.exchange) ? change(seen) : undefined;

const sessionOf = ({ server, exchange }: WatchedExchange, isOwn: boolean): string =>
  [...server.configuration.routes.values()].find(({ path }) => (path === exchange.request.path) === isOwn)
    ?.sessionKey ?? "";

/** With this in a text of the answer, unless it is empty. */
const withText = (seen: WatchedExchange, added: string): Exchange | undefined =>
  added === "" ? undefined : rewritten(/"(error|goal)":"/, (found) => `${found}${added} `)(seen);

/** Each makes one answer wrong, or answers undefined where it has nothing to falsify. */
const falsifiers: Readonly<Record<string, (seen: WatchedExchange) => Exchange | undefined>> = {
  "another routeId": rewritten(/"routeId":"[^"]+"/, '"routeId":"other"'),
  "ok as a text": rewritten(/"ok":(true|false)/, (found) => found.replace(/(true|false)/, '"$1"')),
  "no result": rewritten(/"result":/, '"outcome":'),
  "a refusal without error": rewritten(/,"error":"[^"]*"/, ""),
  "an object as the error": rewritten(/"error":"[^"]*"/, '"error":"[object Object]"'),
  "a revision that was replaced": accepted(rewritten(/"revision":[1-9]\d*/, '"revision":0')),
  "a revision ahead": accepted(rewritten(/"revision":\d+/, (found) => `${found}9`)),
  "another status of a flow": accepted(rewritten(/"status":"(waiting|blocked)"/, '"status":"queued"')),
  "another goal": accepted(rewritten(/"goal":"[^"]+"/, '"goal":"of somebody else"')),
  "the session's key": (seen) => withText(seen, sessionOf(seen, true)),
  "another session's key": (seen) => withText(seen, sessionOf(seen, false)),
  "a byte order mark": rewritten(/^\{/, "\ufeff{"),
  "half an answer": rewritten(/.{20}\}$/, ""),
  "an opaque 500": ({ exchange }) => (isAccepted(exchange) ? withStatus(exchange, 500) : undefined),
  "a refusal by a limit": accepted((seen) =>
    withStatus(
      rewritten(/^.*$/s, '{"ok":false,"routeId":"x","result":{},"code":"rate_limited"}')(seen) ?? seen.exchange,
      429,
    ),
  ),
  "an acceptance by a used-up key": ({ exchange }) =>
    exchange.answer?.status === 429
      ? withStatus(withBody(exchange, '{"ok":true,"routeId":"x","result":{}}'), 200)
      : undefined,
};

let log: Log;
beforeAll(async () => {
  log = await recorded("NEVER-CONTRADICTS", "ALWAYS-WITHIN-LIMITS", "STATES-RESUME-FLOW", "STATES-DATA");
});

/** Elsewhere the gateway answers in its own way. */
const isOnRoute = ({ server, exchange }: WatchedExchange): boolean =>
  [...server.configuration.routes.values()].some(({ path }) => path === exchange.request.path);

/** Places of a log at which an answer is falsified. */
const PLACES = 12;

test("a log as it was is judged again without a finding", () => {
  expect(log.exchanges.length).toBeGreaterThan(100);
  expect(objector(log)).toBeUndefined();
});

test.each(Object.entries(falsifiers))("%s is noticed", (name, falsify) => {
  const wrong = log.exchanges.filter(isOnRoute).flatMap((seen) => {
    const exchange = falsify(seen);
    return exchange === undefined ? [] : [{ seen, exchange }];
  });
  const every = Math.max(1, Math.floor(wrong.length / PLACES));
  const tried = wrong.filter((_, index) => index % every === 0);
  const noticed = tried.filter(({ seen, exchange }) => objector(log, seen, exchange) !== undefined);
  expect(tried.length).toBeGreaterThan(0);
  // A revision or a status is wrong by what other answers say of the flow, and some are the only ones about theirs.
  const least = /^a revision|status/.test(name) ? tried.length / 2 : tried.length;
  expect(noticed.length).toBeGreaterThanOrEqual(least);
});
