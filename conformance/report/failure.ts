/** Explains a result that is not a pass: clause, expected, actual, the exchange, and how to run the case again. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { newSince } from "../harness/new-case.ts";
import { ledger, type ClauseId } from "../interface/clauses/index.ts";
import { againFor } from "./again.ts";
import type { Report, ReportedResult } from "./report.ts";
import { shellLines } from "./shell-lines.ts";
import { columns, cut, WIDTH, wrap } from "./wrap.ts";

/** The column where texts begin, after their label. */
const TEXT = 12;
export const label = (name: string) => `  ${name}`.padEnd(TEXT);

/** Headers that say nothing about a failure; the JSON report has them. */
const everydayHeaders = new Set([
  "cache-control",
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "x-content-type-options",
]);

/** Lines of 80 columns in four parts, none with a heading. In none of them a CI system finds a command. */
interface Explained {
  /** What the case is about, and the clauses that it judges. */
  readonly about: readonly string[];
  readonly clauses: readonly string[];
  /** What was expected and what came, or why the case could not be judged. */
  readonly what: readonly string[];
  /** The story or the exchanges, with a line to replay each. */
  readonly evidence: readonly string[];
  /** The command that runs the case again. */
  readonly again: readonly string[];
}

export function explainedIn(result: ReportedResult, report: Pick<Report, "again" | "depth">): Explained {
  const again = againFor(result, report);
  const parts = {
    about: wrap(result.title, "  "),
    clauses: [...result.clauses.flatMap(clauseLines), ...newLines(result)],
    what: whatLines(result),
    evidence: evidenceLines(result),
    again: again === undefined ? [] : shellLines(again, label("again")),
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, lines]) => [name, lines.map(withoutCommands)]),
  ) as unknown as Explained;
}

/** All of it. */
export function explanation(result: ReportedResult, report: Pick<Report, "again" | "depth">): string[] {
  const { about, clauses, what, evidence, again } = explainedIn(result, report);
  return [...about, ...clauses, ...what, ...evidence, ...again];
}

const newLines = ({ since }: ReportedResult) => (since === undefined ? [] : wrap(newSince(since), label("level")));

function clauseLines(id: string): string[] {
  const clause = ledger[id as ClauseId];
  return wrap(clause === undefined ? id : `${id}, section ${clause.section}: ${clause.text}`, label("clause"));
}

function whatLines(result: ReportedResult): string[] {
  const lines: string[] = [];
  if (result.expected === undefined) lines.push(...wrap(result.reason ?? "", label("why")));
  else {
    lines.push(...wrap(result.expected, label("expected")));
    lines.push(...wrap(result.actual ?? "", label("actual")));
    // A check's own reason only repeats expected and actual.
    const { reason = "", actual } = result;
    if (reason !== "" && reason !== actual && !reason.startsWith("expected "))
      lines.push(...wrap(reason, label("why")));
  }
  if (result.seenIn !== undefined) lines.push(...wrap(result.seenIn.join(", "), label("seen in")));
  return lines;
}

function evidenceLines(result: ReportedResult): string[] {
  const lines: string[] = [];
  const { story, otherStories = [] } = result;
  for (const [index, line] of (story?.lines ?? []).entries())
    lines.push(...cut(line, label(index === 0 ? "story" : "")));
  for (const other of otherStories)
    for (const [index, line] of other.lines.entries()) lines.push(...cut(line, label(index === 0 ? "also" : "")));
  for (const exchange of result.exchanges) lines.push(...exchangeLines(exchange));
  const before = result.requests - result.exchanges.length;
  if (before > 0 && result.exchanges.length > 0) {
    const requests = before === 1 ? "1 more request" : `${before} more requests`;
    const what = `the case sent ${requests} before; this line alone may not show the failure`;
    lines.push(...wrap(what, label("before")));
  }
  return lines;
}

function exchangeLines(exchange: ReportedResult["exchanges"][number]): string[] {
  const { request, answer, fault, from, sentBytes } = exchange;
  const size = sentBytes === undefined ? `${request.bodyBytes}` : `${sentBytes} of ${request.bodyBytes}`;
  const [sent, how] = [`${label("sent")}${request.method} ${request.path}`, `(from ${from}, body ${size} bytes)`];
  const fits = columns(sent) + 1 + columns(how) <= WIDTH;
  const lines = fits
    ? [`${sent} ${how}`]
    : [...cut(`${request.method} ${request.path}`, label("sent")), label("") + how];
  for (const [name, value] of request.headers) lines.push(...cut(`${name}: ${value}`, label("")));
  if (request.body !== "") lines.push(...cut(request.body, label("")));
  if (answer === undefined) lines.push(...wrap(`none: ${fault ?? "nothing came"}`, label("answer")));
  else {
    lines.push(`${label("answer")}${answer.status}`);
    for (const [name, value] of answer.headers) {
      if (!everydayHeaders.has(name)) lines.push(...cut(`${name}: ${value}`, label("")));
    }
    const { headersLeftOut = 0 } = answer;
    if (headersLeftOut > 0) lines.push(`${label("")}and ${headersLeftOut} more headers`);
    if (answer.body !== "") lines.push(...cut(answer.body, label("")));
  }
  lines.push(...replayLines(exchange.replay));
  return lines;
}

/** A command; or a comment, with its mark on each line, so that a pasted line does nothing. */
function replayLines(replay: string): string[] {
  if (!replay.startsWith("# ")) return shellLines(replay, label("replay"));
  const indent = `${label("")}# `;
  const lines = wrap(replay.slice(2), `${label("replay")}# `);
  return lines.map((line, index) => (index === 0 ? line : indent + line.slice(indent.length)));
}
