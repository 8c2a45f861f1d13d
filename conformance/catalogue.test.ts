import { expect, test } from "vitest";
import { companies, targetForms } from "./harness/arrivals.ts";
import { framings } from "./harness/framings.ts";
import { actionNames } from "./interface/fields.ts";
import { levelOf } from "./harness/case.ts";
import { clauseIds, ledger } from "./interface/clauses/index.ts";
import reference from "./interface/profiles/reference.json" with { type: "json" };
import { REQUESTS_PER_WINDOW } from "./interface/limits.ts";
import { parts, routes, valuesOf } from "./oracle/request-factors.ts";
import { RIGHT } from "./oracle/spoilt-rows.ts";
import { cases } from "./catalogue.ts";

const ids = cases.map(({ id }) => id);

const judgedBy = (some: typeof cases) => new Set(some.flatMap(({ clauses }) => clauses));
const readable = cases.filter(({ requests }) => Number.isInteger(requests) && requests >= 0 && requests <= 1000);
const open = clauseIds.filter((id) => ledger[id].excluded === undefined);
const mustCases = cases.filter((item) => levelOf(item) === "must");
const gapsRead = new Set<string>(cases.flatMap(({ gaps = [] }) => gaps));

/** What each factor of one request can be. */
const requestValues: Readonly<Record<string, object>> = {
  ...Object.fromEntries(parts.map((part) => [part, valuesOf(part)])),
  route: routes,
  framing: framings,
  target: targetForms,
  connection: companies,
};
const ofRequests = cases.filter(({ id, factors }) => factors !== undefined && /^(REQUEST|ORDER)-/.test(id));

/** What breaks each rule: nothing may. */
const rules: Readonly<Record<string, readonly unknown[]>> = {
  "an id is there once": ids.filter((id, index) => ids.indexOf(id) !== index),
  "an id is words in capital letters with hyphens": ids.filter((id) => !/^[A-Z0-9]+(-[A-Z0-9]+)+$/.test(id)),
  "every clause has a case, or a reason why there can be none": [
    ...open.filter((id) => !judgedBy(cases).has(id)),
    ...clauseIds.filter((id) => ledger[id].excluded?.trim() === ""),
  ],
  "every must clause has a must-level case, as no other makes a run complete": open.filter(
    (id) => ledger[id].level === "must" && !judgedBy(mustCases).has(id),
  ),
  "a case names clauses, and none that is excluded": cases.filter(
    ({ clauses }) => clauses.length === 0 || clauses.some((clause) => ledger[clause].excluded !== undefined),
  ),
  "a clause's text ends": clauseIds.filter((id) => !ledger[id].text.endsWith(".")),
  "every gap that the reference profile binds is read by a case": Object.keys(reference.gaps).filter(
    (gap) => !gapsRead.has(gap),
  ),
  "every action has a case that every target must pass": actionNames.filter(
    (action) =>
      !mustCases.some(({ title, factors }) => new RegExp(`\\b${action}\\b`).test(title + JSON.stringify(factors))),
  ),
  "a case sends a bounded number of requests": cases.filter((item) => !readable.includes(item)),
  "more requests than a budget holds come only from a case that means to meet the limit": cases.filter(
    ({ requests, meetsLimits }) => requests > REQUESTS_PER_WINDOW && meetsLimits !== true,
  ),
  "no case lets more real time pass than the window's minute and a little": cases.filter(
    ({ seconds, needs = [] }) => seconds !== undefined && (seconds <= 0 || (seconds > 65 && !needs.includes("clock"))),
  ),
  "a row's request has values that there are: another would be played as the usual one, or left out":
    ofRequests.flatMap(({ factors = {} }) =>
      Object.entries(factors).flatMap(([factor, values]) =>
        values.filter((value) => factor in requestValues && !(value in (requestValues[factor] ?? {}))),
      ),
    ),
  "every value of a factor stands in a row: another would be listed and never sent": cases.flatMap(
    ({ id, factors = {}, allRows }) => {
      const all = allRows?.();
      const isMet = (factor: string, value: string) => all?.some((row) => row[factor] === value) ?? true;
      return Object.entries(factors).flatMap(([factor, values]) =>
        values.filter((value) => value !== RIGHT && !isMet(factor, value)).map((value) => `${id} ${factor}=${value}`),
      );
    },
  ),
  "a title is one line of at most 90 characters without a full stop": cases
    .map(({ title }) => title)
    .filter((title) => /[\n]|\.$|^\s|\s$/.test(title) || title.length > 90),
  "a reading is whole sentences": cases
    .map(({ reading = "X." }) => reading)
    .filter((reading) => !/^\S.*[.)]$/s.test(reading)),
};

test.each(Object.entries(rules))("%s", (_, wrong) => expect(wrong).toEqual([]));
