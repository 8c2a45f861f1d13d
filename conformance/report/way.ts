/**
 * The way of a request through a target, stop by stop: a fault at one stop hides what comes behind it, so failures are
 * told, and fixed, in this order. The first stops are the checks of section 4 in the order that it gives them.
 */
import { clauseIds, clauseOf, type ClauseId } from "../interface/clauses/index.ts";
import { sections } from "../interface/sections.ts";
import { firstFinding } from "./findings.ts";
import type { ReportedResult } from "./report.ts";
import { isOpen } from "./verdict.ts";

export interface Stop {
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /**
   * What the reason of a result holds where this stop kept the case from being judged: the target let a wrong request
   * pass, or refused a right one.
   */
  readonly blocks?: readonly RegExp[];
}

const named = (start: string) => clauseIds.filter((id) => id.startsWith(start));

export const way: readonly Stop[] = [
  { title: "method", clauses: ["METHOD-POST"], blocks: [/other method/, /accepted.*: 405\b/] },
  { title: "content type", clauses: ["CONTENT-TYPE"], blocks: [/another content type/, /accepted.*: 415\b/] },
  {
    title: "rate limit",
    clauses: named("RATE-"),
    blocks: [/budget/, /by the rate limit/, /refusal of an address/, /\b429\b/],
  },
  {
    title: "requests in flight",
    clauses: named("IN-FLIGHT-"),
    blocks: [/\beight/, /\bninth\b/, /\b24 requests\b/, /before its last byte/],
  },
  {
    title: "authentication",
    clauses: named("AUTH-"),
    blocks: [/wrong secret/, /wrong requests are accepted/, /accepted.*: 40[13]\b/],
  },
  { title: "secrets and routes without one", clauses: [...named("SECRET"), ...named("COLD-")] },
  {
    title: "body",
    clauses: ["BODY-OBJECT", "BODY-SIZE", "BODY-TIME", "ANSWER-DELIVERED"],
    blocks: [/malformed JSON/, /\bbody\b/, /accepted.*: 4(08|13)\b/],
  },
  { title: "order of the checks", clauses: [...named("ORDER-"), "ANSWER-EARLY"] },
  { title: "envelope", clauses: [...named("ENVELOPE-"), "ERROR-ENVELOPE"] },
  {
    title: "action and fields",
    clauses: [
      "VALIDATION",
      "ERROR-INVALID",
      "REVISION-REQUIRED",
      "RUN-TASK-RUNTIME",
      "RUN-TASK-STATUS",
      "RUN-TASK-RUNNING-FIELDS",
    ],
    blocks: [/run_task (is accepted|refused) with/],
  },
  {
    title: "actions",
    clauses: [
      ...named("ACTION-"),
      ...named("FLOW-"),
      "RUN-TASK-FLOW",
      "ERROR-NOT-FOUND",
      "ERROR-NOT-MANAGED",
      "ABSENT-READ",
    ],
    blocks: [/flowId/, /the set-up .* was not accepted/, /valid request .*not accepted/],
  },
  {
    title: "states and revisions",
    clauses: [
      ...named("STATE-"),
      "REVISION-STALE",
      "REVISION-UNCHANGED",
      "REVISION-ADVANCES",
      "ERROR-CANCEL-CODES",
      "ERROR-PERSIST",
    ],
    blocks: [/requests at the same time/],
  },
  { title: "sessions and metadata", clauses: [...named("SESSION-"), "NO-METADATA", "TASK-VIEW"] },
  { title: "tracked keys", clauses: ["TRACKED-KEYS"] },
  {
    title: "routes and configuration",
    clauses: [...named("SERVICE-"), ...named("CONFIG-"), "PATH-SERVED", "OPERATOR-GUIDANCE"],
  },
  { title: "statuses, events, versions", clauses: ["ERROR-STATUSES", "ERROR-FALLBACKS", "EVENTS", "VERSIONING"] },
];

/** For a report of a suite with other clauses. */
const elsewhere: Stop = { title: "other clauses", clauses: [] };

const stopOfClause = new Map<string, Stop>(way.flatMap((stop) => stop.clauses.map((id) => [id, stop])));

/** The clause that a failure is about: that of its first finding, else the one that a story broke, else the first of the case. */
export function brokenClause(result: Pick<ReportedResult, "findings" | "story" | "clauses">): string {
  const { story, clauses } = result;
  return firstFinding(result)?.clause ?? story?.replay?.clause ?? clauses[0] ?? "";
}

/** Where a result belongs: a failure to the clause that it broke, a result left open to the stop that its reason names. */
export function stopOf(result: ReportedResult): Stop {
  const { reason = "" } = result;
  const blocking = isOpen(result)
    ? way.find(({ blocks }) => blocks?.some((pattern) => pattern.test(reason)))
    : undefined;
  return blocking ?? stopOfClause.get(brokenClause(result)) ?? elsewhere;
}

/** The place of a stop on the way. */
export function placeOf(stop: Stop): number {
  const place = way.indexOf(stop);
  return place < 0 ? way.length : place;
}

/** The section of the interface that a case belongs to, that of its first clause; the last number for one of another suite. */
export function sectionOf({ clauses }: Pick<ReportedResult, "clauses">): number {
  return clauses.map((id) => clauseOf(id)).find((clause) => clause !== undefined)?.section ?? OTHER;
}

const OTHER = 99;

export function sectionTitle(section: number): string {
  return section === OTHER ? "Other cases" : `${section}. ${sections[section] ?? ""}`;
}
