/** A telling as lines, the commands that can be pasted aside: those are one line each. */
import { number } from "./facts.ts";
import type { ReportedStory } from "./report.ts";
import { earlierText, storyText } from "./story-text.ts";
import { foldedHeaders, splitHeaders, type Telling } from "./telling.ts";
import { columns, cut, lineWidth, wrap } from "./wrap.ts";

/** The column where texts begin, after their label. */
const TEXT = 12;
/** Columns of a step's number. */
const STEP = 5;
export const label = (name: string) => `  ${name}`.padEnd(TEXT);

/** What a brief explanation has room for: exchanges of an invariant, lines, and of a command characters. */
const brief = {
  ways: 1,
  what: 8,
  story: 16,
  header: 2,
  headers: 10,
  sent: 4,
  answer: 14,
  replay: 700,
  before: 8,
  reading: 4,
  printed: 6,
};
type Room = Readonly<typeof brief>;
const whole = Object.fromEntries(Object.keys(brief).map((name) => [name, Infinity])) as unknown as Room;
const MORE = "(--verbose)";

/** What was expected and what came, or why the case could not be judged. */
export function whatLines({ expected, actual, why, when, alone, also, seenIn = [] }: Telling): string[] {
  return [
    ...labelled("expected", expected),
    ...labelled("actual", actual),
    ...labelled("when", when),
    ...labelled("alone", alone),
    ...labelled("why", why),
    ...also.flatMap((text) => labelled("also", text)),
    ...labelled("seen in", seenIn.length === 0 ? undefined : seenIn.join(", ")),
  ];
}

const labelled = (name: string, text: string | undefined) => (text === undefined ? [] : wrap(text, label(name)));

/** What was seen, in the order in which one reads it. `isBrief`: long parts are cut, but never the answer's start. */
export function evidenceLines(telling: Telling, isBrief = false): string[] {
  const room = isBrief ? brief : whole;
  const { seenIn = [], exchanges, before = [], printed = [], story, otherStories = [], isAlone } = telling;
  // An invariant that was broken in several ways shows each.
  const shown = seenIn.length === 0 ? exchanges : exchanges.slice(0, room.ways);
  const left = exchanges.length - shown.length;
  const broken = clauseLines(telling);
  // The title tells of the case's first clause: one that breaks another rule says so before anything else.
  const isOther = telling.clause.id !== telling.clauses[0];
  return [
    ...(isOther ? broken : []),
    ...capped(whatLines(telling), room.what),
    ...(story === undefined ? [] : capped(listedStory("story", story), room.story)),
    ...(isBrief ? [] : otherStories.flatMap((one) => listedStory("also", one))),
    ...shown.flatMap((exchange) => exchangeLines(exchange, room)),
    ...(left > 0 ? [`${label("")}and ${number(left, "more exchange")} ${MORE}`] : []),
    ...earlierText(before, room.before).flatMap((text, index) =>
      wrap(text, label(index === 0 ? "before" : ""), TEXT + 2),
    ),
    ...capped(
      printed.flatMap((text, index) => cut(text, label(index === 0 ? "printed" : ""))),
      room.printed,
    ),
    ...(isOther ? [] : broken),
    ...capped(labelled("reading", telling.reading), room.reading),
    ...(isBrief && !isAlone ? [] : replayed(telling, shown, room)),
  ];
}

/** All of it. */
export function explanation(telling: Telling): string[] {
  const { title, again } = telling;
  return [...wrap(title, "  "), ...evidenceLines(telling), ...(again === undefined ? [] : [label("again") + again])];
}

const replayed = ({ serve }: Telling, shown: Telling["exchanges"], room: Room): string[] => [
  ...(serve === undefined ? [] : [label("serve") + serve]),
  ...shown.flatMap(({ replay }) => (replay === undefined ? [] : replayLines(replay, room))),
];

const clauseLines = ({ clause: { id, stated } }: Telling): string[] =>
  wrap(stated === undefined ? id : `${id}, section ${stated.section}: ${stated.text}`, label("clause"));

const listedStory = (name: string, story: ReportedStory) =>
  storyText(story).flatMap((line, index) => cut(line, label(index === 0 ? name : ""), TEXT + STEP));

type Exchange = Telling["exchanges"][number];

function exchangeLines(exchange: Exchange, room: Room): string[] {
  const { request, from, sentBytes } = exchange;
  const size = sentBytes === undefined ? `${request.bodyBytes}` : `${sentBytes} of ${request.bodyBytes}`;
  const [sent, how] = [`${label("sent")}${request.method} ${request.path}`, `(from ${from}, body ${size} bytes)`];
  const fits = columns(sent) + 1 + columns(how) <= lineWidth();
  return [
    ...answerLines(exchange, room),
    ...(fits ? [`${sent} ${how}`] : [...cut(`${request.method} ${request.path}`, label("sent")), label("") + how]),
    ...headerLines(request.headers, room),
    ...bodyLines(request.body, room.sent),
  ];
}

function answerLines({ answer, fault }: Exchange, room: Room): string[] {
  if (answer === undefined) return wrap(`none: ${fault ?? "nothing came"}`, label("answer"));
  const { headersLeftOut = 0 } = answer;
  return [
    `${label("answer")}${answer.status}`,
    ...headerLines(splitHeaders(answer.headers).told, room),
    ...(headersLeftOut > 0 ? [`${label("")}and ${number(headersLeftOut, "more header")}`] : []),
    ...bodyLines(answer.body, room.answer),
  ];
}

const bodyLines = (body: string, most: number) => (body === "" ? [] : capped(cut(body, label("")), most));

function headerLines(headers: readonly (readonly [string, string])[], room: Room): string[] {
  const { single, folded } = foldedHeaders(headers);
  const left = single.length - room.headers;
  return [
    ...single.slice(0, room.headers).flatMap((text) => capped(cut(text, label("")), room.header)),
    ...(left > 0 ? [`${label("")}+ ${number(left, "more header")} ${MORE}`] : []),
    ...folded.flatMap((text) => capped(wrap(text, label("")), room.header)),
  ];
}

/** A command on one line; or a comment, with its mark on each line, so that a pasted line does nothing. */
function replayLines(replay: string, room: Room): string[] {
  if (replay.startsWith("# ")) {
    const indent = `${label("")}# `;
    const lines = wrap(replay.slice(2), `${label("replay")}# `);
    return lines.map((line, index) => (index === 0 ? line : indent + line.slice(indent.length)));
  }
  const isLong = replay.length > room.replay;
  return [label("replay") + (isLong ? `a command of ${replay.length} characters ${MORE}` : replay)];
}

/** At most so many lines; the last one says how many are left out. */
export function capped(
  lines: readonly string[],
  most: number,
  said = (left: number) => `${label("")}... ${number(left, "more line")} ${MORE}`,
): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), said(lines.length - most + 1)];
}
