/** A required case that is new in a minor version: it warns there, and counts from the next on. */
import { expect, test } from "vitest";
import { Failure } from "../harness/case-errors.ts";
import type { Case } from "../harness/case.ts";
import { inVersion } from "../harness/new-case.ts";
import { clauseIds, ledger } from "../interface/clauses/index.ts";
import { caseOf, gateway, judged } from "../test-support/gateway.test-support.ts";
import { wordsOf } from "../test-support/page.test-support.ts";
import { covering, reportWith } from "../test-support/report.test-support.ts";
import { consoleText, render } from "./formats.ts";
import { reportSchema, type Report } from "./report.ts";

const [newClause = "SERVICE-ROUTE"] = clauseIds.filter((id) => ledger[id].level === "must" && !ledger[id].excluded);

const failing = caseOf("NEW-CASE", {
  since: "1.2",
  clauses: [newClause],
  run: () => Promise.reject(new Failure("one thing", "another", [])),
});

/** The report of a whole run in which only the new case judges its clause, and fails. */
async function reportAt(version: string, item: Case = failing): Promise<Report> {
  const { results } = await judged(gateway(), [inVersion(version, item)]);
  const others = covering().filter(({ clauses }) => !clauses.includes(newClause));
  return reportSchema.parse(JSON.parse(await render(reportWith([...others, ...results]), "json")));
}

test("a case is new in one minor version only, patches included", () => {
  const levels = ["1.1.9", "1.2.0", "1.2.7", "1.20.0", "1.3.0", "2.2.0"].map((version) => {
    const { level, since } = inVersion(version, failing);
    return `${version} ${level} ${since}`;
  });
  expect(levels).toEqual([
    "1.1.9 must undefined",
    "1.2.0 should 1.2",
    "1.2.7 should 1.2",
    "1.20.0 must undefined",
    "1.3.0 must undefined",
    "2.2.0 must undefined",
  ]);
  const advice = caseOf("ADVICE", { since: "1.2", level: "should" });
  expect(inVersion("1.2.0", advice)).toMatchObject({ level: "should" });
  expect(inVersion("1.2.0", advice).since).toBeUndefined();
  const old = caseOf("OLD");
  expect(inVersion("1.2.0", old)).toBe(old);
});

test("its failure is a warning that every form explains, and its clause is covered", async () => {
  const report = await reportAt("1.2.0");
  expect(report.verdict).toMatchObject({ judgement: "conformant", exitCode: 0, failed: [], uncovered: [] });
  expect(report.results.at(-1)).toMatchObject({ id: "NEW-CASE", level: "should", outcome: "warn", since: "1.2" });
  const told = "new in 1.2: warns, and is required from the next minor version";
  expect(await consoleText(report, false)).toMatch(/WARN +NEW-CASE \(should, new\)/);
  expect((await consoleText(report, false)).replaceAll(/\s+/g, " ")).toContain(told);
  const page = wordsOf(await render(report, "html")).replaceAll(/\s+/g, " ");
  expect(page).toContain("should, new");
  expect(page).toContain(told);
});

test("in the next minor version it turns the run red", async () => {
  const { verdict, results } = await reportAt("1.3.0");
  expect(verdict).toMatchObject({ judgement: "not conformant", exitCode: 1, failed: ["NEW-CASE"] });
  expect(results.at(-1)).not.toHaveProperty("since");
});
