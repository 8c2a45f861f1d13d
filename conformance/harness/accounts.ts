/**
 * What each key (path and client address) has spent of its budget, and what it holds: the least and the most, from nothing but
 * when requests were sent and answered. The bounds are wide where the interface leaves a choice, or the kit cannot know.
 */
import { envelopeOf, isAccepted, type Exchange } from "../http/exchange.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, TRACKED_KEYS, WINDOW_MS } from "../interface/limits.ts";
import type { Profile } from "../interface/gaps.ts";
import { HOME_ADDRESS } from "../targets/lanes.ts";
import { perServer } from "../targets/per-server.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import type { Moment, WatchedExchange, WatchedRequest } from "./watcher.ts";

/** `let in`: past both limits. `rate` and `in flight`: refused by this limit; `a limit`: by one of the two. */
export type End = "let in" | "rate" | "in flight" | "a limit" | "unknown";

export interface AccountEntry {
  readonly from: string;
  readonly sent: Moment;
  over?: Moment;
  end?: End;
}

export type Excess = "refused within both limits" | "let in beyond 120";

/** A target may count windows in whole seconds, at both ends, and the kit reads a real clock late: tolerance, ms. */
const SLACK_MS = 1500;
const [SHORTEST_MS, LONGEST_MS] = [WINDOW_MS - SLACK_MS, WINDOW_MS + SLACK_MS];
/** A target may free a slot so long after the answer, or after the connection has closed, in real ms. */
export const FREED_MS = 3000;

const isRefused = ({ end }: AccountEntry): boolean => end === "rate" || end === "in flight" || end === "a limit";

export class Account {
  readonly #entries: AccountEntry[] = [];
  readonly #opensFirst: boolean;
  /** Requests that the address `from` sends after `real` fall into windows that began at `least` or later. */
  #begun = { from: "", real: Infinity, least: -Infinity };
  #isSpent = false;
  /** Others send with this key, too, and the account does not see it: no refusal is blamed. */
  isShared = false;

  /** `opensFirst`: windows begin with a key's first request; without that they may end at any moment. */
  constructor(opensFirst: boolean) {
    this.#opensFirst = opensFirst;
  }

  sends(entry: AccountEntry): AccountEntry {
    this.#entries.push(entry);
    return entry;
  }

  /** What the end of a request shows to be wrong. */
  ends(entry: AccountEntry, over: Moment, end: End): Excess | undefined {
    entry.over = over;
    entry.end = end;
    if (isRefused(entry)) {
      const isRight = this.isShared || this.#mayBeRefused(entry);
      this.#isSpent ||= entry.end === "rate";
      return isRight ? undefined : "refused within both limits";
    }
    const mayBeBeyond = end === "let in" && (this.#isSpent || this.#entries.length > REQUESTS_PER_WINDOW);
    return mayBeBeyond && this.#isBeyond(entry, over) ? "let in beyond 120" : undefined;
  }

  /** As many requests may count in the window of this one, itself among them. */
  #mostSpent({ from, sent, over }: AccountEntry): number {
    const isLater = from === this.#begun.from && sent.real >= this.#begun.real;
    const began = Math.max(sent.least - LONGEST_MS, isLater ? this.#begun.least : -Infinity);
    return this.#entries.filter(
      (one) => one.sent.least <= (over?.most ?? Infinity) && !(one.over && one.over.most < began),
    ).length;
  }

  /** As many may be in flight at a moment of this one, itself among them. */
  #mostHeld({ sent, over }: AccountEntry): number {
    const isFree = (one: AccountEntry) => one.over && one.over.real + (isRefused(one) ? 0 : FREED_MS) < sent.real;
    return this.#entries.filter((one) => one.sent.real <= (over?.real ?? Infinity) && !isFree(one)).length;
  }

  #mayBeRefused(entry: AccountEntry): boolean {
    const isSpent = this.#mostSpent(entry) > REQUESTS_PER_WINDOW;
    const isFull = this.#mostHeld(entry) > IN_FLIGHT;
    if (entry.end === "a limit" && isSpent && !isFull) entry.end = "rate";
    return (isSpent && entry.end !== "in flight") || (isFull && entry.end !== "rate");
  }

  #isBeyond({ from, sent }: AccountEntry, over: Moment): boolean {
    // Addresses may share a budget in part: only the requests of this one are certain to count.
    const own = this.#entries.filter((one) => one.from === from);
    const spent = own.findLast((one) => one.end === "rate" && one.over && one.over.real <= sent.real);
    // A request is accepted after a refusal: the window of that refusal has ended.
    if (spent !== undefined && spent.sent.least > this.#begun.least)
      this.#begun = { from, real: over.real, least: spent.sent.least };
    const letIn = own.filter((one) => one.end === "let in");
    const since = (least: number) => letIn.filter((one) => one.sent.least >= least).length;
    const isFirst = this.#opensFirst && !this.isShared && over.most < (own[0]?.sent.least ?? 0) + SHORTEST_MS;
    return (
      // The driven clock has not moved since the refusal, so the window cannot have ended.
      spent?.sent.least === over.most ||
      since(over.most) > REQUESTS_PER_WINDOW ||
      (isFirst && letIn.length > REQUESTS_PER_WINDOW) ||
      // Within less than one window length at most one window ends.
      since(over.most - SHORTEST_MS) > 2 * REQUESTS_PER_WINDOW
    );
  }
}

