/** Judges one case: gives it a lane of the running target, calls its function, and turns whatever happens into a result. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../foundation/start-error.ts";
import { addedTo, lastLinesOf } from "../foundation/tail.ts";
import { FREED_MS } from "../harness/accounts.ts";
import { LIMIT_MET } from "../harness/case-record.ts";
import { levelOf, type Case } from "../harness/case.ts";
import type { Facts } from "../targets/facts.ts";
import { Failure, NotApplicable, Unreached } from "../harness/case-errors.ts";
import type { Finding } from "../harness/finding.ts";
import { askElsewhere } from "../harness/elsewhere.ts";
import { resultOf, type CaseResult, type Outcome } from "../harness/result.ts";
import { Trial } from "../harness/trial.ts";
import type { Watching } from "../harness/watcher.ts";
import { asEvidence, type Exchange } from "../http/exchange.ts";
import { HarnessError, OutOfTime } from "../http/harness-error.ts";
import { limitRule } from "../invariants/limits.ts";
import { leftInWords } from "../targets/control.ts";
import type { Server } from "../targets/server.ts";
import { beforeOf } from "./before.ts";
import type { RunState } from "./context.ts";
import type { Host } from "./host.ts";

/** How long a case may take, beside the waits that it plans and two request timeouts, ms. */
const CASE_ALLOWANCE_MS = 20_000;
/** On a slow target a case also gets the time of some hundreds of requests, one after the other; the pace is of four at once. */
const SLOW_REQUESTS = 4 * 250;
const MOST_FOR_SLOWNESS_MS = 120_000;
/** A case whose time is up gets this long to report what it has found, ms. */
const LAST_WORDS_MS = 1000;
const KEPT_IN_RESULT = 4;
const PRINTED_LINES = 20;
/** What a target prints may come this long behind its answer, ms. */
const PIPE_MS = 50;
const NOTHING_ACCEPTED = "a valid request is not accepted with the standard configuration either";
const NOTHING_REFUSED = "wrong requests are accepted like right ones, so an accepted request proves nothing";

/** How the reason of a case begins that threw anything else than the errors of cases. */
export const SUITE_FAULT = "a fault of the suite";

/** Runs the case when the target has a lane for it; ends in bounded time. Throws faults of the kit itself only. */
export async function judgeCase(item: Case, host: Host, { context, budget, watch }: RunState): Promise<CaseResult> {
  const { signal, mostFindings } = context;
  try {
    const server = await host.ensureRunning();
    const lease = await server.lanes.lease(item);
    try {
      const result = await runCase(item, server, { lease, signal, watching: watch, mostFindings });
      budget.count(result, plannedMs(item, server.facts));
      return result;
    } finally {
      lease.release();
    }
  } catch (error) {
    // The run ended while the case waited for a lane: the results of the other cases are kept.
    if (signal.aborted) return resultOf(item, "error", { reason: "broken off" });
    if (error instanceof StartError)
      return resultOf(item, "error", { reason: `the target could not be started again: ${error.message}` });
    // The control port refused to advance the clock.
    if (error instanceof HarnessError) return resultOf(item, "error", { reason: error.message });
    throw error;
  }
}

/** Real time that the case lets pass on purpose, ms. */
function plannedMs(item: Case, { driven }: Pick<Facts, "driven">): number {
  return driven ? 0 : (item.seconds ?? 0) * 1000;
}

function timeLimit(item: Case, facts: Pick<Facts, "driven" | "requestMs">, requestTimeoutMs: number): number {
  const slowMs = Math.min(SLOW_REQUESTS * facts.requestMs, MOST_FOR_SLOWNESS_MS);
  return plannedMs(item, facts) + (item.longestMs ?? 0) + CASE_ALLOWANCE_MS + 2 * requestTimeoutMs + slowMs;
}

type Means = Omit<ConstructorParameters<typeof Trial>[0], "case" | "server" | "facts">;

async function runCase(item: Case, server: Server, means: Means): Promise<CaseResult> {
  const { facts, stderrTail } = server;
  const before = { stderrTail, cases: { ...server.cases } };
  server.cases.begun += 1;
  const started = performance.now();
  const limitMs = timeLimit(item, facts, server.target.requestTimeoutMs);
  // Always aborted at the end, and heard once: listeners on a live signal would keep the case and its answers in memory.
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), limitMs);
  const deadline = AbortSignal.any([means.signal, ending.signal]);
  const trial = new Trial({ ...means, case: item, server, facts, signal: deadline });
  let thrown: unknown;
  let findings: readonly Finding[] = [];
  let printed: readonly string[] = [];
  try {
    thrown = await thrownBy(trial, item, limitMs);
    if (thrown !== undefined) await askAgain(trial, means.watching, thrown);
    findings = [...trial.record.found, ...(thrown instanceof Failure ? [thrown.finding] : [])];
    const [first, ...others] = findings;
    if (first !== undefined && !means.signal.aborted) printed = await printedFor(trial, before);
    if (first !== undefined) findings = [await askElsewhere(trial, first), ...others];
  } finally {
    clearTimeout(timer);
    ending.abort();
    trial.record.close();
    server.cases.ended += 1;
  }
  const [first, ...others] = findings;
  // The control port may keep silent, too, and the time is over.
  const lack = means.signal.aborted ? undefined : await leftToRuntime(item, first, trial, means.watching);
  const level = levelOf(item, server.control?.isOwnGateway);
  const measured = { level, ...measuredIn(trial, thrown), ms: Math.round(performance.now() - started) };
  if (first === undefined)
    return resultOf(item, outcomeOf(thrown), { ...measured, ...(thrown !== undefined && explain(thrown, trial)) });
  const cut = thrown === undefined ? undefined : (true as const);
  const told = { ...measured, ...foundIn(trial, item, first, others), cut, printed, reason: lack };
  return resultOf(item, level === "should" ? "warn" : "fail", told);
}

