/** A whole run: how often and in which order the cases run, in which groups, and what came of each. */
import { inWords } from "../foundation/duration.ts";
import { StartError } from "../foundation/start-error.ts";
import { tailOf } from "../foundation/tail.ts";
import type { Capability } from "../harness/capability.ts";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { LIMIT_MET } from "../harness/case-record.ts";
import { canRestart } from "../targets/target-file.ts";
import { variants } from "../targets/variants.ts";
import type { RunContext, RunState } from "./context.ts";
import { runGroup, runOtherConfigurations } from "./group.ts";
import { Host } from "./host.ts";
import { startHosts, type HostFor } from "./hosts.ts";
import { resultOf } from "./judge.ts";
import { Patience } from "./patience.ts";
import { capabilitiesOf, clocksOf, planOf, withSourcesFor, type Clocks, type Groups } from "./plan.ts";
import { shuffled, Tally } from "./rounds.ts";
import { beyondBudgets, estimate } from "./estimate.ts";
import { TimeBudget } from "./time-budget.ts";
import { Watch } from "./watch.ts";

export interface RunOutcome {
  /** In the order of the cases; none for a case that did not run before the run was aborted. */
  readonly results: readonly CaseResult[];
  /** What the verdict rests on. */
  readonly clock: Clocks;
  readonly capabilities: readonly Capability[];
  /** Remarks about the target as a whole. */
  readonly notes: readonly string[];
  /** The end of the target's stderr, at most 8 KB, not redacted. */
  readonly stderrTail: string;
  readonly ms: number;
}

/** Two rounds on one target show what the first one leaves behind; more would only judge a target full of flows. */
const ROUNDS_PER_TARGET = 2;
/** Cases at the same time on one instance; more would only queue up on two cores. */
const WIDTH = 12;
/** The same where every case needs a lane of its own: half of the lanes wait for their next rate window meanwhile. */
const LANES_WIDTH = 6;
const INSIDE = "the target was brought up by code of the runner's process: judge a release as its users start it";
const HELPED =
  "judged with a runtime that checks the states of flows by itself (--runtime checking): a gateway whose runtime does " +
  "not may show faults that this run cannot";
const ONE_ADDRESS =
  "the target takes all client addresses for one: to stay below its limits would take minutes (--max-minutes allows them)";
const PASSED_ON_RETRY = "passed when retried alone, after a request that was not answered";

/**
 * Runs the cases. Throws `StartError`, redacted, when the target cannot be started or reached. When the signal is
 * aborted, running cases end early and the results of the others are missing; before any result its reason is thrown.
 */
export async function run(context: RunContext): Promise<RunOutcome> {
  const { cases, repeat, shuffle, signal, redact } = context;
  const budget = new TimeBudget(context.maxMs);
  const tally = new Tally(cases);
  const targets: Omit<RunOutcome, "results">[] = [];
  signal.throwIfAborted();
  try {
    for (let done = 0; done < repeat && !signal.aborted; done += ROUNDS_PER_TARGET) {
      const order = shuffle === undefined ? cases : shuffled(cases, shuffle + done);
      const rounds = Math.min(ROUNDS_PER_TARGET, repeat - done);
      try {
        if (targets.length > 0) budget.signal.throwIfAborted();
        const { results, ...rest } = await runOnOneTarget(context, order, rounds, budget);
        targets.push(rest);
        for (const result of results) tally.add(result);
      } catch (error) {
        if (targets.length > 0 && budget.over !== undefined) {
          for (const result of untried(context, order, rounds, [], budget)) tally.add(result);
          continue;
        }
        // Aborted while a later target was starting: the results of the earlier rounds are kept.
        if (signal.aborted && targets.length > 0) break;
        if (budget.over !== undefined) throw new StartError(`the target was not ready: ${budget.over}`);
        if (!(error instanceof StartError)) throw error;
        throw new StartError(redact(error.message), { stderrTail: redact(error.stderrTail), exited: error.exited });
      }
    }
  } finally {
    budget.close();
  }
  const [first] = targets;
  if (first === undefined) throw new RangeError("at least one round is needed");
  const notes = [...new Set(targets.flatMap((target) => target.notes))];
  const stderrTail = tailOf(targets.map((target) => target.stderrTail).join(""));
  return { ...first, results: tally.results, notes, stderrTail, ms: targets.reduce((sum, { ms }) => sum + ms, 0) };
}

