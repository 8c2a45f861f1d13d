/** Explains a result that is not a pass: expected, actual, the exchange, the broken clause, and how to run the case again. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { clauseOf } from "../interface/clauses/index.ts";
import { againFor } from "./again.ts";
import type { Report, ReportedResult, ReportedStory } from "./report.ts";
import { storyText } from "./story-text.ts";
import { brokenClause } from "./way.ts";
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

/** What a brief explanation has room for, lines; of a command, characters. */
const brief = { story: 16, header: 2, headers: 10, sent: 4, answer: 9, replay: 700 } as const;
/** Headers that all hold one value: a case tries a secret in many places. */
const DECOYS = 4;
const MORE = "(--verbose)";

/** Lines of 80 columns in parts, none with a heading; a command is one line, so that it can be pasted. In none of them a CI system finds a command. */
interface Explained {
  readonly about: readonly string[];
  /** What was expected and what came, or why the case could not be judged. */
  readonly what: readonly string[];
  /** The story; each answer with its request behind it; and what came before them. */
  readonly story: readonly string[];
  readonly exchanges: readonly string[];
  readonly before: readonly string[];
  /** The broken clause. */
  readonly clause: readonly string[];
  /** The commands that send the requests again. */
  readonly replay: readonly string[];
  /** The command that runs the case again. */
  readonly again: readonly string[];
}

/** `isBrief`: long parts are cut, but never what was expected, what came, and the answer's start. */
export function explainedIn(
  result: ReportedResult,
  report: Pick<Report, "again" | "depth">,
  isBrief = false,
): Explained {
  const again = againFor(result, report);
  const { exchanges } = result;
  // An invariant that was broken in several ways shows each.
  const shown = isBrief && result.seenIn !== undefined ? exchanges.slice(0, 1) : exchanges;
  const left = exchanges.length - shown.length;
  const parts: Explained = {
    about: wrap(result.title, "  "),
    what: whatLines(result),
    story: storyLines(result, isBrief),
    exchanges: [
      ...shown.flatMap((exchange) => exchangeLines(exchange, isBrief)),
      ...(left > 0 ? [`${label("")}and ${left} more ${left === 1 ? "exchange" : "exchanges"} ${MORE}`] : []),
    ],
    before: listed("before", result.before ?? []),
    clause: clauseLines(result),
    replay: shown.flatMap(({ replay }) => (replay === undefined ? [] : replayLines(replay, isBrief))),
    again: again === undefined ? [] : [label("again") + again],
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, lines]: [string, readonly string[]]) => [name, lines.map(withoutCommands)]),
  ) as unknown as Explained;
}

/** All of it, in the order in which one reads it. */
export function explanation(result: ReportedResult, report: Pick<Report, "again" | "depth">): string[] {
  const { about, ...others } = explainedIn(result, report);
  return [...about, ...evidenceOf(others), ...others.again];
}

export function evidenceOf(parts: Omit<Explained, "about" | "again">): string[] {
  const { what, story, exchanges, before, clause, replay } = parts;
  return [...what, ...story, ...exchanges, ...before, ...clause, ...replay];
}

function clauseLines(result: ReportedResult): string[] {
  const id = brokenClause(result);
  const clause = clauseOf(id);
  const others = result.clauses.filter((other) => other !== id).length;
  const more = others === 0 ? "" : ` (and ${others} other ${others === 1 ? "clause" : "clauses"})`;
  const text = clause === undefined ? id : `${id}, section ${clause.section}: ${clause.text}`;
  return wrap(`${text}${more}`, label("clause"));
}

/** Of a failure: the reason, where it says more than what was expected and what came. */
export function ownReason({ reason = "", actual }: Pick<ReportedResult, "reason" | "actual">): string {
  return reason === actual || reason.startsWith("expected ") ? "" : reason;
}

function whatLines(result: ReportedResult): string[] {
  const lines: string[] = [];
  if (result.expected === undefined) lines.push(...wrap(result.reason ?? "", label("why")));
  else {
    lines.push(...wrap(result.expected, label("expected")));
    lines.push(...wrap(result.actual ?? "", label("actual")));
    const own = ownReason(result);
    if (own !== "") lines.push(...wrap(own, label("why")));
  }
  if (result.seenIn !== undefined) lines.push(...wrap(result.seenIn.join(", "), label("seen in")));
  return lines;
}

