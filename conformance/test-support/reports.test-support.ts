/** Reports of every kind, with texts that a hostile target could send. */
import { interruptedReport } from "../report/make-report.ts";
import type { Report } from "../report/report.ts";
import { covering, exchangeWith, reportWith, resultOf, secret } from "./report.test-support.ts";

/** Control characters, an unpaired surrogate, the ends of CDATA and comments, and markup of XML, HTML and Markdown. */
export const hostile =
  '\u0000\u0007\u001b[2J\ufffe\uffff\ud800 ]]> --> </failure> <img src=x onerror=alert(1)> & &#0; "quotes" ' +
  "| pipe \\| `code` **bold** [link](https://evil.example) www.evil.example @somebody $x^2$ \u202e\r\n\t🎈";

const failing = resultOf({
  id: "FLOW-FAILS",
  outcome: "fail",
  reason: "expected x; got y",
  expected: `404 ${hostile}`,
  actual: `200 ${hostile} ${secret}`,
  exchanges: [exchangeWith(`${hostile} {"ok":true}`)],
});
const warning = resultOf({ id: "WARNS", outcome: "warn", level: "should", expected: "x", actual: hostile });
const known = { case: "FLOW-FAILS", signature: "x", reason: hostile, link: "https://example.org/1" };
const signature = reportWith([failing]).results[0]?.findings?.[0]?.signature ?? "";

export const everyReport: Readonly<Record<string, Report>> = {
  conformant: reportWith(covering()),
  driven: reportWith(covering(), { run: { clock: "driven", notes: [hostile] }, target: { name: hostile } }),
  warned: reportWith([...covering(), warning]),
  failing: reportWith([...covering(), failing, warning], { run: { stderrTail: hostile } }),
  known: reportWith([...covering(), failing], { baseline: [{ ...known, signature }] }),
  stale: reportWith([...covering(), resultOf({ id: "FLOW-FAILS" })], { baseline: [known] }),
  changed: reportWith([...covering(), failing], { baseline: [known] }),
  expired: reportWith([...covering(), failing], { baseline: [{ ...known, signature, expires: "2024-01-01" }] }),
  "changed warning": reportWith([...covering(), warning], { baseline: [{ ...known, case: "WARNS" }] }),
  unreached: reportWith([...covering(), resultOf({ outcome: "unreached", reason: hostile })]),
  erred: reportWith([...covering(), resultOf({ outcome: "error", reason: hostile })]),
  uncovered: reportWith([resultOf({ outcome: "not-applicable", reason: `needs ${hostile}` })]),
  partial: reportWith([resultOf()], { unrun: 3, selection: { shard: { index: 1, of: 4 } } }),
  inapplicable: reportWith([resultOf({ outcome: "not-applicable", reason: "needs clock" })], { unrun: 3 }),
  interrupted: interruptedReport(reportWith(covering(), { unrun: 3 }), "29 of 32 cases were judged", 130),
  empty: reportWith([], { target: { notCovered: { "BODY-TIME": hostile } } }),
};
