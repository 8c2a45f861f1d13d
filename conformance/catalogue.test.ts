import { describe, expect, test } from "vitest";
import { actionNames } from "./interface/fields.ts";
import { levelOf } from "./harness/case.ts";
import { clauseIds, ledger } from "./interface/clauses/index.ts";
import reference from "./interface/profiles/reference.json" with { type: "json" };
import { REQUESTS_PER_WINDOW } from "./interface/limits.ts";
import { cases } from "./catalogue.ts";

const ids = cases.map(({ id }) => id);
const idsOf = (wrong: readonly { readonly id: string }[]) => wrong.map(({ id }) => id);

describe("ids", () => {
  test("are unique", () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("are words in capital letters with hyphens", () => {
    expect(ids.filter((id) => !/^[A-Z0-9]+(-[A-Z0-9]+)+$/.test(id))).toEqual([]);
  });
});

describe("the ledger", () => {
  test("has a case for every clause, or a reason why there can be none", () => {
    const judged = new Set(cases.flatMap(({ clauses }) => clauses));
    expect(clauseIds.filter((id) => ledger[id].excluded === undefined && !judged.has(id))).toEqual([]);
    expect(clauseIds.filter((id) => ledger[id].excluded?.trim() === "")).toEqual([]);
  });

  test("has a must-level case for every must clause, as no other makes a run complete", () => {
    const judged = new Set(cases.filter((item) => levelOf(item) === "must").flatMap(({ clauses }) => clauses));
    const open = clauseIds.filter((id) => ledger[id].level === "must" && ledger[id].excluded === undefined);
    expect(open.filter((id) => !judged.has(id))).toEqual([]);
  });

  test("is named by every case; an excluded clause is judged by nobody", () => {
    expect(idsOf(cases.filter(({ clauses }) => clauses.length === 0))).toEqual([]);
    expect(
      idsOf(cases.filter(({ clauses }) => clauses.some((clause) => ledger[clause].excluded !== undefined))),
    ).toEqual([]);
  });

  test("gives every clause a text that ends", () => {
    expect(clauseIds.filter((id) => !ledger[id].text.endsWith("."))).toEqual([]);
  });
});

describe("levels and gaps", () => {
  test("every gap that the reference profile binds is read by a case", () => {
    const read = new Set<string>(cases.flatMap(({ gaps = [] }) => gaps));
    expect(Object.keys(reference.gaps).filter((gap) => !read.has(gap))).toEqual([]);
  });

  test.each(actionNames)("%s has a case that every target must pass", (action) => {
    const named = new RegExp(`\\b${action}\\b`);
    expect(cases.filter((item) => levelOf(item) === "must" && named.test(item.title))).not.toEqual([]);
  });
});

describe("what a case says of itself", () => {
  test("more requests than a budget holds come only from a case that means to meet the limit", () => {
    expect(
      idsOf(cases.filter(({ requests }) => !Number.isInteger(requests) || requests < 0 || requests > 1000)),
    ).toEqual([]);
    const many = cases.filter(({ requests }) => requests > REQUESTS_PER_WINDOW);
    expect(idsOf(many.filter(({ meetsLimits }) => meetsLimits !== true))).toEqual([]);
  });

  test("no case lets more real time pass than the window's minute and a little", () => {
    expect(idsOf(cases.filter(({ seconds = 1 }) => seconds <= 0))).toEqual([]);
    const long = cases.filter(({ seconds = 0, needs = [] }) => seconds > 65 && !needs.includes("clock"));
    expect(idsOf(long)).toEqual([]);
  });

  test("a title is one line without a full stop", () => {
    expect(idsOf(cases.filter(({ title }) => /[\n]|\.$|^\s|\s$/.test(title) || title.length > 160))).toEqual([]);
  });

  test("a reading is whole sentences", () => {
    expect(idsOf(cases.filter(({ reading = "X." }) => !/^\S.*[.)]$/s.test(reading)))).toEqual([]);
  });
});