function listed(name: string, texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => wrap(text, label(index === 0 ? name : ""), TEXT + 2));
}

function storyLines({ story, otherStories = [] }: ReportedResult, isBrief: boolean): string[] {
  const lines = story === undefined ? [] : listedStory("story", story);
  if (isBrief) return capped(lines, brief.story);
  return [...lines, ...otherStories.flatMap((other) => listedStory("also", other))];
}

const listedStory = (name: string, story: ReportedStory) =>
  storyText(story).flatMap((line, index) => cut(line, label(index === 0 ? name : "")));

type Shown = ReportedResult["exchanges"][number];

function exchangeLines(exchange: Shown, isBrief: boolean): string[] {
  const { request, from, sentBytes } = exchange;
  const size = sentBytes === undefined ? `${request.bodyBytes}` : `${sentBytes} of ${request.bodyBytes}`;
  const [sent, how] = [`${label("sent")}${request.method} ${request.path}`, `(from ${from}, body ${size} bytes)`];
  const fits = columns(sent) + 1 + columns(how) <= WIDTH;
  const start = fits
    ? [`${sent} ${how}`]
    : [...cut(`${request.method} ${request.path}`, label("sent")), label("") + how];
  return [
    ...answerLines(exchange, isBrief),
    ...start,
    ...headerLines(request.headers, isBrief),
    ...bodyLines(request.body, isBrief ? brief.sent : undefined),
  ];
}

function answerLines({ answer, fault }: Shown, isBrief: boolean): string[] {
  if (answer === undefined) return wrap(`none: ${fault ?? "nothing came"}`, label("answer"));
  const telling = answer.headers.filter(([name]) => !everydayHeaders.has(name));
  const { headersLeftOut = 0 } = answer;
  return [
    `${label("answer")}${answer.status}`,
    ...headerLines(telling, isBrief),
    ...(headersLeftOut > 0 ? [`${label("")}and ${headersLeftOut} more headers`] : []),
    ...bodyLines(answer.body, isBrief ? brief.answer : undefined),
  ];
}

function bodyLines(body: string, most?: number): string[] {
  if (body === "") return [];
  const lines = cut(body, label(""));
  return most === undefined ? lines : capped(lines, most);
}

function headerLines(headers: readonly (readonly [string, string])[], isBrief: boolean): string[] {
  const all = headers.map(([name, value]) => cut(`${name}: ${value}`, label("")));
  if (!isBrief) return all.flat();
  const counts = new Map<string, number>();
  for (const [, value] of headers) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isDecoy = (index: number) => (counts.get(headers[index]?.[1] ?? "") ?? 0) >= DECOYS;
  const decoys = [...counts].filter(([, count]) => count >= DECOYS);
  const others = all.filter((_lines, index) => !isDecoy(index));
  const left = others.length - brief.headers;
  return [
    ...others.slice(0, brief.headers).flatMap((lines) => capped(lines, brief.header)),
    ...(left > 0 ? [`${label("")}+ ${left} more headers ${MORE}`] : []),
    ...decoys.flatMap(([value, count]) => capped(wrap(`+ ${count} headers holding ${value}`, label("")), brief.header)),
  ];
}

/** A command on one line; or a comment, with its mark on each line, so that a pasted line does nothing. */
function replayLines(replay: string, isBrief: boolean): string[] {
  if (!replay.startsWith("# ")) {
    const isLong = isBrief && replay.length > brief.replay;
    return [label("replay") + (isLong ? `a command of ${replay.length} characters ${MORE}` : replay)];
  }
  const indent = `${label("")}# `;
  const lines = wrap(replay.slice(2), `${label("replay")}# `);
  return lines.map((line, index) => (index === 0 ? line : indent + line.slice(indent.length)));
}

/** At most so many lines; the last one says how many are left out. */
export function capped(
  lines: readonly string[],
  most: number,
  said = (left: number) => `${label("")}... ${left} more lines ${MORE}`,
): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), said(lines.length - most + 1)];
}
