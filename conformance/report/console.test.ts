import { describe, expect, test } from "vitest";
import {
  covering,
  exchangeWith,
  reportWith,
  resultOf,
  secret,
  type Given,
} from "../test-support/report.test-support.ts";
import { clauseIds } from "../interface/clauses/index.ts";
import { firstOf, troublesOf, troubleTitle } from "./causes.ts";
import { renderConsole } from "./console.ts";
import { painter } from "./wrap.ts";
import type { Report } from "./report.ts";

const render = (report: Report, colour = false) => renderConsole(report, painter(colour));
const everything = (report: Report) => renderConsole(report, painter(false), { verbose: true });

const hostile = "\u001b]0;owned\u0007\u001b[2J\u202e\r\n\u009b31m";
const failing: Given = {
  id: "FLOW-FAILS",
  title: "A flow that is asked for by another session is not there, whatever its name is and however it is asked for",
  clauses: ["SESSION-BOUND", "RUN-TASK-RUNNING-FIELDS"],
  outcome: "fail",
  expected: "404 not_found, and nothing in the answer of the flow that belongs to the other session of the gateway",
  actual: `200 ok:true ${"w".repeat(300)} ${hostile}`,
  exchanges: [
    exchangeWith(`${hostile} {"ok":true}`),
    { request: exchangeWith("").request, from: "127.1.0.1", fault: "connection refused", sentBytes: 3 },
  ],
};
const reports = {
  failing: reportWith([failing, resultOf({ id: "B", outcome: "warn", level: "should", expected: "x", actual: "y" })], {
    run: {
      stderrTail: `${hostile} ${secret} ${"long ".repeat(50)}\n${"z".repeat(200)}\nlast\n`,
      notes: [`n ${"note ".repeat(40)}`],
    },
  }),
  unreached: reportWith([
    resultOf({
      outcome: "unreached",
      at: "authentication",
      reason: `the set-up (create_flow) was not accepted: 401 ok:false ${"u".repeat(90)}`,
    }),
    resultOf({ id: "ERRED", outcome: "error", reason: "the case did not end within 60000 ms" }),
  ]),
  partial: reportWith([resultOf(), resultOf({ id: "C", outcome: "not-applicable", reason: "needs clock" })], {
    unrun: 40,
  }),
  conformant: reportWith(covering(), {
    run: { clock: "driven" },
    target: { notCovered: { "BODY-TIME": "the proxy closes first" } },
  }),
  uncovered: reportWith([resultOf({ outcome: "not-applicable", reason: "needs children, persistence" })]),
  warned: reportWith([...covering(), resultOf({ id: "ONE", level: "should", outcome: "warn" })]),
  inapplicable: reportWith([resultOf({ outcome: "not-applicable", reason: "needs clock" })], { unrun: 3 }),
};