/** What the case throws, or what says that the time is over, first. */
async function thrownBy(trial: Trial, item: Case, limitMs: number): Promise<unknown> {
  const { accepts, refuses } = trial.facts;
  try {
    if (item.variant !== undefined && !accepts) throw new Unreached(NOTHING_ACCEPTED, [], "actions");
    await Promise.race([item.run(trial), expiry(trial.signal, limitMs)]);
    if (!refuses) throw new Unreached(NOTHING_REFUSED, [], "authentication");
    return undefined;
  } catch (error) {
    return error;
  }
}

const measuredIn = ({ driven, requests, coverage, record: { measures } }: Trial, thrown: unknown) => ({
  clock: driven ? ("driven" as const) : ("real" as const),
  requests,
  coverage,
  measures: measures.length > 0 ? measures : undefined,
  late: thrown instanceof OutOfTime ? (true as const) : undefined,
});

type Before = Pick<Server, "cases" | "stderrTail">;

/**
 * The last lines that the target printed for the clients of a case; where it does not tell for whom, those on stderr
 * since the case began, unless another case was under way.
 */
async function printedFor({ server, record }: Trial, { cases, stderrTail }: Before): Promise<readonly string[]> {
  const sent = record.exchanges.map(({ from }) => from);
  const printed = (await server.control?.printedFor([...new Set(sent)])) ?? [];
  if (printed.length > 0) return printed.slice(-PRINTED_LINES);
  await delay(PIPE_MS);
  const isAlone = cases.begun === cases.ended && server.cases.begun === cases.begun + 1;
  return isAlone ? lastLinesOf(addedTo(stderrTail, server.stderrTail), PRINTED_LINES) : [];
}

/** The findings with their evidence, what came before the first, and how its row is played again. */
function foundIn(trial: Trial, { withRow, meetsLimits }: Case, first: Finding, others: readonly Finding[]) {
  const { exchanges: own = [], combination, story } = first;
  const shown = own.length > 0 ? own : trial.last;
  const findings = [{ ...first, exchanges: shown }, ...others].map((one) => {
    return { ...one, exchanges: evidence(one.exchanges ?? []) };
  });
  return {
    findings,
    exchanges: evidence(shown),
    before: story === undefined ? beforeOf(trial.record.steps, shown, meetsLimits === true) : [],
    row: withRow && combination?.map(({ factor, values: [value] }) => `${factor}=${value}`),
  };
}

/**
 * Sends again what a limit has refused, once no slot can be held any more that came free late: the account of its key then
 * knows whose fault that was. The result of the case stays as it is.
 */
async function askAgain(trial: Trial, watching: Watching, error: unknown): Promise<void> {
  const [refused] = error instanceof Unreached && error.message === LIMIT_MET ? error.exchanges : [];
  if (refused === undefined || watching.isBroken(limitRule.id)) return;
  await delay(FREED_MS + 1, undefined, { signal: trial.signal })
    .then(() => trial.send(refused.request, refused.from))
    .catch(() => {});
}

/** The texts between two quotes, looked up as a whole: many requests are asked about many changes. */
const quotedIn = ({ request }: Exchange) => new TextDecoder().decode(request.body).split('"');

/** Tells the invariants what a hosted plugin left to its runtime in this case; answers whether the failure is due to that. */
async function leftToRuntime(
  item: Case,
  found: Finding | undefined,
  trial: Trial,
  watching: Watching,
): Promise<string | undefined> {
  const left = (await trial.server.control?.left()) ?? [];
  if (left.length === 0) return undefined;
  const sent = trial.record.exchanges.map((step) => ({ step, quoted: new Set(quotedIn(step)) }));
  for (const one of left) {
    const by = sent.findLast(({ quoted }) => quoted.has(one.flowId) && quoted.has(one.action));
    if (by !== undefined) watching.unchecked(item, one, by.step);
  }
  const shown = new Set([...(found?.exchanges ?? []), ...trial.last].flatMap(quotedIn));
  return found && leftInWords(left.filter(({ flowId }) => shown.has(flowId)));
}

function outcomeOf(thrown: unknown): Outcome {
  if (thrown === undefined) return "pass";
  if (thrown instanceof Unreached || thrown instanceof OutOfTime) return "unreached";
  return thrown instanceof NotApplicable ? "not-applicable" : "error";
}

function explain(thrown: unknown, { last }: Trial): Partial<CaseResult> {
  if (thrown instanceof NotApplicable) return { reason: thrown.message };
  if (thrown instanceof HarnessError || thrown instanceof Unreached)
    return {
      reason: thrown.message,
      at: thrown instanceof Unreached ? thrown.at : undefined,
      exchanges: evidence(thrown.exchanges.length > 0 ? thrown.exchanges : last),
    };
  // A fault of the suite itself: the place in the code helps whoever reports it.
  const place = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { reason: `${SUITE_FAULT}: ${place.split("\n").slice(0, 3).join(" | ")}`, exchanges: evidence(last) };
}

const evidence = (exchanges: readonly Exchange[]) => exchanges.slice(-KEPT_IN_RESULT).map(asEvidence);

async function expiry(deadline: AbortSignal, limitMs: number): Promise<never> {
  await once(deadline, "abort");
  await delay(LAST_WORDS_MS, undefined, { ref: false });
  throw new OutOfTime(`the case did not end within ${Math.round(limitMs)} ms`);
}
