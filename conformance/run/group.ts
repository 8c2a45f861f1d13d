/** Runs a group of cases on one host: concurrently where they may; replaces a target that dies; retries suspects alone. */
import { StartError } from "../foundation/start-error.ts";
import { LIMIT_MET } from "../harness/case-record.ts";
import type { Case } from "../harness/case.ts";
import type { Finding } from "../harness/finding.ts";
import { resultOf, storyIn, type CaseResult } from "../harness/result.ts";
import { variants, type Variant, type VariantName } from "../targets/variants.ts";
import type { RunState } from "./context.ts";
import type { HealthProblem, Host } from "./host.ts";
import { judgeCase } from "./judge.ts";

interface Group {
  readonly state: RunState;
  readonly host: Host;
  readonly cases: readonly Case[];
  /** How many cases run at the same time, not counting those that only wait. */
  readonly width: number;
}

const isAborted = ({ state }: Group): boolean => state.context.signal.aborted;

/** Runs every case of a group and reports each result once. Throws `StartError` when the first start fails. */
export async function runGroup(group: Group): Promise<void> {
  const { state, host, cases } = group;
  if (isAborted(group) || cases.length === 0) return;
  if (state.budget.exhausted === undefined) await host.ensureRunning();
  let queue = [...cases];
  while (queue.length > 0 && !isAborted(group)) {
    const reason = await obstacle(group);
    if (reason !== undefined) return queue.forEach((item) => state.report(notTried(group, item, reason)));
    const { suspects, open, untried } = await runSideBySide(group, queue);
    for (const suspect of suspects) state.report(isAborted(group) ? suspect.result : await retry(group, suspect));
    await retryOpen(group, open);
    queue = untried;
  }
}

/** That the target does not answer is no fault of the suite. */
const notTried = ({ state }: Group, item: Case, reason: string): CaseResult =>
  resultOf(item, state.budget.exhausted === undefined ? "error" : "unreached", { reason });

/** Why no case can be tried; undefined when the target answers, or a new one was started in its place. */
async function obstacle({ host, state: { budget } }: Group): Promise<string | undefined> {
  if (budget.exhausted !== undefined) return budget.exhausted;
  const started = performance.now();
  if ((await host.healthProblem()) === undefined) return undefined;
  const givenUp = await host.replace();
  budget.waited(performance.now() - started);
  return givenUp;
}

/**
 * Runs the cases of another configuration. They pass on a target that refuses a bad configuration by exiting, and fail
 * on one that does not start with a good configuration.
 */
async function runVariant(group: Group, variant: Variant): Promise<void> {
  try {
    await runGroup(group);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const mayExit = variant.mayExit === true;
    const refused = mayExit && error.exited;
    const expected = mayExit ? "a refusal at start, or a gateway that answers" : "a gateway that answers";
    const findings = [{ expected, actual: error.message }];
    const failure = { findings, reason: `with ${variant.title}: ${error.message}` };
    for (const item of group.cases)
      group.state.report(refused ? resultOf(item, "pass") : resultOf(item, "fail", failure));
  }
}

/** Targets that are started at the same time, each with another configuration. */
export const STARTS_AT_A_TIME = 3;

/**
 * Runs the cases that need another configuration, each on a target of its own, or on one for all where a running target
 * can load the next (`reloads`).
 */
export async function runOtherConfigurations(
  state: RunState,
  others: ReadonlyMap<VariantName, readonly Case[]>,
  reloads: boolean,
  hostFor: (cases: readonly Case[]) => Host,
): Promise<void> {
  const lots = reloads ? [[...others]] : [...others].map((one) => [one]);
  const closing: Promise<void>[] = [];
  const runLots = async () => {
    for (let lot = lots.shift(); lot !== undefined; lot = lots.shift()) {
      const host = hostFor(lot.flatMap(([, cases]) => cases));
      for (const [variant, cases] of lot) {
        await host.turnTo(variant);
        await runVariant({ state, host, cases, width: 1 }, variants[variant]);
        await host.healthProblem();
      }
      // The next target starts while this one stops.
      const closed = host.lastLook().then(() => host.stop());
      closed.catch(() => {});
      closing.push(closed);
    }
  };
  await Promise.all(Array.from({ length: STARTS_AT_A_TIME }, runLots));
  await Promise.all(closing);
}

