import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { alsoFails, expectedOf, updated } from "./also-fails.ts";
import { broken } from "./broken/index.ts";
import { different } from "./different/index.ts";
import { judgeStub } from "./judge-subject.ts";
import { crashesIn, missedBy, outcomesOf, subjectsByCase, unexpectedIn, type CaseOutcome } from "./proof.ts";
import { stubs } from "./stubs.ts";

const ids = cases.map(({ id }) => id);

const outcome = (id: string, isRed: boolean): CaseOutcome => ({
  id,
  outcome: isRed ? "fail" : "pass",
  level: "must",
  reason: "",
});

test("every case can fail: a subject makes it", () => {
  const without = [...subjectsByCase()].filter(([, subjects]) => subjects.length === 0).map(([id]) => id);
  expect(without, "add a subject with the case in its `kills` to conformance/proof/broken/<theme>/").toEqual([]);
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

test("there are eight stubs", () => {
  expect(stubs).toHaveLength(8);
});

test("an answer without a result crashes no case", async () => {
  const alone = stubs.filter(({ id }) => id === "ok-alone");
  const creating = cases.filter(({ id }) => ["BODY-QUERY-NO-FIELDS", "BODY-CUT-SHORT"].includes(id));
  for (const stub of alone) {
    const outcomes = outcomesOf((await judgeStub(stub, creating)).results);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["not-applicable", "not-applicable"]);
    expect(crashesIn(outcomes)).toEqual([]);
  }
  expect(alone).toHaveLength(1);
});

test("also-fails.json: names only subjects and cases that exist, sorted, and none about a clause that the subject breaks", () => {
  // npm run prove -- --update --only WORD drops what is dead, whatever the word.
  expect(JSON.stringify(alsoFails)).toBe(JSON.stringify(updated(alsoFails, new Map())));
});

test("also-fails.json: an update adds what was seen and drops what is dead", () => {
  const [subject] = broken;
  const [kill = ""] = subject?.kills ?? [];
  const [first = "", second = ""] = ids.filter((id) => !expectedOf(subject ?? { kills: [] }).has(id)).toSorted();
  const before = { [subject?.id ?? ""]: [second, "NO-SUCH-CASE"], "no-such-subject": [first] };
  const seen = new Map([[subject?.id ?? "", [kill, first]]]);
  expect(updated(before, seen)).toEqual({ [subject?.id ?? ""]: [first, second] });
});

test("also-fails.json: a red case about another clause that is not listed is complained of, a green one of them is not", () => {
  const [id = "", listed = []] = Object.entries(alsoFails)[0] ?? [];
  const subject = broken.find((one) => one.id === id);
  if (subject === undefined) throw new Error("the snapshot is empty");
  const expected = expectedOf(subject);
  const other = ids.find((one) => !listed.includes(one) && !expected.has(one)) ?? "";
  const outcomes = [...listed.map((one) => outcome(one, false)), outcome(other, true)];
  expect(unexpectedIn(subject, outcomes).map((one) => one.id)).toEqual([other]);
  expect(missedBy(subject, [...outcomes, ...subject.kills.map((one) => outcome(one, true))])).toEqual([]);
  expect(missedBy(subject, [outcome(subject.kills[0] ?? "", false)])).toHaveLength(1);
});