/** A command is one line, however long: it is to be pasted. */
const isTooLong = (line: string) => line.length > 80 && !/^(next| {2}again| {2}replay) {4,}(?!#)/.test(line);

describe.each<[keyof typeof reports, string]>([
  ["failing", "NOT CONFORMANT with profile spec (exit 1)"],
  ["unreached", "INCOMPLETE with profile spec (exit 4)"],
  ["partial", "partial run: CONFORMANT with profile spec (exit 0)"],
  ["conformant", "CONFORMANT with profile spec (exit 0)"],
  ["warned", "CONFORMANT with 1 warning, with profile spec (exit 0)"],
  ["uncovered", "INCOMPLETE with profile spec (exit 4)"],
  ["inapplicable", "partial run: INCOMPLETE with profile spec (exit 4)"],
])("the %s report", (name, verdict) => {
  const report = reports[name];

  test("keeps to 80 columns, but for commands", () => {
    const lines = `${render(report)}${everything(report)}`.split("\n");
    expect(lines.filter(isTooLong)).toEqual([]);
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
  });

  test("ends with the verdict and its exit code", () => {
    expect(render(report).endsWith(`\n${verdict}\n`)).toBe(true);
  });
});

test("a failure shows what was expected and what came first, then the exchange, the clause and the commands", () => {
  const lines = render(reports.failing).split("\n");
  expect(lines[0]).toMatch(/^NOT CONFORMANT: 1 of 2 cases failed\. FLOW-FAILS: expected 404 not_found/);
  const top = lines.indexOf("");
  expect(lines.slice(top + 1, top + 3)).toEqual([
    "sessions and metadata: 1 fail, 1 warn",
    "FAIL      FLOW-FAILS (must)",
  ]);
  const starts = [
    "expected  404 not_found",
    "actual    200 ok:true",
    "answer    409",
    "sent      POST /plugins",
    "clause    SESSION-BOUND, section 1: ",
    "replay    ",
  ];
  const places = starts.map((start) => lines.findIndex((line) => line.startsWith(`  ${start}`)));
  expect(places.every((place) => place > top)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(lines.filter((line) => line.startsWith("  clause "))).toHaveLength(1);
  expect(render(reports.failing).replaceAll(/\s+/g, " ")).toContain("its bound session.");
  expect(lines).toContain("            set-cookie: token=${WEBHOOKS_SECRET_LANE_01}");
  expect(lines).toContain("            (from 127.1.0.1, body 3 of 76 bytes)");
  expect(lines).toContain("  answer    none: connection refused");
  // The report ends with the first one's command.
  const again = "webhooks-conformance run --target mine.json --case FLOW-FAILS";
  expect(lines).toContain(`next      ${again}`);
  expect(lines).not.toContain(`  again     ${again}`);
  expect(everything(reports.failing)).toContain(`\n  again     ${again}\n`);
  const [replay, ...others] = lines.filter((line) => line.startsWith("  replay    "));
  expect(replay?.trimStart()).toBe(`replay    ${reports.failing.results[0]?.exchanges[0]?.replay}`);
  expect(others).toHaveLength(1);
  expect(lines).toContain("the target's stderr, last lines (routes named cold have no secret on purpose)");
  expect(lines).toContain("2 cases in 1.2 s: 1 fail, 1 warn");
});

test("a failure whose reason says more than what was expected and what came shows it, with no secret", () => {
  const reason = `the target ended (exit code 7); the end of its stderr: Error: ${secret}\u001b[2J`;
  const ended = { ...failing, expected: "a target that goes on answering", actual: "the target ended (exit code 7)" };
  const lines = render(reportWith([{ ...ended, reason }])).split("\n");
  expect(lines).toContain("  why       the target ended (exit code 7); the end of its stderr: Error:");
  expect(lines).toContain("            ${WEBHOOKS_SECRET_LANE_01}\\u001b[2J");
  expect(render(reports.failing)).not.toContain("\n  why ");
});

test("failures of one clause with one signature are told once in full, the others by name", () => {
  const alike = ["A", "B", "C"].map((id) => ({ ...failing, id, title: `The title of ${id}` }));
  const other = { ...failing, id: "D", actual: "500" };
  const text = render(reportWith([...alike, other]));
  expect(text.match(/^FAIL .*/gm)).toEqual(["FAIL      A (must)"]);
  expect(text).toContain("\n  also failing: B, C\n");
  expect(text).toMatch(/\n {2}other failures here\n {4}D: expected .*\n/);
});

const error = (id: string, more: object) => resultOf({ id, title: `The title of ${id}`, outcome: "error", ...more });

test("what one reason kept from being judged is told once, whatever the clauses", () => {
  const reason = "a limit refused what this case needs (429); ALWAYS-WITHIN-LIMITS judges whether it had to";
  const limited = { reason, at: "rate limit" };
  const other = error("C", { reason: "no answer within 5000 ms" });
  const text = render(reportWith([error("A", limited), other, error("B", { ...limited, clauses: ["RATE-120"] })]));
  expect(text.match(/^ERROR .*/gm)).toEqual(["ERROR     A (must)", "ERROR     C (must)"]);
  expect(text).toContain("\n  for the same reason: B\n");
});

/** As many failures and warnings as there are cases, with the longest texts that a report can hold. */
function worst(count: number): Report {
  const texts = { expected: `${hostile} ${"word ".repeat(300)}`, actual: `${hostile} ${"y".repeat(900)}` };
  const results = Array.from({ length: count }, (_, index) => {
    const clauses = [clauseIds[index % clauseIds.length] ?? "RATE-120"] as const;
    const outcomes = ["fail", "warn", "unreached", "not-applicable", "error"] as const;
    const outcome = outcomes[index % outcomes.length] ?? "fail";
    const failed = outcome === "fail" || outcome === "warn";
    const exchanges = Array.from({ length: 4 }, () => exchangeWith(`${index} ${hostile.repeat(30)}`));
    const reason = `${index} ${"why ".repeat(200)}`;
    const title = `The title of ${index} ${"is long ".repeat(40)}`;
    return resultOf({
      id: `SOME-VERY-LONG-NAME-OF-A-CASE-${index}`,
      title,
      clauses,
      outcome,
      reason,
      ...(failed && { ...texts, actual: `${index} ${texts.actual}`, exchanges }),
    });
  });
  const notCovered = Object.fromEntries(clauseIds.slice(0, 20).map((id) => [id, "no ".repeat(300)]));
  const notes = Array.from({ length: 9 }, () => `n ${"note ".repeat(190)}`);
  const stderrTail = Array.from({ length: 20 }, () => "z ".repeat(400)).join("\n");
  const entry = { signature: "x", reason: "because ".repeat(100) };
  const baseline = Array.from({ length: count }, (_, index) => ({
    ...entry,
    case: `SOME-VERY-LONG-NAME-OF-A-CASE-${index}`,
  }));
  return reportWith(results, { run: { notes, stderrTail }, target: { notCovered }, baseline });
}

test.each([1, 6, 40, 150])("of %i cases that are not green it has at most 120 lines of 80 columns", (count) => {
  const lines = renderConsole(worst(count), painter(false), { files: ["a/report.json", "junit.xml"] }).split("\n");
  expect(lines.length - 1).toBeLessThanOrEqual(120);
  expect(lines.filter(isTooLong)).toEqual([]);
  expect(lines).toContain("wrote a/report.json, junit.xml");
  expect(lines.at(-2)).toMatch(/^NOT CONFORMANT/);
});

test("each stop that there is no room for has a line of its own", () => {
  const report = worst(240);
  const text = renderConsole(report, painter(false));
  const stops = troublesOf(report).map((trouble) => troubleTitle(trouble));
  expect(stops.filter((stop) => !text.includes(stop))).toEqual([]);
  expect(text).toMatch(/\nFAIL {6}tracked keys: \d+ fail, .*\n/);
});

test("the first failure is told in short even where what stands beside the failures fills the report", () => {
  const files = Array.from({ length: 400 }, (_, index) => `reports/of/shard/${index}.json`);
  const [first] = troublesOf(worst(40)).map((trouble) => firstOf(trouble).id);
  const text = renderConsole(worst(40), painter(false), { files });
  expect(text).toContain(` ${first} (must)\n`);
  expect(text).toMatch(/\n {2}expected {2}\S/);
  expect(text).toMatch(/\nFAIL {6}actions: 1 fail, 1 error \(first SOME-VERY-LONG-NAME-OF-A-CASE-\d+\)\n/);
});

test("the end names the one command to run next, of several failures the first one's", () => {
  const red = ["ONE", "TWO"].map((id) => ({ ...failing, id, actual: id }));
  expect(render(reportWith(red))).toMatch(/\nnext {6}webhooks-conformance run .* --case ONE\nNOT CONFORMANT .*\n$/);
  expect(render(reports.conformant)).not.toContain("next ");
});

test("what follows from a failure is folded under it, with a few of the names", () => {
  const first = { ...failing, id: "SECRET", clauses: ["AUTH-REQUIRED"] as const };
  const open = Array.from({ length: 17 }, (_, index) =>
    resultOf({
      id: `OPEN-${index}`,
      outcome: "unreached",
      reason: "a wrong secret is accepted as well",
      at: "authentication",
    }),
  );
  const many = Array.from({ length: 90 }, (_, index) => ({ ...failing, id: `X-${index}`, actual: `${index}x` }));
  const text = render(reportWith([...many, ...open, first]));
  expect(text).toMatch(/^NOT CONFORMANT: 91 of 108 cases failed, 17 unreached because of them\./);
  expect(text).toMatch(/\n\nauthentication: 1 fail, 17 unreached\nFAIL {6}SECRET \(must\)\n/);
  expect(text).toContain("\n  17 unreached because of this: a wrong secret is accepted as well: ");
});

const signatureIn = (report: Report) => report.results[0]?.findings?.[0]?.signature ?? "";

const known = { case: "FLOW-FAILS", reason: "mended in 1.5", link: "https://example.org/1", expires: "2030-01-01" };

test("with a baseline, a known deviation is named with its reason, and the run is green", () => {
  const entry = { ...known, signature: signatureIn(reportWith([failing])) };
  const unrun = { case: "OTHER", signature: "x", reason: "y" };
  const text = render(reportWith([failing], { baseline: [entry, unrun], unrun: 1 }));
  expect(text).not.toContain("FAIL ");
  expect(text).toContain("  known: FLOW-FAILS: mended in 1.5 (until 2030-01-01) https://example.org/1\n");
  expect(text).toContain("  1 entry not checked (not run, not applicable or left open): OTHER\n");
  expect(text).toContain("\n1 case in 1.2 s: 1 known\n");
  expect(text).toMatch(/\(exit 0\)\n$/);
});

test.each([
  ["STALE", resultOf({ id: "FLOW-FAILS" }), {}],
  ["STALE", failing, {}],
  ["EXPIRED", failing, { expires: "2024-12-31" }],
])("with a baseline, an entry that is %s turns the run red and says what to do", (word, result, more) => {
  const signature = word === "EXPIRED" ? signatureIn(reportWith([failing])) : "expected x; got y";
  const text = render(reportWith([result], { baseline: [{ ...known, signature, ...more }] }));
  expect(text).toContain(`${word.padEnd(9)} FLOW-FAILS\n  It `);
  expect(text).toMatch(/NOT CONFORMANT with profile spec \(exit 1\)\n$/);
  expect(text.replaceAll(/\s+/g, " ").includes("FLOW-FAILS: accepted until 2024-12-31, which is past: expected")).toBe(
    word === "EXPIRED",
  );
});

test("an uncovered clause says why, and which line accepts it; a long list is cut", () => {
  const text = render(reports.uncovered);
  expect(text).toContain("  SESSION-BOUND: needs children, persistence\n");
  expect(text).toContain('    add to the target file: "notCovered": { "SERVICE-ROUTE": "why" }\n');
  expect(text).toMatch(/ {2}and \d+ more clauses \(all with --verbose\)\n/);
  expect(text).toContain("  1 not judged: needs children, persistence\n");
  expect(everything(reports.uncovered)).toContain("  1 not judged: needs children, persistence: FLOW-EXAMPLE\n");
});

test("a part of which nothing applies says that it has judged nothing", () => {
  expect(render(reports.inapplicable)).toContain(
    "\nnothing was judged: no case that was asked for applies here\npartial run: INCOMPLETE",
  );
  expect(render(reports.partial)).not.toContain("nothing was judged");
});

test("gaps that the profile leaves open are one line, not one for each", () => {
  const open = ["rate.status", "method.status"].map((gap) => `the profile spec leaves ${gap} open`);
  const results = open.map((reason) => resultOf({ id: reason, level: "gap", outcome: "not-applicable", reason }));
  const line = '  2 not judged: the profile "spec" leaves open what they are about';
  const report = reportWith(results, { unrun: 1 });
  expect(everything(report)).toContain(line);
  expect(render(report)).toContain(`${line}\n`);
});

test("a part says how much it is, a driven clock that it is none for a release, a reason that it was given", () => {
  expect(render(reports.partial)).toContain("partial run: 2 of 42 cases judged; no release verdict\n");
  expect(render(reports.conformant)).toContain("\nTime was simulated: the control port moved");
  expect(render(reports.conformant)).toContain("  BODY-TIME: the proxy closes first\n");
  expect(render(reports.conformant)).not.toContain("stderr");
});

const replay = (id: string) => resultOf({ id, file: `found/${id}.json` });

test("replay files are counted as none of the suite's cases", () => {
  const part = reportWith([resultOf(), replay("REPLAY-A"), replay("REPLAY-B")], { unrun: 1 });
  expect(render(part)).toContain("3 cases in 1.2 s: 3 pass\npartial run: 1 of 2 cases judged; no release verdict\n");
  expect(render(reportWith([replay("REPLAY-A")], { unrun: 1 }))).toContain(
    "\npartial run: replay files alone; no release verdict\n",
  );
});

test("a report of several seeds says which they are", () => {
  const report = { ...reports.partial, depth: { seeds: [1, 2, 3, 7, 9, 10] } };
  expect(render(report)).toContain("the properties looked with 6 seeds: 1 to 3, 7, 9 to 10\n");
  expect(render({ ...reports.partial, depth: { seeds: [1] } })).not.toContain("seeds");
});

const noField = "the target does not take get_flow with the fields that the profile gives it";
const waived = '    add to the target file: "notCovered": { "SESSION-BOUND": "why" }';

test.each([
  ["no case about it applies", ["not-applicable"], "needs clock", [waived]],
  [
    "the target may have other field names",
    ["not-applicable"],
    noField,
    ["    other field names? see fields in a profile", waived],
  ],
  ["one was left unreached", ["not-applicable", "unreached"], noField, []],
  ["one failed", ["not-applicable", "fail"], noField, []],
] as const)("what to do about an uncovered clause where %s", (_, outcomes, reason, advice) => {
  const results = outcomes.map((outcome, index) => {
    const level = outcome === "fail" ? "gap" : "must";
    return resultOf({ id: `CASE-${index}`, outcome, level, clauses: ["SESSION-BOUND"], reason });
  });
  const lines = everything(reportWith(results)).split("\n");
  const first = lines.findIndex((line) => line.startsWith("  SESSION-BOUND: "));
  expect(first).toBeGreaterThan(0);
  const rest = lines.slice(first + 1);
  const next = rest.findIndex((line) => /^ {2}\S/.test(line));
  expect(rest.slice(0, next).filter((line) => /notCovered|other field/.test(line))).toEqual(advice);
});
