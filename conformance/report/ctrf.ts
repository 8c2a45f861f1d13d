/** The Common Test Report Format (ctrf.io), for tools that read it in place of JUnit: `failed` where the run is not green. */
import { partOf } from "./facts.ts";
import type { Report } from "./report.ts";
import { testCasesOf, type TestCase } from "./test-cases.ts";

const SPEC_VERSION = "0.0.0";

const statuses = { failure: "failed", error: "failed", skipped: "skipped" } as const;

export function ctrfOf(report: Report) {
  const cases = testCasesOf(report);
  const start = Date.parse(report.startedAt);
  const tests = cases.map((item) => testOf(item, start));
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const { verdict, suite, target, profile, clock } = report;
  return {
    reportFormat: "CTRF",
    specVersion: SPEC_VERSION,
    generatedBy: "webhooks-conformance",
    results: {
      tool: { name: "webhooks-conformance", version: suite.version },
      summary: {
        tests: tests.length,
        passed: count("passed"),
        failed: count("failed"),
        pending: 0,
        skipped: count("skipped"),
        other: 0,
        start,
        stop: start + report.ms,
      },
      environment: {
        appName: target.name,
        testEnvironment: `profile ${profile}, ${clock} clock`,
        extra: {
          verdict: verdict.judgement,
          exitCode: verdict.exitCode,
          part: partOf(report),
          ledger: suite.ledger,
          catalogue: suite.catalogue,
        },
      },
      tests,
    },
  };
}

function testOf({ suite, id, title, ms, outcome, problem }: TestCase, start: number) {
  return {
    name: `${id}: ${title}`,
    status: problem === undefined ? ("passed" as const) : statuses[problem.kind],
    duration: ms,
    start,
    rawStatus: outcome,
    suite: [suite.title],
    ...(problem && { message: problem.message }),
    ...(problem?.text !== undefined && { trace: problem.text }),
  };
}
