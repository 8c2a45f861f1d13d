/** Runs a group of cases on one host: side by side where they may, a dying target replaced, suspects tried again alone. */
import type { Case } from "../harness/case.ts";
import { HarnessError } from "../http/harness-error.ts";
import type { Ailment, Host } from "./host.ts";
import { judge, letsPassMs, resultOf } from "./judge.ts";
import type { Patience } from "./patience.ts";
import type { CaseResult } from "../harness/result.ts";
import { StartError } from "../foundation/start-error.ts";
import type { Variant } from "../targets/variants.ts";

export type Report = (result: CaseResult) => void;

export interface Group {
  readonly host: Host;
  readonly cases: readonly Case[];
  /** Cases at the same time. Those that only wait do not count. */
  readonly width: number;
  readonly report: Report;
  readonly signal: AbortSignal;
  /** One for the whole run. */
  readonly patience: Patience;
  /** Told of each case that passes when it is tried again, after a request that was not answered. */
  readonly passedAgain: (item: Case) => void;
}

/** Runs every case of a group and reports each result once. Throws `StartError` when the first start fails. */
export async function runGroup(group: Group): Promise<void> {
  if (group.signal.aborted || group.cases.length === 0) return;
  if (group.patience.lost === undefined) await group.host.standing();
  let left = [...group.cases];
  while (left.length > 0 && !group.signal.aborted) {
    const reason = await obstacle(group);
    if (reason !== undefined) return left.forEach((item) => group.report(resultOf(item, "error", { reason })));
    const { suspects, unanswered, untried } = await runSideBySide(group, left);
    for (const suspect of suspects) group.report(await runSuspect(group, suspect));
    await tryAgain(group, unanswered);
    left = untried;
  }
}

/** Why no case can be tried; undefined when the target answers, or a new one was brought up in its place. */
async function obstacle({ host, patience }: Group): Promise<string | undefined> {
  if (patience.lost !== undefined) return patience.lost;
  const started = performance.now();
  if ((await host.ailment()) === undefined) return undefined;
  const replaced = await host.replace();
  patience.spend(performance.now() - started);
  return replaced ? undefined : "the target is gone and was not started again";
}

/**
 * Runs the cases of another configuration. A target that refuses a bad one by exiting passes them; one that does not
 * start with a good one fails them. Never throws.
 */
export async function runVariant(group: Group, variant: Variant): Promise<void> {
  try {
    await runGroup(group);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const refused = variant.mayExit === true && error.exited;
    const expected =
      variant.mayExit === true ? "a refusal at start, or a gateway that answers" : "a gateway that answers";
    const found = { expected, actual: error.message, reason: `with ${variant.title}: ${error.message}` };
    for (const item of group.cases) group.report(refused ? resultOf(item, "pass") : resultOf(item, "fail", found));
  }
}

interface SideBySide {
  /** Cases that were running when the target died cannot tell which of them did it. */
  readonly suspects: readonly Suspect[];
  readonly unanswered: readonly Suspect[];
  readonly untried: Case[];
}

async function runSideBySide(group: Group, cases: readonly Case[]): Promise<SideBySide> {
  const queue = [...cases];
  const suspects: Suspect[] = [];
  const unanswered: Suspect[] = [];
  const isDead = () => suspects.length > 0;
  const runOne = async (item: Case) => {
    const result = await runCase(group, item);
    // A run that is broken off ends the target itself.
    if (group.signal.aborted) return group.report(result);
    const ailment = !isDead() && isSuspect(result) ? await group.host.ailment() : undefined;
    // Where no other case ran it is this one that ended the target, whatever it does when it is tried again.
    const ended = group.width === 1 ? ailment : undefined;
    if (isDead() || ailment !== undefined) suspects.push({ item, result, ended });
    else if (isUnanswered(result)) unanswered.push({ item, result, ended });
    else group.report(result);
  };
  const waiting = group.width > 1 ? takeWaiting(queue) : [];
  const workers = Array.from({ length: group.width }, async () => {
    while (!isDead() && !group.signal.aborted && group.patience.lost === undefined) {
      const item = queue.shift();
      if (item === undefined) return;
      await runOne(item);
    }
  });
  await Promise.all([...waiting.map(runOne), ...workers]);
  return { suspects, unanswered, untried: queue };
}

