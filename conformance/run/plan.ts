/** Which cases apply to a target, and in which group each of them runs. */
import type { Capability } from "../harness/capability.ts";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { gapIds, type Profile } from "../interface/gaps.ts";
import { canRestart, type Target } from "../targets/target-file.ts";
import type { VariantName } from "../targets/variants.ts";
import type { RunningTarget } from "./host.ts";
import { resultOf } from "./judge.ts";

interface PlanOptions {
  readonly capabilities: ReadonlySet<Capability>;
  readonly profile: Profile;
  /** Leave out the cases that let real time pass or send very many requests. */
  readonly quick: boolean;
  /** The target's clock is driven. */
  readonly driven: boolean;
}

export interface Plan {
  /** Cases that do not apply to the target, with the reason. */
  readonly notApplicable: readonly CaseResult[];
  readonly sideBySide: readonly Case[];
  /** Cases that touch global state of the target: serially, on an instance of their own. */
  readonly alone: readonly Case[];
  /** Those of them that wait for what must not happen: side by side on that instance, before the others. */
  readonly idle: readonly Case[];
  /** Those of them that send very many requests: serially, on one more instance, at the same time. */
  readonly costly: readonly Case[];
  /** Cases that need another configuration. */
  readonly variants: ReadonlyMap<VariantName, readonly Case[]>;
}

export function planOf(cases: readonly Case[], options: PlanOptions): Plan {
  const notApplicable: CaseResult[] = [];
  const sideBySide: Case[] = [];
  const alone: Case[] = [];
  const idle: Case[] = [];
  const costly: Case[] = [];
  const variants = new Map<VariantName, Case[]>();
  for (const item of cases) {
    const obstacle = obstacleTo(item, options);
    const { variant = "standard" } = item;
    if (obstacle !== undefined) notApplicable.push(resultOf(item, "not-applicable", obstacle));
    else if (variant !== "standard") variants.set(variant, [...(variants.get(variant) ?? []), item]);
    else if (!runsAlone(item, options.driven)) sideBySide.push(item);
    else if (item.costly === true) costly.push(item);
    else if (item.idles === true) idle.push(item);
    else alone.push(item);
  }
  return { notApplicable, sideBySide, alone, idle, costly, variants };
}

/** Driving the clock moves every rate window of the target, so nothing else may run meanwhile. */
function runsAlone(item: Case, driven: boolean): boolean {
  return item.alone === true || (driven && item.seconds !== undefined);
}

/** The groups that run on a target of their own, where it can be started more than once. */
export type OwnTarget = "alone" | "costly";

/**
 * The cases for which a target of their own may be started before the first one shows what it offers: those that need
 * one whatever its clock is, if other cases will use the first one meanwhile.
 */
export function surelyBeside(cases: readonly Case[], quick: boolean): Record<OwnTarget, readonly Case[]> {
  const standard = cases.filter(({ variant = "standard" }) => variant === "standard");
  const isShared = standard.some((item) => !runsAlone(item, true));
  const serial = isShared ? standard.filter((item) => runsAlone(item, false)) : [];
  const costly = serial.filter((item) => item.costly === true);
  return { alone: serial.filter((item) => item.costly !== true), costly: quick ? [] : costly };
}

function obstacleTo(
  item: Case,
  { capabilities, profile, quick, driven }: PlanOptions,
): Partial<CaseResult> | undefined {
  const { needs = [], variant = "standard" } = item;
  const all: readonly Capability[] = variant === "standard" ? needs : [...needs, "restart"];
  const missing = all.filter((need) => !capabilities.has(need));
  if (missing.length > 0) return { reason: `needs ${missing.join(", ")}` };
  const gaps = gapIds.filter((gap) => item.gaps?.includes(gap));
  if (gaps.length > 0 && gaps.every((gap) => profile.gaps[gap] === undefined)) {
    return { reason: `the profile ${profile.name} leaves ${gaps.join(", ")} open` };
  }
  if (quick && !driven && item.seconds !== undefined) {
    return { reason: `lets ${item.seconds} s pass; left out by --quick`, leftOut: true };
  }
  if (quick && item.costly === true) return { reason: "sends very many requests; left out by --quick", leftOut: true };
  return undefined;
}

/** What the target offers beyond HTTP. */
export function capabilitiesOf({ instance: { target, control }, facts }: RunningTarget): Set<Capability> {
  const found = new Set<Capability>(control?.capabilities);
  if (canRestart(target)) found.add("restart");
  if (facts.addresses !== undefined) found.add("addresses");
  for (const source of ["file", "exec", "store"] as const) {
    if (target.secretSources[source] !== undefined) found.add(`secret-${source}`);
  }
  return found;
}

/** Leaves out the secret sources that no case needs: running the command of `exec` takes longer than the rest of a start. */
export function withSourcesFor(cases: readonly Case[], target: Target): Target {
  const needs = new Set<string>(cases.flatMap((item) => item.needs ?? []));
  const asked = Object.entries(target.secretSources).filter(([source]) => needs.has(`secret-${source}`));
  return { ...target, secretSources: Object.fromEntries(asked) };
}
