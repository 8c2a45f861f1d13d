/** Runs a group of cases on one host: side by side where they may, a dying target replaced, suspects tried again alone. */
import type { Case } from "./case.ts";
import type { Host } from "./host.ts";
import { judge, resultOf } from "./judge.ts";
import type { CaseResult } from "./result.ts";
import { StartError } from "./target/start-error.ts";
import type { Variant } from "./target/variants.ts";

export type Report = (result: CaseResult) => void;

export interface Group {
  readonly host: Host;
  readonly cases: readonly Case[];
  /** Cases at the same time. Those that only wait do not count. */
  readonly width: number;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Runs every case of a group and reports each result once. Throws `StartError` when the first start fails. */
export async function runGroup(group: Group): Promise<void> {
  if (group.signal.aborted || group.cases.length === 0) return;
  await group.host.standing();
  let left = [...group.cases];
  while (left.length > 0 && !group.signal.aborted) {
    if (!(await isWell(group))) return left.forEach((item) => group.report(resultOf(item, "error", GONE)));
    const { suspects, untried } = await runSideBySide(group, left);
    for (const suspect of suspects) await runSuspect(group, suspect);
    left = untried;
  }
}

const GONE = { reason: "the target is gone and was not started again" };

/** True when the target answers, or a new one was brought up in its place. */
async function isWell({ host }: Group): Promise<boolean> {
  return (await host.ailment()) === undefined || host.replace();
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

/** Cases that were running when the target died cannot tell which of them did it. */
async function runSideBySide(group: Group, cases: readonly Case[]): Promise<{ suspects: Case[]; untried: Case[] }> {
  const queue = [...cases];
  const suspects: Case[] = [];
  const isDead = () => suspects.length > 0;
  const runOne = async (item: Case) => {
    const result = await runCase(group, item);
    if (isDead() || (isSuspect(result) && (await group.host.ailment()) !== undefined)) {
      suspects.push(item);
    } else group.report(result);
  };
  const waiting = group.width > 1 ? takeWaiting(queue) : [];
  const workers = Array.from({ length: group.width }, async () => {
    while (!isDead() && !group.signal.aborted) {
      const item = queue.shift();
      if (item === undefined) return;
      await runOne(item);
    }
  });
  await Promise.all([...waiting.map(runOne), ...workers]);
  return { suspects, untried: queue };
}

/** Cases that mostly let real time pass start first and hold no place. */
function takeWaiting(queue: Case[]): Case[] {
  const waiting = queue.filter((item) => (item.seconds ?? 0) > 0);
  queue.splice(0, queue.length, ...queue.filter((item) => (item.seconds ?? 0) === 0));
  return waiting;
}

async function runSuspect(group: Group, item: Case): Promise<void> {
  if (!(await isWell(group))) return group.report(resultOf(item, "error", GONE));
  const result = await runCase(group, item);
  const ailment = isSuspect(result) ? await group.host.ailment() : undefined;
  if (ailment === undefined) return group.report(result);
  const { exchanges, ms, requests } = result;
  const found = { expected: "a target that goes on answering", actual: ailment, reason: ailment };
  group.report(resultOf(item, "fail", { ...found, exchanges, ms, requests }));
}

/** A case in which an answer never came may have ended the target. */
function isSuspect(result: CaseResult): boolean {
  return result.outcome !== "pass" && result.outcome !== "not-applicable";
}

async function runCase(group: Group, item: Case): Promise<CaseResult> {
  try {
    const { instance, facts, lanes } = await group.host.standing();
    const lease = await lanes.lease(item.requests);
    try {
      return await judge(item, instance, facts, lease);
    } finally {
      lease.release();
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return resultOf(item, "error", { reason: `the target could not be started again: ${error.message}` });
  }
}
