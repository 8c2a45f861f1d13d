/** A whole run: learns what the target can do, plans, runs the groups of cases at the same time, and concludes. */
import { durationInWords } from "../foundation/duration.ts";
import { lastLinesOf } from "../foundation/tail.ts";
import { StartError } from "../foundation/start-error.ts";
import type { Capability } from "../harness/capability.ts";
import type { Case } from "../harness/case.ts";
import { resultOf, type CaseResult } from "../harness/result.ts";
import { leftInWords } from "../targets/control.ts";
import { canRestart } from "../targets/target-file.ts";
import { variants } from "../targets/variants.ts";
import type { RunContext, RunState } from "./context.ts";
import { Budget, slowness } from "./budget.ts";
import { beyondBudgets, estimate } from "./estimate.ts";
import { runGroup, runOtherConfigurations } from "./group.ts";
import { hostPool, startHosts, type HostPool } from "./hosts.ts";
import { capabilitiesOf, clocksOf, planOf, type Clocks } from "./plan.ts";
import { collectResults } from "./results.ts";
import { Watch } from "./watch.ts";

export interface RunOutcome {
  /** In the order of the cases; none for a case that did not run before the run was aborted. */
  readonly results: readonly CaseResult[];
  readonly clock: Clocks;
  readonly capabilities: readonly Capability[];
  /** Remarks about the target as a whole. */
  readonly notes: readonly string[];
  /** The end of the target's stderr, at most 8 KB, not redacted. */
  readonly stderrTail: string;
  readonly ms: number;
}

/** Cases at the same time on one server; more would only queue up on two cores. */
const WIDTH = 12;
/** The same where every case needs a lane of its own: half of the lanes wait for their next rate window meanwhile. */
const LANES_WIDTH = 6;
const INSIDE = "the target was brought up by code of the runner's process: judge a release as its users start it";
const HELPED =
  "judged with a runtime that checks the states of flows by itself (--runtime checking): a gateway whose runtime does " +
  "not may show faults that this run cannot";
const TRANSLATED =
  "all client addresses share one budget, as behind address translation (docker -p, a port forward, a proxy) or with a " +
  "limit that is blind to addresses: what needs several clients is not judged. To judge it, let the kit reach the target directly";
const ONE_ADDRESS =
  "the target does not tell client addresses apart: to stay below its limits would take minutes (--max-minutes allows them)";
const PASSED_ON_RETRY = "passed when tried again alone";

/**
 * Runs the cases. Throws `StartError`, redacted, when the target cannot be started or reached. When the signal is
 * aborted, running cases end early and the results of the others are missing; before any result its reason is thrown.
 */
export async function run(context: RunContext): Promise<RunOutcome> {
  const { signal, redact } = context;
  signal.throwIfAborted();
  const budget = new Budget({ ...context, requestTimeoutMs: context.target.requestTimeoutMs, slowness });
  try {
    return await runWithin(budget, context);
  } catch (error) {
    if (budget.over !== undefined) throw new StartError(`the target was not ready: ${budget.over}`);
    if (!(error instanceof StartError)) throw error;
    throw new StartError(redact(error.message), { stderrTail: redact(error.stderrTail), exited: error.exited });
  } finally {
    budget.close();
  }
}

async function runWithin(budget: Budget, asked: RunContext): Promise<RunOutcome> {
  const began = performance.now();
  const context = { ...asked, signal: AbortSignal.any([asked.signal, budget.signal]) };
  const watch = new Watch(asked.cases, undefined, asked.onTraffic);
  const results = collectResults(asked, watch, budget);
  const state: RunState = { context, report: results.add, budget, watch, passedOnRetry: [] };
  const pool = hostPool(state);
  try {
    const learned = await learn(context, pool);
    const plan = planFor(context, learned);
    await tellEstimate(context, budget, plan, learned);
    plan.decided.forEach(results.add);
    await runGroups(state, plan, learned, pool);
    await pool.watchHealth();
    const { server } = learned;
    if (budget.waitedInVain !== undefined) watch.gone(server, budget.waitedInVain);
    return {
      results: results.conclude(),
      clock: learned.clocks,
      capabilities: [...learned.capabilities],
      notes: await notesOn(state, learned),
      stderrTail: server.stderrTail,
      ms: Math.round(performance.now() - began),
    };
  } finally {
    await pool.close();
  }
}

type Learned = Awaited<ReturnType<typeof learn>>;

/** Starts the targets with the standard configuration, and takes what the first of them shows for true of all. */
async function learn({ target, cases, profile, quick }: RunContext, pool: HostPool) {
  const known = clocksOf(target, cases, quick);
  // Where only the running target shows its clock: what needs a target of its own with any.
  const { groups } = planOf(cases, { capabilities: undefined, profile, quick, clocks: known ?? "real" });
  const hosts = await startHosts({ cases, groups, restarts: canRestart(target), pool });
  const clocks: Clocks = known ?? (hosts.server.facts.driven ? "driven" : "real");
  return { ...hosts, clocks, capabilities: capabilitiesOf(hosts.server) };
}