/** Cases that mostly let real time pass start first and hold no place. */
function takeWaiting(queue: Case[]): Case[] {
  const waiting = queue.filter((item) => (item.seconds ?? 0) > 0);
  queue.splice(0, queue.length, ...queue.filter((item) => (item.seconds ?? 0) === 0));
  return waiting;
}

/** A case that ran when the target died, and what came of it. */
interface Suspect {
  readonly item: Case;
  readonly result: CaseResult;
  /** How the target ended, where this case alone can have done it. */
  readonly ended: Ailment | undefined;
}

/**
 * An answer that never came may be that of a machine that was too busy: alone the case tells. Where two do not come
 * again it is the target, and the others are told as they were.
 */
async function tryAgain(group: Group, unanswered: readonly Suspect[]): Promise<void> {
  let inVain = 0;
  for (const suspect of unanswered) {
    const isOver = inVain === 2 || group.signal.aborted || group.patience.lost !== undefined;
    const result = isOver ? suspect.result : await runSuspect(group, suspect);
    if (result.outcome === "pass") group.passedAgain(suspect.item);
    inVain = isUnanswered(result) ? inVain + 1 : 0;
    group.report(result);
  }
}

async function runSuspect(group: Group, { item, result: before, ended }: Suspect): Promise<CaseResult> {
  const reason = await obstacle(group);
  if (reason !== undefined) {
    if (before.story === undefined) return resultOf(item, "error", { reason });
    return died(item, before, { what: reason, lastWords: ended?.lastWords ?? "" });
  }
  const result = await runCase(group, item);
  const ailment = isSuspect(result) ? await group.host.ailment() : undefined;
  if (ailment !== undefined) return died(item, result, ailment);
  return ended === undefined || isFailure(result) ? result : died(item, before, ended);
}

/** The requests that ended the target are told as far as a property knows them. */
function died(item: Case, { exchanges, ms, requests, story }: CaseResult, { what, lastWords }: Ailment): CaseResult {
  const reason = lastWords === "" ? what : `${what}; the end of its stderr: ${lastWords}`;
  const found = { expected: "a target that goes on answering", actual: what, reason };
  return resultOf(item, "fail", { ...found, ...(story && { story }), exchanges, ms, requests });
}

/** A case in which an answer never came may have ended the target. */
function isSuspect(result: CaseResult): boolean {
  return result.outcome !== "pass" && result.outcome !== "not-applicable";
}

/** What came of it hangs on a request that nobody answered, or on the case's own time. */
const isUnanswered = (result: CaseResult): boolean =>
  isSuspect(result) && (result.outcome === "error" || result.exchanges.some(({ answer }) => answer === undefined));

const isFailure = ({ outcome }: CaseResult): boolean => outcome === "fail" || outcome === "warn";

async function runCase(group: Group, item: Case): Promise<CaseResult> {
  try {
    const { instance, facts, lanes } = await group.host.standing();
    const lease = await lanes.lease(item.requests);
    try {
      const result = await judge(item, { instance, facts, lease, signal: group.signal });
      group.patience.judged(result, letsPassMs(item, facts));
      return result;
    } finally {
      lease.release();
    }
  } catch (error) {
    // While it waited for a lane: thrown on, it would take what the cases beside it have found.
    if (group.signal.aborted) return resultOf(item, "error", { reason: "broken off" });
    if (error instanceof StartError)
      return resultOf(item, "error", { reason: `the target could not be started again: ${error.message}` });
    // The control port would not let time pass.
    if (error instanceof HarnessError) return resultOf(item, "error", { reason: error.message });
    throw error;
  }
}
