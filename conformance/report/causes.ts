/**
 * What is wrong with a target, in the order in which one fixes it. Failures that show the same fault have one cause,
 * and the simplest of them stands for it; what could not be judged hangs on the stop that kept it from being judged.
 */
import { by } from "../foundation/by.ts";
import { grouped } from "../foundation/grouped.ts";
import { clauseIds } from "../interface/clauses/index.ts";
import { countsInWords, countsOf } from "./facts.ts";
import { signaturesOf } from "./findings.ts";
import type { Report, ReportedResult } from "./report.ts";
import { failOnLevels, isTrouble } from "./verdict.ts";
import { brokenClause, stopOf, stops, type Stop } from "./way.ts";

/** Results of one cause. The first is the one to look at: the simplest. */
export type Cause = readonly [ReportedResult, ...ReportedResult[]];

export interface Trouble {
  readonly stop: Stop;
  /** Failures and warnings: red ones first, then single requests before properties, then the cause that most share. */
  readonly failing: readonly Cause[];
  readonly open: readonly Cause[];
}

/**
 * Red failures first: the cause of two thirds of them if there is one, then the others, then those that only a property
 * or the requests of other cases show; then what leaves the run open, then the other failures and warnings; each in the
 * way's order.
 */
export function troublesOf({ results, verdict }: Pick<Report, "results" | "verdict">): Trouble[] {
  const red = new Set(verdict.failed);
  const weight = [
    ({ id }: ReportedResult) => !red.has(id),
    ({ outcome }: ReportedResult) => outcome !== "fail",
    isGoneAlone,
    kindOf,
    ({ level }: ReportedResult) => failOnLevels.indexOf(level),
  ] as const;
  const plainest = by(...weight, (result) => !isUnnamed(result), placeOfClause, sizeOf);
  // A result that names the failing values represents its cause, unless most results of the cause need no such values.
  const told = (cause: Cause): Cause =>
    2 * cause.filter(isUnnamed).length > cause.length ? (cause.toSorted(plainest) as unknown as Cause) : cause;
  const wrong = results.filter(isTrouble);
  const failed = wrong.filter(({ findings }) => findings !== undefined);
  const failing = byStop(causesOf(failed.toSorted(by(...weight, isUnnamed, placeOfClause, sizeOf))).map(told));
  const open = byStop(openCauses(wrong.filter(({ findings }) => findings === undefined)));
  // Causes that equally many results share keep their order.
  const weightiest = (a: Cause, b: Cause) => by(...weight)(a[0], b[0]) || b.length - a.length;
  const troubles = [...new Set([...failing.keys(), ...open.keys()])].map((stop) => ({
    stop,
    failing: (failing.get(stop) ?? []).toSorted(weightiest),
    open: (open.get(stop) ?? []).toSorted(by(({ length }) => -length)),
  }));
  // However many failures have one cause, it is not told before what leaks, unless it comes before that on the way.
  const isLeaking = failing.get(LEAKS)?.some(([first]) => red.has(first.id)) === true;
  const last = isLeaking ? stops.indexOf(LEAKS) : stops.length;
  const severity = ({ stop, failing: [cause], open: unjudged }: Trouble) => {
    if (cause === undefined || !red.has(cause[0].id)) return unjudged.length > 0 ? 3 : 4;
    if (isGoneAlone(cause[0]) || kindOf(cause[0]) === PROPERTY) return 2;
    return 3 * cause.length > 2 * red.size && stops.indexOf(stop) <= last ? 0 : 1;
  };
  return troubles.toSorted(by(severity, ({ stop }) => stops.indexOf(stop)));
}

const LEAKS: Stop = "sessions and metadata";

const byStop = (causes: readonly Cause[]) => grouped(causes, ([simplest]) => stopOf(simplest));

export const resultsOf = ({ failing, open }: Pick<Trouble, "failing" | "open">): readonly ReportedResult[] =>
  [...failing, ...open].flat();

/** `authentication: 12 fail, 25 unreached`. */
export const troubleTitle = (trouble: Trouble): string =>
  `${trouble.stop}: ${countsInWords(countsOf(resultsOf(trouble)))}`;