async function runSideBySide(group: Group, cases: readonly Case[]) {
  const { state, host, width } = group;
  const queue = [...cases];
  // Cases that were running when the target died: any of them may have killed it.
  const suspects: Suspect[] = [];
  const open: Suspect[] = [];
  const isDead = () => suspects.length > 0;
  const runOne = async (item: Case) => {
    const result = await judgeCase(item, host, state);
    // A run that is aborted stops the target itself.
    if (isAborted(group)) return state.report(result);
    const problem = !isDead() && isSuspect(result) ? await host.healthProblem() : undefined;
    // No other case was running, so this one killed the target, even if it passes when it is retried.
    const killed = width === 1 ? problem : undefined;
    if (isDead() || problem !== undefined) suspects.push({ item, result, killed });
    else if (isOpen(result)) open.push({ item, result, killed });
    else state.report(result);
  };
  const waiting = width > 1 ? takeWaiting(queue) : [];
  const workers = Array.from({ length: width }, async () => {
    while (!isDead() && !isAborted(group) && state.budget.exhausted === undefined) {
      const item = queue.shift();
      if (item === undefined) return;
      await runOne(item);
    }
  });
  await Promise.all([...waiting.map(runOne), ...workers]);
  return { suspects, open, untried: queue };
}

/** Cases that mostly let real time pass start first and take no worker. */
function takeWaiting(queue: Case[]): Case[] {
  const waiting = queue.filter((item) => (item.seconds ?? 0) > 0);
  queue.splice(0, queue.length, ...queue.filter((item) => (item.seconds ?? 0) === 0));
  return waiting;
}

interface Suspect {
  readonly item: Case;
  readonly result: CaseResult;
  readonly killed: HealthProblem | undefined;
}

/**
 * The machine may have been too busy, or other cases in the way, so the case is retried alone. If two cases in a row fail
 * again, it is the target's fault, and the other cases keep their results.
 */
async function retryOpen(group: Group, open: readonly Suspect[]): Promise<void> {
  const { budget, passedOnRetry, report } = group.state;
  let inVain = 0;
  for (const suspect of open) {
    let { result } = suspect;
    if (inVain < 2 && !isAborted(group)) {
      // A case that cannot be tried again stays unreached: where the target kept the run waiting, ALWAYS-UP fails.
      const reason = budget.exhausted;
      result = reason === undefined ? await retry(group, suspect) : notTried(group, suspect.item, reason);
      if (isSilent(suspect.result) && isSilent(result)) result = unanswered(suspect.item, result);
    }
    if (result.outcome === "pass") passedOnRetry.push(suspect.item.id);
    inVain = isOpen(result) ? inVain + 1 : 0;
    report(result);
  }
}

async function retry(group: Group, { item, result: before, killed }: Suspect): Promise<CaseResult> {
  const { host, state } = group;
  const reason = await obstacle(group);
  if (reason !== undefined) {
    if (killed === undefined && storyIn(before) === undefined) return notTried(group, item, reason);
    return died(item, before, killed ?? { what: reason, stderrTail: "" });
  }
  const result = await judgeCase(item, host, state);
  const problem = isSuspect(result) ? await host.healthProblem() : undefined;
  if (problem !== undefined) return died(item, result, problem);
  return killed === undefined || isFailure(result) ? result : died(item, before, killed);
}

/** The failure of a case that killed the target, with the requests that a property sent. */
function died(item: Case, result: CaseResult, { what, stderrTail }: HealthProblem): CaseResult {
  const reason = stderrTail === "" ? what : `${what}; the end of its stderr: ${stderrTail}`;
  const finding = { expected: "a target that goes on answering", actual: what, story: storyIn(result) };
  return failedBy(item, { ...result, reason }, finding);
}

/** What a case needed first was not answered at all, for no reason of time. */
const isSilent = ({ outcome, late, exchanges }: CaseResult): boolean =>
  outcome === "unreached" && late !== true && exchanges.some(({ answer }) => answer === undefined);

/** The failure of a case that could be put to the test neither beside others nor alone, as the target was silent. */
const unanswered = (item: Case, result: CaseResult): CaseResult =>
  failedBy(item, result, { expected: "an answer to a valid request", actual: "none, also when tried again alone" });

/** The case failed for what came of its requests, whatever it made of that. */
const failedBy = (item: Case, { reason, exchanges, ms, requests }: CaseResult, finding: Finding): CaseResult =>
  resultOf(item, "fail", { findings: [{ ...finding, exchanges }], reason, exchanges, ms, requests });

/** Only a case that did not pass may have killed the target: it may have missed an answer. */
function isSuspect(result: CaseResult): boolean {
  return result.outcome !== "pass" && result.outcome !== "not-applicable";
}

/** The result says nothing of the target, or depends on a request that was not answered or on what others beside it sent. */
const isOpen = (result: CaseResult): boolean =>
  isSuspect(result) &&
  (!isFailure(result) || result.reason === LIMIT_MET || result.exchanges.some(({ answer }) => answer === undefined));

const isFailure = ({ outcome }: CaseResult): boolean => outcome === "fail" || outcome === "warn";
