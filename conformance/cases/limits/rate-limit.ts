/** Section 8: the rate limit. */
import { withHeader, withPath } from "../../../fixtures/request.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { HOME_ADDRESS } from "../../targets/lanes.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import { atOnce } from "../../harness/at-once.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse } from "../../harness/checks.ts";
import {
  cheap,
  firstRefusal,
  forwardingHeaders,
  keyOf,
  refusedNext,
  shotsAt,
  spend,
  type Key,
} from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { mustRefuseUsedUp, usedUp } from "../../harness/used-up.ts";

const common = { level: "must", meetsLimits: true } as const;
const BUDGET = REQUESTS_PER_WINDOW;
/** Requests that a budget has left when so many arrive at once. */
const LEFT = 3;
const AT_ONCE = 24;
/** Clients at once; every sixth has little budget left. */
const SOURCES = 24;
/** Requests of each of the others. */
const BESIDE = 2;

/** Spends all of a fresh key's budget but the last requests. */
async function spendBut(trial: Trial, key: Key, left: number): Promise<void> {
  const early = firstRefusal(await spend(trial, key, BUDGET - left));
  if (early !== undefined) throw new Unreached(`a request within the budget was refused: ${describe(early)}`, [early]);
}

export const rateLimitCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-120-ACCEPTED",
    costly: true,
    title: "120 requests of one key within a window are accepted",
    clauses: ["RATE-120"],
    requests: BUDGET,
    async run(trial) {
      const refused = firstRefusal(await spend(trial, keyOf(trial), BUDGET));
      if (refused !== undefined) throw new Failure("120 requests accepted", describe(refused), [refused]);
    },
  },
  {
    ...common,
    id: "RATE-121-REFUSED",
    costly: true,
    title: "Of 24 requests at once after 117, three are accepted at most, and so is no 121st",
    clauses: ["RATE-120"],
    requests: BUDGET + AT_ONCE,
    reading:
      "The 24 arrive at one moment: a limiter that looks at the count and raises it later lets in too many. A window " +
      "aligned to the clock may end meanwhile; then the same at another path does not go beyond the budget.",
    async run(trial) {
      for (const route of [trial.route, trial.sibling]) {
        const key = keyOf(trial, { route });
        await spendBut(trial, key, LEFT);
        const burst = await atOnce(trial, shotsAt(trial, key, AT_ONCE));
        let accepted = BUDGET - LEFT + burst.filter(isAccepted).length;
        // The slots of the others may be what refused some of them.
        for (; accepted <= BUDGET; accepted += 1) {
          const next = await trial.send(cheap(trial, key), key.from);
          if (isAccepted(next)) continue;
          mustRefuse(next);
          return;
        }
      }
      throw new Failure("no more than 120 requests accepted in a window", "more of them at two paths", trial.last);
    },
  },
  {
    ...common,
    id: "RATE-SOURCES-AT-ONCE",
    costly: true,
    title: "Of 24 clients at once, those with three requests left get three at most, and the others what they ask",
    clauses: ["RATE-120", "RATE-KEY-ADDRESS"],
    needs: ["addresses"],
    requests: BUDGET - LEFT + IN_FLIGHT,
    reading:
      "Eight requests of each client with little left and two of each other one arrive at one moment, so that none is over " +
      "the in-flight limit. A window aligned to the clock may end meanwhile; then the same with other clients does not go " +
      "beyond the budget.",
    async run(trial) {
      if (!trial.toldApart) throw new NotApplicable("addresses are not told apart");
      for (let tries = 0; tries < 2; tries += 1) {
        const keys = Array.from({ length: SOURCES }, () => keyOf(trial, { from: trial.freshAddress() }));
        const limited = keys.filter((_key, index) => index % 6 === 0);
        await Promise.all(limited.map((key) => spendBut(trial, key, LEFT)));
        const shots = keys.flatMap((key) => shotsAt(trial, key, limited.includes(key) ? IN_FLIGHT : BESIDE));
        const burst = await atOnce(trial, shots);
        const isLimited = ({ from }: Exchange) => limited.some((key) => key.from === from);
        const refused = firstRefusal(burst.filter((exchange) => !isLimited(exchange)));
        if (refused !== undefined)
          throw new Failure("two requests of a client accepted, whatever others send", describe(refused), [refused]);
        const accepted = burst.filter(isAccepted);
        const isOver = ({ from }: Key) => accepted.filter((exchange) => exchange.from === from).length > LEFT;
        if (!limited.some(isOver)) return;
      }
      throw new Failure("no more than 120 requests of each client accepted", "more of them twice", trial.last);
    },
  },
  {
    ...common,
    id: "RATE-KEY-PATH",
    title: "A used-up budget of one path leaves another path's budget whole",
    clauses: ["RATE-KEY-PATH"],
    requests: BUDGET + 1,
    async run(trial) {
      const { key, sibling } = await usedUp(trial);
      const other = { route: sibling, from: key.from };
      mustAccept(await trial.send(cheap(trial, other), other.from), "a request to another path accepted");
    },
  },
  {
    ...common,
    id: "RATE-KEY-ADDRESS",
    title: "A used-up budget of one client address leaves another address's budget whole",
    clauses: ["RATE-KEY-ADDRESS"],
    needs: ["addresses"],
    requests: BUDGET + 1,
    async run(trial) {
      // Where addresses share a budget, other cases have spent some of it.
      const key = keyOf(trial);
      const first = firstRefusal(await spend(trial, key, BUDGET)) ?? (await refusedNext(trial, key));
      const again = await trial.send(cheap(trial, key), key.from);
      if (again.answer === undefined || isAccepted(again))
        throw new Unreached("the refusal of an address did not last, so nothing can be seen of it", [first, again]);
      const other = { route: key.route, from: trial.freshAddress() };
      mustAccept(await trial.send(cheap(trial, other), other.from), "a request from another address accepted");
    },
  },
  {
    ...common,
    id: "RATE-HOME-ADDRESS",
    costly: true,
    title: "A client at 127.0.0.1 is limited like any other",
    clauses: ["RATE-120", "RATE-KEY-ADDRESS"],
    needs: ["addresses"],
    requests: BUDGET + 1,
    reading:
      "The key is made of the client's address, whatever that is. A window aligned to the clock may end within the burst; then another burst at another path is refused in part.",
    async run(trial) {
      if (!trial.toldApart) throw new NotApplicable("every case sends from there: addresses are not told apart");
      await usedUp(trial);
      // Other cases use other addresses, so only an earlier round can have spent some of the budget.
      for (const route of [trial.route, trial.sibling]) {
        const refused = firstRefusal(await spend(trial, { route, from: HOME_ADDRESS }, BUDGET + 1));
        if (refused === undefined) continue;
        mustRefuse(refused);
        return;
      }
      throw new Failure("the 121st request refused", "two bursts of 121 accepted", trial.last);
    },
  },
  {
    ...common,
    id: "RATE-NEVER-BY-SECRET",
    title: "Requests of one key share a budget whichever header the secret comes in",
    clauses: ["RATE-120"],
    requests: BUDGET + 2,
    async run(trial) {
      const header = `x-${trial.product}-webhook-secret`;
      await mustRefuseUsedUp(trial, (key) => withHeader(cheap(trial, key), header, key.route.secret));
    },
  },
  {
    ...common,
    id: "RATE-FORWARDED-HEADERS",
    title: "Headers that name another client do not open another budget",
    clauses: ["RATE-KEY-ADDRESS"],
    requests: BUDGET + 20,
    reading: "The client IP is the connection's: nobody has told the gateway to trust a proxy.",
    async run(trial) {
      for (const [name, value] of forwardingHeaders)
        await mustRefuseUsedUp(trial, (key) => withHeader(cheap(trial, key), name, value));
    },
  },
  {
    ...common,
    id: "RATE-PATH-SPELLINGS",
    title: "Other spellings of the path do not open another budget",
    clauses: ["RATE-KEY-PATH"],
    level: "gap",
    gaps: ["rate.path-canonical"],
    requests: BUDGET + 8,
    async run(trial) {
      const { key } = await usedUp(trial);
      const { path } = key.route;
      const spellings = [
        `${path}/`,
        path.toUpperCase(),
        path.replace("-", "%2d"),
        path.replace("/", "//"),
        `${path}/.`,
      ];
      const sent: Exchange[] = [];
      for (const spelling of spellings) sent.push(await trial.send(withPath(cheap(trial, key), spelling), key.from));
      const own = sent.find(isAccepted);
      if (trial.gap("rate.path-canonical")) {
        const actual = own === undefined ? "" : describe(own);
        check(own === undefined, "no spelling of the path with a budget of its own", actual, ...(own ? [own] : []));
      } else check(own !== undefined, "a spelling of the path with a budget of its own", "none", ...sent.slice(-1));
    },
  },
  {
    ...common,
    id: "RATE-RETRY-AFTER",
    title: "The rate limit's refusal says when the window ends",
    clauses: ["ERROR-STATUSES"],
    level: "gap",
    gaps: ["rate.retry-after"],
    requests: BUDGET + 1,
    async run(trial) {
      const { refusal } = await usedUp(trial);
      const [value] = refusal.answer?.headers.get("retry-after") ?? [];
      if (!trial.gap("rate.retry-after")) return check(value === undefined, "no Retry-After", "one", refusal);
      const seconds = Number(value ?? Number.NaN);
      const fits = Number.isInteger(seconds) && seconds >= 1 && seconds <= WINDOW_MS / 1000;
      check(fits, "Retry-After in whole seconds, 1 to 60", "none or another value", refusal);
    },
  },
];