export const firstOf = (trouble: Trouble) => resultsOf(trouble)[0] as ReportedResult;

const PROPERTY = 3;

/**
 * What there is to read of a failure: one case, or values of a row; an invariant broken in several ways; a row whatever its
 * values; a property; another invariant.
 */
function kindOf({ story, combination, seenIn, findings = [] }: ReportedResult): 0 | 1 | 2 | typeof PROPERTY | 4 {
  if (seenIn !== undefined) return findings.length > 1 ? 1 : 4;
  if (story === undefined) return 0;
  if (combination === undefined) return PROPERTY;
  return combination.length > 0 ? 0 : 2;
}

/** Passes on a new start of the target: only state that other cases left makes it fail. */
const isGoneAlone = ({ judgedAlone }: ReportedResult) => judgedAlone === "passes";

const isUnnamed = ({ combination = [] }: ReportedResult) => combination.length === 0;

/** The place of the broken clause among those of its case, which lists the clauses that it is about first. */
function placeOfClause(result: ReportedResult): number {
  const place = result.clauses.indexOf(brokenClause(result));
  return place < 0 ? clauseIds.length : place;
}

const sizeOf = ({ story, requests }: ReportedResult) => story?.requests ?? requests;

/** Each result joins the first one before it that shows the same fault. */
function causesOf(results: readonly ReportedResult[]): Cause[] {
  const blocked = new Set(results.flatMap((one) => (isBlocked(one) ? answerOf(one) : [])));
  const causes: ReportedResult[][] = [];
  const byKey = new Map<string, ReportedResult[]>();
  for (const result of results) {
    const keys = keysOf(result, blocked);
    const shared = keys.map((key) => byKey.get(key)).find((cause) => cause !== undefined);
    const cause = shared ?? [];
    if (shared === undefined) causes.push(cause);
    cause.push(result);
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, cause);
  }
  return causes as unknown as Cause[];
}

/** What two failures of one cause have in common. A bare answer says little of it, so it has a stop's name beside it. */
function keysOf(result: ReportedResult, blocked: ReadonlySet<string>): string[] {
  const { outcome } = result;
  const stop = stopOf(result);
  const ways = signaturesOf(result).map((way) => (/; got \d{3}\b/.test(way) ? `${stop} ${way}` : way));
  const answers = answerOf(result);
  const keys = [
    ...ways,
    ...answers.map((answer) => `${stop} ${answer}`),
    // An action that is wrongly refused is refused in every other case that needs it.
    ...[...answers, ...answersIn(result)].filter((answer) => blocked.has(answer)),
  ];
  return keys.map((key) => `${outcome} ${key}`);
}

const isBlocked = ({ expected = "", actual = "" }: ReportedResult) =>
  /\baccepted\b/.test(expected) && /^[45]\d\d\b/.test(actual);

/** `run_task 409 ok:false task_not_created`: the action and its answer, where the answer is what is wrong. */
function answerOf(result: ReportedResult): string[] {
  const { actual = "" } = result;
  const action = result.exchanges.at(-1)?.request.action;
  return action === undefined || !/^\d{3}\b/.test(actual) ? [] : [`${action} ${actual}`];
}

function answersIn({ story }: ReportedResult): string[] {
  return (story?.steps ?? [])
    .flatMap(({ action, answers }) => answers.map(({ answer, sent }) => ({ action: sent?.action ?? action, answer })))
    .flatMap(({ action, answer }) => (action === undefined ? [] : [`${action} ${answer}`]));
}

function openCauses(results: readonly ReportedResult[]): Cause[] {
  const causes = grouped(results, (result) => JSON.stringify([result.outcome, reasonOf(result), stopOf(result)]));
  return [...causes.values()].map((cause) => cause.toSorted(by(({ requests }) => requests)) as unknown as Cause);
}

/** Without how busy the machine was, which differs between results that ran out of time alike. */
const reasonOf = ({ reason = "", late }: ReportedResult) =>
  late === true ? reason.replace(/ \(load average [^()]*\)$/, "") : reason;