/** Reports the results that the cases did not get in so many rounds, as the time is over. */
function untried(
  { cases, repeat, onResult }: RunContext,
  order: readonly Case[],
  rounds: number,
  results: readonly CaseResult[],
  budget: TimeBudget,
): CaseResult[] {
  const counts = new Map<string, number>();
  for (const { id } of results) counts.set(id, (counts.get(id) ?? 0) + 1);
  const missing = order.flatMap((item) => Array.from({ length: rounds - (counts.get(item.id) ?? 0) }, () => item));
  const late = missing.map((item) => resultOf(item, "unreached", { late: true, reason: `not tried: ${budget.over}` }));
  for (const result of late) onResult(result, cases.length * repeat);
  return late;
}

/** One or two rounds on one start of the target. */
async function runOnOneTarget(
  asked: RunContext,
  cases: readonly Case[],
  rounds: number,
  budget: TimeBudget,
): Promise<RunOutcome> {
  const began = performance.now();
  const { target, profile, quick, onResult, repeat, onNotice, onEstimate } = asked;
  const signal = AbortSignal.any([asked.signal, budget.signal]);
  const context = { ...asked, signal };
  const results: CaseResult[] = [];
  const watch = new Watch(cases);
  const tell = (result: CaseResult) => {
    // The outcome of an aborted case proves nothing about the target, except what a property or invariant had found by then.
    if (asked.signal.aborted && result.story === undefined && result.causes === undefined) return;
    const cut = budget.over !== undefined && (result.outcome === "error" || result.outcome === "unreached");
    results.push(
      cut ? { ...result, outcome: "unreached", late: true, reason: `not finished: ${budget.over}` } : result,
    );
    onResult(result, cases.length * repeat);
  };
  const report = (result: CaseResult) => {
    // What an invariant comes to is known when the last exchange is over.
    if (!watch.hold(result)) tell(result);
  };
  const patience = new Patience(target.requestTimeoutMs);
  const state: RunState = { context, report, patience, watch, passedOnRetry: [] };
  const hosts: Host[] = [];
  let over = false;
  const clocksBefore = clocksOf(target, cases, quick);
  const clock = clocksBefore === "both" ? "real" : clocksBefore;
  const hostFor: HostFor = (members, variant, more = {}) => {
    const needed = { ...context, target: withSourcesFor(members, target) };
    const host = new Host({ clock, ...more, context: needed, watch, patience, variant });
    hosts.push(host);
    if (over) void host.close();
    return host;
  };

  try {
    const restarts = canRestart(target);
    // Where only the running target shows its clock: what needs a target of its own with any.
    const before = { capabilities: undefined, profile, quick, clocks: clocksBefore ?? "real" };
    const started = await startHosts({ cases, groups: planOf(cases, before).groups, restarts, hostFor });
    const { main, running, variant: loaded, refusal } = started;
    const { instance, facts } = running;
    const capabilities = capabilitiesOf(running);
    const clocks = clocksBefore ?? (facts.driven ? "driven" : "real");
    const whole = planOf(cases, { capabilities, profile, quick, clocks });
    // A machine has other addresses, and the target takes them for one.
    const isOne = facts.isOneAddress && !facts.driven;
    const beyond = isOne && context.maxMs === undefined ? beyondBudgets(whole.groups.shared) : new Set<Case>();
    const within = whole.groups.shared.filter((item) => !beyond.has(item));
    const plan = { ...whole, groups: { ...whole.groups, shared: within } };
    const expected = estimate(plan, { ...facts, restarts, reloads: instance.reloads, startMs: main.startMs });
    const wholeMs = expected.ms * repeat;
    budget.estimated(wholeMs, onNotice);
    onEstimate(wholeMs, budget.limit);
    const short = budget.isShorterThan(wholeMs) ? ", too soon for that: allow more minutes, or run a part" : "";
    onNotice(`about ${inWords(wholeMs)} (${expected.why}); ends after ${budget.limit} at the latest${short}`);

    const judgedByStart = refusal === undefined ? [] : plan.groups.shared.filter(isJudgedByStart);
    const shared = plan.groups.shared.filter((item) => !judgedByStart.includes(item));
    const width = facts.toldApart ? WIDTH : facts.driven ? 1 : LANES_WIDTH;
    const groups: Groups = { ...plan.groups, shared };
    const runs = [...started.of(groups)].map(([name, host]) => async () => {
      const idle = name === "shared" ? shared : groups[name].filter(isIdle);
      await runGroup({ state, host, cases: idle, width });
      const serial = groups[name].filter((item) => !idle.includes(item));
      await runGroup({ state, host, cases: serial, width: 1 });
    });
    const runOthers = () =>
      runOtherConfigurations({
        state,
        variants: plan.variants,
        rounds,
        reloads: instance.reloads,
        newHost: () => hostFor([...plan.variants.values()].flat(), "standard", { standard: facts }),
      });
    // An aborted start ends its group only: the partial results of the others are kept.
    const unlessAborted = (error: unknown) => {
      if (!signal.aborted) throw error;
    };
    for (let round = 0; round < rounds; round += 1) {
      plan.notApplicable.forEach(report);
      for (const item of beyond) report(resultOf(item, "unreached", { reason: ONE_ADDRESS }));
      if (refusal !== undefined) judgedByStart.forEach((item) => report(failedAtStart(item, refusal)));
      // With one instance only, cases that touch its global state wait for the others.
      if (!restarts) {
        for (const runOne of runs) await runOne().catch(unlessAborted);
      } else {
        const atOnce = [...runs, ...(round === 0 ? [runOthers] : [])];
        await Promise.all(atOnce.map((runOne) => runOne().catch(unlessAborted)));
      }
    }

    for (const host of hosts) await host.healthProblem();
    if (patience.waitedInVain !== undefined) watch.gone(instance, patience.waitedInVain);
    for (const result of watch.results()) tell(result);
    if (budget.over !== undefined && !asked.signal.aborted) {
      results.push(...untried(asked, cases, rounds, results, budget));
    }
    const notes = [
      instance.note,
      target.launch && INSIDE,
      instance.control?.runtime === "checking" ? HELPED : undefined,
      // Also where the profile leaves it open, and no case fails.
      await instance.control?.left(() => true).then((left) => left && `the plugin ${left}`),
      refusal && `judged with ${variants[loaded].title}: ${refusal.message}`,
      state.passedOnRetry.length > 0 ? `${PASSED_ON_RETRY}: ${state.passedOnRetry.join(", ")}` : undefined,
    ].filter((note) => note !== undefined);
    const ms = Math.round(performance.now() - began);
    const { stderrTail } = instance;
    return {
      results: withLimitsBlamed(results),
      clock: clocks,
      capabilities: [...capabilities],
      notes,
      stderrTail,
      ms,
    };
  } finally {
    // If one group could not start, others are still running: none of them may start a target any more.
    over = true;
    await Promise.all(hosts.map((host) => host.close()));
  }
}

