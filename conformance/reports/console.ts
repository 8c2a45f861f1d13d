/** The report for people: what failed and why, what was not covered, and the verdict last. Plain text, 80 columns. */
import { styleText } from "node:util";
import { ledger, type ClauseId } from "../clauses/index.ts";
import { printable } from "../http/exchange.ts";
import type { Report, ReportedResult } from "./report.ts";

type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Colour for a terminal, none for a log. */
export function painter(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

const WIDTH = 80;
const INDENT = "  ";
/** They say nothing of the fault; the JSON report has them. */
const everydayHeaders = new Set([
  "cache-control",
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "x-content-type-options",
]);
/** A target that is judged on little should not bury its verdict. */
const SHOWN_CLAUSES = 12;

export function renderConsole(report: Report, paint: Paint): string {
  const rerun = report.again;
  const failing = report.results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  const open = report.results.filter(({ outcome }) => outcome === "unreached" || outcome === "error");
  const blocks = [
    ...failing.map((result) => explained(result, rerun, paint)),
    ...open.map((result) => explained(result, rerun, paint)),
    baselineBlock(report, paint),
    stderrBlock(report, failing.length + open.length > 0, paint),
    notCoveredBlock(report, paint),
    summary(report, paint),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

export function explained(result: ReportedResult, rerun: string | undefined, paint: Paint): string {
  const style: Style = result.outcome === "fail" ? "red" : "yellow";
  const lines = [
    `${paint(style, result.outcome.toUpperCase().padEnd(9))} ${paint("bold", result.id)} (${result.level})`,
  ];
  lines.push(...wrap(result.title, INDENT));
  for (const id of result.clauses) {
    const clause = ledger[id as ClauseId];
    lines.push(...wrap(`${id}, section ${clause.section}: ${clause.text}`, `${INDENT}clause    `, INDENT.length + 10));
  }
  if (result.expected === undefined) lines.push(...wrap(result.reason ?? "", `${INDENT}why       `, 12));
  else {
    lines.push(...wrap(result.expected, `${INDENT}expected  `, 12));
    lines.push(...wrap(result.actual ?? "", `${INDENT}actual    `, 12));
  }
  for (const exchange of result.exchanges) lines.push(...exchangeLines(exchange));
  const before = result.requests - result.exchanges.length;
  if (before > 0 && result.exchanges.length > 0) {
    const what = `the case sent ${before} more before that; the line alone may not bring the fault about`;
    lines.push(...wrap(what, `${INDENT}before    `, 12));
  }
  if (rerun !== undefined) lines.push(`${INDENT}again     ${rerun} --case ${result.id}`);
  return lines.join("\n");
}

function exchangeLines(exchange: ReportedResult["exchanges"][number]): string[] {
  const { request, answer, fault, from, sentBytes } = exchange;
  const size = sentBytes === undefined ? `${request.bodyBytes}` : `${sentBytes} of ${request.bodyBytes}`;
  const [sent, how] = [`${INDENT}sent      ${request.method} ${request.path}`, `(from ${from}, body ${size} bytes)`];
  const fits = sent.length + 1 + how.length <= WIDTH;
  const lines = fits ? [`${sent} ${how}`] : [sent, `${INDENT}          ${how}`];
  for (const [name, value] of request.headers) lines.push(`${INDENT}          ${name}: ${value}`);
  if (request.body !== "") lines.push(`${INDENT}          ${request.body}`);
  if (answer === undefined) lines.push(`${INDENT}answer    none: ${fault ?? "nothing came"}`);
  else {
    lines.push(`${INDENT}answer    ${answer.status}`);
    for (const [name, value] of answer.headers) {
      if (!everydayHeaders.has(name)) lines.push(`${INDENT}          ${name}: ${value}`);
    }
    if (answer.body !== "") lines.push(`${INDENT}          ${answer.body}`);
  }
  lines.push(`${INDENT}replay    ${exchange.replay}`);
  return lines;
}

function stderrBlock(report: Report, wanted: boolean, paint: Paint): string {
  const tail = report.stderrTail.trimEnd().split("\n").slice(-10);
  if (!wanted || tail.join("") === "") return "";
  const lines = tail.flatMap((line) => wrap(printable(line), INDENT, INDENT.length + 2));
  return [
    paint("bold", "the target's stderr, last lines (routes named cold have no secret on purpose)"),
    ...lines,
  ].join("\n");
}

const baselineTitles = {
  stale: "no longer fails",
  changed: "fails in another way",
  expired: "was accepted for a time that is over",
} as const;

function baselineBlock({ baseline, results }: Report, paint: Paint): string {
  if (baseline === undefined) return "";
  const lines: string[] = [];
  for (const { case: id, fault, said } of baseline.faults) {
    lines.push(`${paint("red", fault.toUpperCase().padEnd(9))} ${paint("bold", id)} (${baselineTitles[fault]})`);
    lines.push(...wrap(said, INDENT));
  }
  for (const { case: id, reason, link, expires } of baseline.entries) {
    if (results.find((result) => result.id === id)?.outcome !== "known") continue;
    const until = expires === undefined ? "" : ` (until ${expires})`;
    lines.push(...wrap(`known: ${id}: ${reason}${until}${link === undefined ? "" : ` ${link}`}`, INDENT, 4));
  }
  const untested = baseline.untested.length;
  if (untested > 0) {
    const entries = untested === 1 ? "1 entry" : `${untested} entries`;
    const what = `${entries} not put to the test (not run, not applicable or left open): ${baseline.untested.join(", ")}`;
    lines.push(...wrap(what, INDENT, 4));
  }
  return lines.length === 0 ? "" : [paint("bold", "baseline"), ...lines].join("\n");
}

function notCoveredBlock(report: Report, paint: Paint): string {
  const lines: string[] = [];
  for (const [id, reason] of Object.entries(report.notCovered)) lines.push(...wrap(`${id}: ${reason}`, INDENT, 4));
  const { uncovered } = report.verdict;
  for (const id of uncovered.slice(0, SHOWN_CLAUSES)) {
    const why = report.results.find((result) => result.clauses.includes(id))?.reason ?? "no case judged it";
    lines.push(...wrap(`${id}: ${why}`, INDENT, 4));
    lines.push(`${INDENT}  add to the target file: "notCovered": { "${id}": "why" }`);
  }
  const more = uncovered.length - SHOWN_CLAUSES;
  if (more > 0) lines.push(`${INDENT}and ${more} more clauses (all in --format json)`);
  const reasons = new Map<string, number>();
  for (const { outcome, reason = "" } of report.results) {
    if (outcome === "not-applicable") reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of reasons) lines.push(...wrap(`${count} not applicable: ${reason}`, INDENT, 4));
  return lines.length === 0 ? "" : [paint("bold", "not covered"), ...lines].join("\n");
}

function summary(report: Report, paint: Paint): string {
  const { verdict, results } = report;
  const counts = Object.entries(verdict.counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const lines = report.notes.flatMap((note) => wrap(note, "note: ", 6));
  lines.push(
    `${results.length} ${results.length === 1 ? "case" : "cases"} in ${(report.ms / 1000).toFixed(1)} s: ${counts.join(", ")}`,
  );
  if (report.clock === "driven") lines.push("the clock was driven: judge a release with the real one");
  if (verdict.partial) {
    const whole = results.length === report.suite.cases;
    const part = whole ? "without real waits (--quick)" : `${results.length} of ${report.suite.cases} cases asked for`;
    lines.push(`partial: ${part}; no release verdict`);
  }
  const style: Style = verdict.judgement === "conformant" ? "green" : "red";
  const partial = verdict.partial ? "partial: " : "";
  lines.push(
    paint(
      style,
      `${partial}${verdict.judgement.toUpperCase()} with profile ${report.profile} (exit ${verdict.exitCode})`,
    ),
  );
  return lines.join("\n");
}

/** Breaks text at spaces to 80 columns; following lines are indented by `hang` spaces. */
export function wrap(text: string, first: string, hang = first.length): string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text
    .trim()
    .split(/\s+/)
    .flatMap((long) => pieces(long, WIDTH - Math.max(hang, first.length)))) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = " ".repeat(hang);
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}

/** A word that no line can hold, cut into pieces that one can. */
function pieces(word: string, width: number): string[] {
  return word.length <= width ? [word] : (word.match(new RegExp(`.{1,${width}}`, "gsu")) ?? []);
}