type RunPlan = ReturnType<typeof planFor>;

/** `decided`: the results of cases that need no request. */
function planFor(context: RunContext, { server: { facts }, refusal, clocks, capabilities }: Learned) {
  const { cases, profile, quick, maxMs } = context;
  const { notApplicable, groups, variants: others } = planOf(cases, { capabilities, profile, quick, clocks });
  // A machine has other addresses, and the target takes them for one.
  const isOne = facts.isOneAddress && !facts.driven;
  const beyond = isOne && maxMs === undefined ? beyondBudgets(groups.shared) : new Set<Case>();
  const decidedOf = (item: Case): CaseResult | undefined => {
    if (beyond.has(item)) return resultOf(item, "unreached", { reason: ONE_ADDRESS });
    return refusal !== undefined && isJudgedByStart(item) ? failedAtStart(item, refusal) : undefined;
  };
  const decided = [...notApplicable, ...groups.shared.flatMap((item) => decidedOf(item) ?? [])];
  const shared = groups.shared.filter((item) => decidedOf(item) === undefined);
  return { decided, groups: { ...groups, shared }, variants: others };
}

/** The cases that a target fails by not starting when one route's secret cannot be resolved. */
const isJudgedByStart = ({ clauses }: Case): boolean => clauses.includes("COLD-OTHERS");

/** Lines of stderr: what ended a target stands in the last ones. */
const LAST_WORDS = 3;

function failedAtStart(item: Case, { message, stderrTail }: StartError): CaseResult {
  const expected = "a gateway that starts although one route's secret cannot be resolved";
  const findings = [{ clause: "COLD-OTHERS", expected, actual: message }] as const;
  return resultOf(item, "fail", { findings, reason: message, printed: lastLinesOf(stderrTail, LAST_WORDS) });
}

/** Resolves once the user has read it: with --inspect a debugger is attached first. */
async function tellEstimate(context: RunContext, budget: Budget, plan: RunPlan, { server, main }: Learned) {
  const { target, onNotice, onEstimate } = context;
  const starts = { restarts: canRestart(target), reloads: server.reloads, startMs: main.startMs };
  const { ms, why } = estimate(plan, { ...server.facts, ...starts });
  budget.estimated(ms);
  const short = budget.isShorterThan(ms) ? ", too soon for that: allow more minutes, or run a part" : "";
  onNotice(`about ${durationInWords(ms)} (${why}); ends after ${budget.limit} at the latest${short}`);
  await onEstimate(ms, budget.limit);
}

/** Runs the groups at the same time, each on a target of its own; one after the other where there is one target only. */
async function runGroups(state: RunState, plan: RunPlan, learned: Learned, pool: HostPool): Promise<void> {
  const { target, signal } = state.context;
  const { facts, reloads } = learned.server;
  const width = facts.toldApart ? WIDTH : facts.driven ? 1 : LANES_WIDTH;
  const jobs = [...learned.of(plan.groups)].map(([name, host]) => async () => {
    const isBeside = (item: Case) => name === "shared" || item.idles === true;
    const cases = plan.groups[name];
    await runGroup({ state, host, cases: cases.filter(isBeside), width });
    await runGroup({ state, host, cases: cases.filter((item) => !isBeside(item)), width: 1 });
  });
  // An aborted start ends its group only: the partial results of the others are kept.
  const unlessAborted = (job: () => Promise<void>) =>
    job().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  if (!canRestart(target)) {
    // Cases that touch the global state of the one server wait for the others.
    for (const job of jobs) await unlessAborted(job);
    return;
  }
  const hostFor = (cases: readonly Case[]) => pool.hostFor(cases, "standard", { standard: facts });
  const others = () => runOtherConfigurations(state, plan.variants, reloads, hostFor);
  await Promise.all([...jobs, others].map(unlessAborted));
}

/** Remarks about the target as a whole. */
async function notesOn({ passedOnRetry, context }: RunState, learned: Learned): Promise<string[]> {
  const { server, variant, refusal } = learned;
  const { note, target, control, facts } = server;
  // Also where the profile leaves it open, and no case fails.
  const left = leftInWords(context.signal.aborted ? [] : ((await control?.left()) ?? []));
  return [
    note,
    target.launch && INSIDE,
    control?.runtime === "checking" ? HELPED : undefined,
    facts.translated && TRANSLATED,
    left,
    refusal && `judged with ${variants[variant].title}: ${refusal.message}`,
    passedOnRetry.length > 0 ? `${PASSED_ON_RETRY}: ${passedOnRetry.join(", ")}` : undefined,
  ].filter((remark) => remark !== undefined);
}