const hasMet = ({ outcome, reason }: CaseResult): boolean => outcome === "error" && reason === LIMIT_MET;
const isOfLimit = ({ clauses }: CaseResult): boolean => clauses.some((clause) => /^(RATE|IN-FLIGHT)-/.test(clause));

/**
 * Cases that met a limit on their way are no faults of the suite: where no limit's own case failed, the first of them
 * fails, as it met the limit again when it was retried alone; the others could not be judged.
 */
function withLimitsBlamed(results: readonly CaseResult[]): CaseResult[] {
  const own = results.find((result) => result.outcome === "fail" && isOfLimit(result));
  const wrong = own ?? results.find((result) => result.level === "must" && hasMet(result));
  return results.map((result): CaseResult => {
    if (wrong === undefined || !hasMet(result)) return result;
    if (result.id === wrong.id)
      return { ...result, outcome: "fail", expected: "no refusal by a limit that the case keeps", actual: "429" };
    const reason = `refused by the target's own limit, which fails ${wrong.id} (429)`;
    return { ...result, outcome: "unreached", reason };
  });
}

const isIdle = ({ idles }: Case): boolean => idles === true;

/** The cases that a target fails by not starting when one route's secret cannot be resolved. */
const isJudgedByStart = ({ clauses }: Case): boolean => clauses.includes("COLD-OTHERS");

function failedAtStart(item: Case, { message }: StartError): CaseResult {
  const expected = "a gateway that starts although one route's secret cannot be resolved";
  return resultOf(item, "fail", { expected, actual: message, reason: message });
}
