import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { broken } from "./broken/index.ts";
import { different } from "./different/index.ts";
import { judgeStub } from "./judge-subject.ts";
import { crashesIn, caseOutcomesOf } from "./proof.ts";
import { stubs } from "./stubs.ts";

const ids = cases.map(({ id }) => id);

test("every case can fail: a subject makes it", () => {
  const without = ids.filter((id) => !broken.some(({ kills }) => kills.includes(id)));
  expect(without, "add a line `CASE: what is wrong` to a table of conformance/proof/broken/<theme>/").toEqual([]);
});

test("no subject names a case that does not exist", () => {
  const named = [...broken.flatMap(({ kills }) => kills), ...different.flatMap(({ warns = [] }) => warns)];
  expect([...new Set(named)].filter((id) => !ids.includes(id))).toEqual([]);
});

test("each broken subject has a case to fail", () => {
  expect(broken.filter(({ kills }) => kills.length === 0).map(({ id }) => id)).toEqual([]);
});

test("no two subjects have one id", () => {
  const all = [...broken, ...different, ...stubs].map(({ id }) => id);
  expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
});

test("an answer without a result crashes no case", async () => {
  const alone = stubs.filter(({ id }) => id === "ok-alone");
  const creating = cases.filter(({ id }) => ["BODY-QUERY-NO-FIELDS", "BODY-CUT-SHORT"].includes(id));
  for (const stub of alone) {
    const outcomes = caseOutcomesOf((await judgeStub(stub, creating)).results);
    const own = outcomes.filter(({ id }) => creating.some((item) => item.id === id));
    expect(own.map(({ outcome }) => outcome)).toEqual(["not-applicable", "not-applicable"]);
    expect(crashesIn(outcomes)).toEqual([]);
  }
  expect(alone).toHaveLength(1);
});
