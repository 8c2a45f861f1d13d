/** A telling as lines of 80 columns, the commands that can be pasted aside: those are one line each. */
import type { ReportedStory } from "./report.ts";
import { earlierText, storyText } from "./story-text.ts";
import { foldedHeaders, type Telling } from "./telling.ts";
import { columns, cut, WIDTH, wrap } from "./wrap.ts";

/** The column where texts begin, after their label. */
const TEXT = 12;
/** What a step's number takes. */
const STEP = 5;
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
const brief = { what: 8, story: 16, header: 2, headers: 10, sent: 4, answer: 9, replay: 700 } as const;
const MORE = "(--verbose)";

/** What was expected and what came, or why the case could not be judged. */
export function whatLines({ expected, actual = "", why, only, seenIn }: Telling): string[] {
  return [
    ...(expected === undefined
      ? []
      : [
          ...wrap(expected, label("expected")),
          ...wrap(actual, label("actual")),
          ...(only === undefined ? [] : wrap(only, label("only"))),
        ]),
    ...(why === undefined ? [] : wrap(why, label("why"))),
    ...(seenIn.length === 0 ? [] : wrap(seenIn.join(", "), label("seen in"))),
  ];
}

/** What was seen, in the order in which one reads it. `isBrief`: long parts are cut, but never the answer's start. */
export function evidenceLines(telling: Telling, isBrief = false): string[] {
  const { seenIn, exchanges, before, story, otherStories } = telling;
  // An invariant that was broken in several ways shows each.
  const shown = isBrief && seenIn.length > 0 ? exchanges.slice(0, 1) : exchanges;
  const left = exchanges.length - shown.length;
  const what = whatLines(telling);
  const told = story === undefined ? [] : listedStory("story", story);
  return [
    ...(isBrief ? capped(what, brief.what) : what),
    ...(isBrief ? capped(told, brief.story) : [...told, ...otherStories.flatMap((one) => listedStory("also", one))]),
    ...shown.flatMap((exchange) => exchangeLines(exchange, isBrief)),
    ...(left > 0 ? [`${label("")}and ${left} more ${left === 1 ? "exchange" : "exchanges"} ${MORE}`] : []),
    ...earlierText(before).flatMap((text, index) => wrap(text, label(index === 0 ? "before" : ""), TEXT + 2)),
    ...clauseLines(telling),
    ...shown.flatMap(({ replay }) => (replay === undefined ? [] : replayLines(replay, isBrief))),
  ];
}

/** All of it. */
export function explanation(telling: Telling): string[] {
  const { title, again } = telling;
  return [...wrap(title, "  "), ...evidenceLines(telling), ...(again === undefined ? [] : [label("again") + again])];
}

function clauseLines({ clause: { id, stated }, otherClauses }: Telling): string[] {
  const others = otherClauses.length;
  const more = others === 0 ? "" : ` (and ${others} other ${others === 1 ? "clause" : "clauses"})`;
  return wrap(
    `${stated === undefined ? id : `${id}, section ${stated.section}: ${stated.text}`}${more}`,
    label("clause"),
  );
}

const listedStory = (name: string, story: ReportedStory) =>
  storyText(story).flatMap((line, index) => cut(line, label(index === 0 ? name : ""), TEXT + STEP));

type Exchange = Telling["exchanges"][number];

function exchangeLines(exchange: Exchange, isBrief: boolean): string[] {
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

function answerLines({ answer, fault }: Exchange, isBrief: boolean): string[] {
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

function bodyLines(body: string, most = Infinity): string[] {
  return body === "" ? [] : capped(cut(body, label("")), most);
}

function headerLines(headers: readonly (readonly [string, string])[], isBrief: boolean): string[] {
  if (!isBrief) return headers.flatMap(([name, value]) => cut(`${name}: ${value}`, label("")));
  const { single, folded } = foldedHeaders(headers);
  const left = single.length - brief.headers;
  return [
    ...single.slice(0, brief.headers).flatMap((text) => capped(cut(text, label("")), brief.header)),
    ...(left > 0 ? [`${label("")}+ ${left} more headers ${MORE}`] : []),
    ...folded.flatMap((text) => capped(wrap(text, label("")), brief.header)),
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