/** Section 7: the codes of what the action refuses. `invalid_request` may be that of any check. */
const OF_THE_ACTION =
  /^(not_found|not_managed|revision_conflict|persist_failed|cancel_requested|cancel_pending|terminal|task_not_created|(mutation|create|cancel)_rejected)$/;
/** The runner sends requests of its own to these routes: their budgets are partly spent. */
const PROBED: readonly string[] = [specialRoutes.probe.id, specialRoutes.quiet.id];
/** Above this number a target may forget a key or refuse a new one, which the interface leaves open: accounting ends. */
const MOST_KEYS = TRACKED_KEYS - 96;

const routesByPath = perServer(
  ({ configuration: { routes } }) => new Map([...routes.values()].map((route) => [route.path, route])),
);

/** The path of a request target, without origin and query. */
const plainOf = (path: string): string => path.replace(/^https?:\/\/[^/]*/, "").replace(/\?.*$/s, "");

const codeOf = (exchange: Exchange): string => String(envelopeOf(exchange)?.code);

/** The accounts of all keys of one process of the target. */
export class Accounts {
  readonly #byKey = new Map<string, Account>();
  readonly #underWay = new Map<
    number,
    { readonly entry: AccountEntry; readonly account: Account; readonly profile: Profile }
  >();
  /** Addresses that have used another spelling of a path: a target may count those requests with the path. */
  readonly #odd = new Set<string>();
  /** Paths at which a request was accepted. A route without a secret may answer 401 before it counts the request. */
  readonly #served = new Set<string>();

  sends({ server, request: { path }, from, order, at }: WatchedRequest): void {
    const { target, mayCountOn, facts } = server;
    if (this.#byKey.size > MOST_KEYS || mayCountOn) return this.#underWay.clear();
    // Where the target takes addresses for one, they may share what they have spent.
    const key = facts.toldApart && facts.inFlightToldApart ? from : "";
    const routes = routesByPath(server);
    const route = routes.get(path) ?? routes.get(plainOf(path));
    if (route === undefined) return void this.#odd.add(key);
    const name = `${key} ${route.path}`;
    const account = this.#byKey.get(name) ?? new Account(facts.profile.gaps["rate.first-request-opens"] === true);
    this.#byKey.set(name, account);
    // A target that ran before the kit may have counted requests of other users of the loopback address.
    account.isShared ||= PROBED.includes(route.id) || this.#odd.has(key);
    account.isShared ||= target.baseUrl !== undefined && (key === "" || key === HOME_ADDRESS);
    this.#underWay.set(order, { entry: account.sends({ from, sent: at }), account, profile: facts.profile });
  }

  /** The kit has closed the connection: the request may still be counted, and its slot comes free. */
  gaveUp(order: number, at: Moment): void {
    const entry = this.#underWay.get(order)?.entry;
    if (entry !== undefined) entry.over ??= { ...at, most: Infinity };
  }

  /** What is wrong with what comes back. Without an answer the request may still be on its way. */
  ends({ sent, exchange, at }: WatchedExchange) {
    const begun = this.#underWay.get(sent);
    if (exchange.answer === undefined || begun === undefined) return undefined;
    this.#underWay.delete(sent);
    const { entry, account, profile } = begun;
    const excess = account.ends(entry, at, this.#endOf(exchange, profile));
    const isNamed = entry.end === "a limit" && /flight|concurren|parallel|simultan/i.test(codeOf(exchange));
    return excess && { excess, isOfSlots: isNamed || entry.end === "in flight" };
  }

  #endOf(exchange: Exchange, { gaps }: Profile): End {
    const { request, answer } = exchange;
    const isOfAction = OF_THE_ACTION.test(codeOf(exchange));
    if (answer?.status === 429 && !isOfAction) return limitNamed(codeOf(exchange), gaps);
    const accepted = isAccepted(exchange);
    if (accepted) this.#served.add(request.path);
    // A request with another method, or to a path never served, may be refused before it is counted.
    if (request.method !== "POST" || !this.#served.has(request.path)) return "unknown";
    return accepted || isOfAction || answer?.status === 401 ? "let in" : "unknown";
  }
}

/** The limit whose code the profile tells apart from the other's. */
function limitNamed(code: string, { "rate.code": rate, "in-flight.code": inFlight }: Profile["gaps"]): End {
  if (rate === undefined || inFlight === undefined || rate === inFlight) return "a limit";
  return code === rate ? "rate" : code === inFlight ? "in flight" : "a limit";
}
