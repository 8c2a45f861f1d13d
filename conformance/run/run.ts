/** A whole run: which cases bear on the target, in which groups, and what came of each. */
import type { Profile } from "../interface/gaps.ts";
import type { Case } from "../harness/case.ts";
import type { Capability } from "../harness/capability.ts";
import { Host } from "./host.ts";
import { Patience } from "./patience.ts";
import { planOf } from "./plan.ts";
import { resultOf } from "./judge.ts";
import type { CaseResult } from "../harness/result.ts";
import { runGroup, runVariant } from "./schedule.ts";
import type { Keyring } from "../targets/keyring.ts";
import { StartError } from "../foundation/start-error.ts";
import type { StandardFacts } from "../harness/facts.ts";
import { canRestart, type Target } from "../targets/target-file.ts";
import { variants, type VariantName } from "../targets/variants.ts";

export interface RunOptions {
  readonly target: Target;
  readonly profile: Profile;
  readonly cases: readonly Case[];
  readonly keyring: Keyring;
  /** Leave out what lets real time pass or sends very many requests. */
  readonly quick: boolean;
  /** Told each result as it comes. */
  readonly onResult?: (result: CaseResult, total: number) => void;
  readonly signal?: AbortSignal;
  /** How often each case runs on the same target; once by default. */
  readonly rounds?: number;
}

export interface RunOutcome {
  /** In the order of the cases; one for each round. */
  readonly results: readonly CaseResult[];
  /** The verdict rests on a driven clock. */
  readonly driven: boolean;
  readonly capabilities: readonly Capability[];
  /** Remarks about the target as a whole. */
  readonly notes: readonly string[];
  /** The end of the target's stderr, at most 8 KB, secrets still in it. */
  readonly stderrTail: string;
  readonly ms: number;
}

/** Cases at the same time on one instance; more only queue up on two cores. */
const WIDTH = 12;
/** The same where every case needs a lane to itself: half of them rest meanwhile. */
const LANES_WIDTH = 6;
const INSIDE = "the target was brought up by code of the runner's process: judge a release as its users start it";

/**
 * Runs the cases. Throws `StartError` when the target cannot be started or reached. Once the signal is aborted, cases
 * under way are broken off and what is missing in the results was not run; during the start its reason is thrown.
 */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const started = performance.now();
  const { target, profile, keyring, cases, quick, rounds = 1 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const results: CaseResult[] = [];
  const report = (result: CaseResult) => {
    // What an abort breaks off says nothing of the target, but for what a property had found by then.
    if (signal.aborted && result.story === undefined) return;
    results.push(result);
    options.onResult?.(result, cases.length * rounds);
  };
  const secondTries: string[] = [];
  const passedAgain = ({ id }: Case) => void secondTries.push(id);
  const common = { report, signal, patience: new Patience(target.requestTimeoutMs), passedAgain };
  const hosts: Host[] = [];
  let over = false;
  const hostOf = (variant: VariantName, standard?: StandardFacts) => {
    const host = new Host({ target, variant, keyring, profile, signal, ...(standard && { standard }) });
    hosts.push(host);
    if (over) void host.close();
    return host;
  };

  try {
    const { main, variant: loaded, refusal } = await mainHost(hostOf, canRestart(target));
    const { instance, facts } = await main.standing();
    const { accepts, refuses } = facts;
    const capabilities = capabilitiesOf(target, instance.control?.capabilities ?? [], facts.addresses !== undefined);
    const plan = planOf(cases, { capabilities, profile, quick, driven: facts.driven });
    const width = facts.toldApart ? WIDTH : facts.driven ? 1 : LANES_WIDTH;
    const restarts = canRestart(target);

    const judgedByStart = refusal === undefined ? [] : plan.sideBySide.filter(isJudgedByStart);
    const sideBySide = plan.sideBySide.filter((item) => !judgedByStart.includes(item));
    // What a group was about to do when the run was broken off is no reason to lose what others have found.
    const orBrokenOff = (error: unknown) => {
      if (!signal.aborted) throw error;
    };
    const runShared = () => runGroup({ host: main, cases: sideBySide, width, ...common });
    const aloneHost = restarts ? hostOf(loaded) : main;
    const runAlone = () => runGroup({ host: aloneHost, cases: plan.alone, width: 1, ...common });
    const runVariants = async () => {
      for (const [variant, group] of plan.variants) {
        const host = hostOf(variant, { accepts, refuses });
        for (let round = 0; round < rounds; round += 1) {
          await runVariant({ host, cases: group, width: 1, ...common }, variants[variant]);
        }
        await host.stop();
      }
    };
    for (let round = 0; round < rounds; round += 1) {
      plan.notApplicable.forEach(report);
      if (refusal !== undefined) judgedByStart.forEach((item) => report(failedAtStart(item, refusal)));
      // One instance only: what is global to it waits until the rest is done.
      if (!restarts) await runShared().then(runAlone).catch(orBrokenOff);
      else {
        const groups = [runShared(), runAlone(), ...(round === 0 ? [runVariants()] : [])];
        await Promise.all(groups.map((group) => group.catch(orBrokenOff)));
      }
    }

    const refused = refusal && `judged with ${variants[loaded].title}: ${refusal.message}`;
    const again =
      secondTries.length === 0
        ? undefined
        : `passed when tried again alone, after a request that was not answered: ${secondTries.join(", ")}`;
    const notes = [instance.note, target.launch && INSIDE, refused, again].filter((note) => note !== undefined);
    const inOrder = cases.flatMap(({ id }) => results.filter((result) => result.id === id));
    const ms = Math.round(performance.now() - started);
    const { stderrTail } = instance;
    return { results: inOrder, driven: facts.driven, capabilities: [...capabilities], notes, stderrTail, ms };
  } finally {
    // Where one group could not start, others are still at work: none of them may bring up a target any more.
    over = true;
    await Promise.all(hosts.map((host) => host.close()));
  }
}

interface Main {
  readonly main: Host;
  /** The configuration that it runs with. */
  readonly variant: VariantName;
  /** Why it does not run with the standard one. */
  readonly refusal?: StartError;
}

/**
 * The host of the standard configuration. A target that refuses it may be one that a single unresolvable secret stops:
 * where it starts without such routes, that is its failure and no reason to judge nothing. Throws `StartError`.
 */
async function mainHost(hostOf: (variant: VariantName) => Host, restarts: boolean): Promise<Main> {
  const main = hostOf("standard");
  try {
    await main.standing();
    return { main, variant: "standard" };
  } catch (error) {
    if (!(error instanceof StartError) || !error.exited || !restarts) throw error;
    const other = hostOf("withoutCold");
    await other.standing().catch(() => Promise.reject(error));
    return { main: other, variant: "withoutCold", refusal: error };
  }
}

/** A start that one route's secret prevents is all there is to see of these. */
const isJudgedByStart = ({ clauses }: Case): boolean => clauses.includes("COLD-OTHERS");

function failedAtStart(item: Case, { message }: StartError): CaseResult {
  const expected = "a gateway that starts although one route's secret cannot be resolved";
  return resultOf(item, "fail", { expected, actual: message, reason: message });
}

/** What the target offers beyond HTTP. */
export function capabilitiesOf(target: Target, control: Iterable<Capability>, addresses: boolean): Set<Capability> {
  const found = new Set<Capability>(control);
  if (canRestart(target)) found.add("restart");
  if (addresses) found.add("addresses");
  if (target.secretSources.file !== undefined) found.add("secret-file");
  if (target.secretSources.exec !== undefined) found.add("secret-exec");
  if (target.secretSources.store !== undefined) found.add("secret-store");
  return found;
}
