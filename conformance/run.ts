/** A whole run: which cases bear on the target, in which groups, and what came of each. */
import { gapIds } from "./profiles/gaps.ts";
import type { Profile } from "./profiles/gaps.ts";
import type { Capability, Case } from "./case.ts";
import { Host } from "./host.ts";
import { resultOf } from "./judge.ts";
import type { CaseResult } from "./result.ts";
import { runGroup, runVariant } from "./schedule.ts";
import type { Keyring } from "./target/configuration.ts";
import { canRestart, type Target } from "./target/target-file.ts";
import { variants, type VariantName } from "./target/variants.ts";

export interface RunOptions {
  readonly target: Target;
  readonly profile: Profile;
  readonly cases: readonly Case[];
  readonly keyring: Keyring;
  /** Leave out what lets real time pass. */
  readonly quick: boolean;
  /** Told each result as it comes. */
  readonly onResult?: (result: CaseResult, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface RunOutcome {
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

/** Runs the cases. Throws `StartError` when the target cannot be started or reached. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const started = performance.now();
  const { target, profile, keyring, cases } = options;
  const signal = options.signal ?? new AbortController().signal;
  const results = new Map<string, CaseResult>();
  const report = (result: CaseResult) => {
    results.set(result.id, result);
    options.onResult?.(result, cases.length);
  };
  const hosts: Host[] = [];
  const hostOf = (variant: VariantName) => {
    const host = new Host({ target, variant, keyring, profile });
    hosts.push(host);
    return host;
  };

  try {
    const main = hostOf("standard");
    const { instance, facts } = await main.standing();
    const capabilities = capabilitiesOf(target, instance.control?.capabilities ?? [], facts.addresses !== undefined);
    const runnable: Case[] = [];
    for (const item of cases) {
      const obstacle = obstacleTo(item, { capabilities, profile, quick: options.quick, driven: facts.driven });
      if (obstacle === undefined) runnable.push(item);
      else report(resultOf(item, "not-applicable", obstacle));
    }

    const alone = runnable.filter((item) => runsAlone(item, facts.driven));
    const shared = runnable.filter((item) => !runsAlone(item, facts.driven) && variantOf(item) === "standard");
    // The limits' own cases come first: every other case relies on the figures.
    const ordered = [...shared.filter((item) => item.meetsLimits), ...shared.filter((item) => !item.meetsLimits)];
    const width = facts.toldApart ? WIDTH : facts.driven ? 1 : LANES_WIDTH;
    const runShared = () => runGroup({ host: main, cases: ordered, width, report, signal });
    const runRest = async () => {
      const host = !canRestart(target) ? main : hostOf("standard");
      if (alone.length > 0) await runGroup({ host, cases: alone, width: 1, report, signal });
      if (host !== main) await host.stop();
      for (const [variant, group] of byVariant(runnable)) {
        const other = hostOf(variant);
        await runVariant({ host: other, cases: group, width: 1, report, signal }, variants[variant]);
        await other.stop();
      }
    };
    if (!canRestart(target)) {
      await runShared();
      await runRest();
    } else await Promise.all([runShared(), runRest()]);

    const notes = instance.note === undefined ? [] : [instance.note];
    const { stderrTail } = instance;
    const inOrder = cases.flatMap((item) => results.get(item.id) ?? []);
    const ms = Math.round(performance.now() - started);
    return { results: inOrder, driven: facts.driven, capabilities: [...capabilities], notes, stderrTail, ms };
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
  }
}

function variantOf(item: Case): VariantName {
  return item.variant ?? "standard";
}

/** Driving the clock moves every window of the target, so it is done where nothing else runs. */
function runsAlone(item: Case, driven: boolean): boolean {
  return variantOf(item) === "standard" && (item.alone === true || (driven && item.seconds !== undefined));
}

function byVariant(cases: readonly Case[]): Map<VariantName, Case[]> {
  const groups = new Map<VariantName, Case[]>();
  for (const item of cases) {
    const variant = variantOf(item);
    if (variant !== "standard") groups.set(variant, [...(groups.get(variant) ?? []), item]);
  }
  return groups;
}

function capabilitiesOf(target: Target, control: Iterable<Capability>, addresses: boolean): Set<Capability> {
  const found = new Set<Capability>(control);
  if (canRestart(target)) found.add("restart");
  if (addresses) found.add("addresses");
  if (target.secretSources.file !== undefined) found.add("secret-file");
  if (target.secretSources.exec !== undefined) found.add("secret-exec");
  if (target.secretSources.store !== undefined) found.add("secret-store");
  return found;
}

interface Circumstances {
  readonly capabilities: ReadonlySet<Capability>;
  readonly profile: Profile;
  readonly quick: boolean;
  readonly driven: boolean;
}

function obstacleTo(item: Case, at: Circumstances): Partial<CaseResult> | undefined {
  const needs = [...(item.needs ?? []), ...(variantOf(item) === "standard" ? [] : (["restart"] as const))];
  const missing = needs.filter((need) => !at.capabilities.has(need));
  if (missing.length > 0) return { reason: `needs ${missing.join(", ")}` };
  const unbound = gapIds.filter((gap) => item.gaps?.includes(gap) && at.profile.gaps[gap] === undefined);
  if (unbound.length > 0) return { reason: `the profile ${at.profile.name} leaves ${unbound.join(", ")} open` };
  if (at.quick && !at.driven && item.seconds !== undefined) {
    return { reason: `lets ${item.seconds} s pass; left out by --quick`, leftOut: true };
  }
  return undefined;
}
