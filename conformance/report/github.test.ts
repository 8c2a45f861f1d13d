/** Annotations of a GitHub workflow: one for what is to fix first at each stop, and no more than GitHub shows. */
import { expect, test } from "vitest";
import { clauseIds } from "../interface/clauses/index.ts";
import { reportWith, resultOf } from "../test-support/report.test-support.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { githubAnnotations } from "./github.ts";

const linesOf = (report: Parameters<typeof githubAnnotations>[0]) => githubAnnotations(report).trimEnd().split("\n");

test("a green run is a notice", () => {
  expect(linesOf(everyReport["conformant"] as never)).toEqual([
    "::notice title=webhooks-conformance::CONFORMANT with profile spec (exit 0)",
  ]);
});

test("a failure is an error with its case, what came, how many more there are, and the command", () => {
  const failing = resultOf({
    id: "METHOD-GET",
    outcome: "fail",
    expected: "100% refused",
    actual: "200",
    clauses: ["METHOD-POST"],
  });
  expect(linesOf(reportWith([failing, { ...failing, id: "METHOD-PUT" }]))).toEqual([
    "::error title=webhooks-conformance::NOT CONFORMANT with profile spec (exit 1)",
    "::error title=METHOD-GET::An example%0Aexpected 100%25 refused; got 200%0Amethod: 2 fail" +
      "%0Awebhooks-conformance run --target mine.json --case METHOD-GET",
  ]);
});

test("a warning is a warning, and of each kind there are ten at most", () => {
  const kinds = linesOf(everyReport["warned"] as never).map((line) => line.split(" ")[0]);
  expect(kinds).toEqual(["::notice", "::warning"]);
  const all = clauseIds.map((id) =>
    resultOf({ id: `FAILS-${id}`, outcome: "fail", expected: "x", actual: id, clauses: [id] }),
  );
  expect(linesOf(reportWith(all))).toHaveLength(10);
});
