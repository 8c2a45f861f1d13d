/** The Common Test Report Format, checked by the format's own package. */
import { Ajv } from "ajv";
import { schema, validate, type CTRFReport } from "ctrf";
import { describe, expect, test } from "vitest";
import { everyReport } from "../test-support/reports.test-support.ts";
import { ctrfOf } from "./ctrf.ts";

/** The package makes it anew for each report. */
const isReport = new Ajv({ validateFormats: false }).compile(schema);

describe.each(Object.entries(everyReport))("of the %s report", (_, report) => {
  const written = JSON.parse(JSON.stringify(ctrfOf(report))) as CTRFReport;

  test("is valid by the published schema", () => {
    expect([isReport(written), isReport.errors]).toEqual([true, null]);
  });

  test("has failed tests exactly where the run is not green, and counts that add up", () => {
    const { summary, tests } = written.results;
    expect(summary.failed > 0).toBe(report.verdict.exitCode !== 0);
    expect(summary.passed + summary.failed + summary.skipped).toBe(tests.length);
    expect(summary.stop - summary.start).toBe(report.ms);
    for (const { id } of report.results) expect(tests.some(({ name }) => name.startsWith(`${id}: `))).toBe(true);
  });
});

test("the package takes a report, and refuses what is none of the format", () => {
  const report = JSON.parse(JSON.stringify(ctrfOf(everyReport["failing"] as never))) as object;
  expect(validate(report)).toMatchObject({ valid: true });
  expect(validate({ ...report, reportFormat: "other" }).valid).toBe(false);
});
