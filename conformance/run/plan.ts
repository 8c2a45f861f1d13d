/** Which cases apply to a target, and in which group each of them runs. */
import type { Capability } from "../harness/capability.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { resultOf, type CaseResult } from "../harness/result.ts";
import { gapIds, type Profile } from "../interface/gaps.ts";
import type { Clock } from "../targets/launch.ts";
import type { Server } from "../targets/server.ts";
import { canRestart, takesClock, type Target } from "../targets/target-file.ts";
import type { VariantName } from "../targets/variants.ts";

/** The clocks of a run: `both` where the kit starts a server with each, and each case runs on the clock on which it can detect more. */
export type Clocks = Clock | "both";

interface PlanOptions {
  /** Undefined before the target runs: as if it offered all. */
  readonly capabilities: ReadonlySet<Capability> | undefined;
  readonly profile: Profile;
  readonly quick: boolean;
  readonly clocks: Clocks;
}

/** The groups that run at the same time, each on a target of its own where it can be started more than once. */
export const groupNames = ["shared", "alone", "costly", "driven"] as const;
export type GroupName = (typeof groupNames)[number];

/**
 * `shared`: cases side by side; `alone`: those that touch global state of the target; `costly`: those of them that send
 * very many requests; `driven`: those that need the other clock than the rest.
 */
export type Groups = Readonly<Record<GroupName, readonly Case[]>>;

export interface Plan {
  readonly notApplicable: readonly CaseResult[];
  readonly groups: Groups;
  readonly variants: ReadonlyMap<VariantName, readonly Case[]>;
}

/** The clocks on which a run of these cases judges the target; undefined where only the running target shows its clock. */
export function clocksOf(target: Target, cases: readonly Case[], quick: boolean): Clocks | undefined {
  if (!takesClock(target)) return undefined;
  const wanted = new Set(cases.map((item) => (quick ? "driven" : clockFor(item, "both"))));
  const [only = "real", other] = wanted;
  return other === undefined ? only : "both";
}

function clockFor({ clock, needs }: Case, clocks: Clocks): Clock {
  if (clocks !== "both") return clocks;
  return clock ?? (needs?.includes("clock") ? "driven" : "real");
}

export function planOf(cases: readonly Case[], options: PlanOptions): Plan {
  const notApplicable: CaseResult[] = [];
  const variants = new Map<VariantName, Case[]>();
  const groups: Record<GroupName, Case[]> = { shared: [], alone: [], costly: [], driven: [] };
  for (const item of cases) {
    const obstacle = obstacleTo(item, options);
    const { variant = "standard" } = item;
    if (obstacle !== undefined) notApplicable.push(resultOf(item, "not-applicable", obstacle));
    else if (variant !== "standard") variants.set(variant, [...(variants.get(variant) ?? []), item]);
    else groups[groupOf(item, options)].push(item);
  }
  return { notApplicable, groups, variants };
}

/** Driving the clock moves every rate window of the target, so nothing else may run meanwhile. */
export const runsAlone = ({ alone, seconds }: Case, clock: Clock): boolean =>
  alone === true || (clock === "driven" && seconds !== undefined);

function groupOf(item: Case, { clocks, quick }: PlanOptions): GroupName {
  const clock = clockFor(item, clocks);
  if (clocks === "both" && clock === "driven") return "driven";
  if (!runsAlone(item, clock)) return "shared";
  // The few that `--quick` judges are not worth another start of the target.
  return item.costly === true && !quick ? "costly" : "alone";
}

function obstacleTo(
  item: Case,
  { capabilities, profile, quick, clocks }: PlanOptions,
): Partial<CaseResult> | undefined {
  const { needs = [], variant = "standard" } = item;
  const all: readonly Capability[] = variant === "standard" ? needs : [...needs, "restart"];
  const missing = all.filter((need) => capabilities?.has(need) === false);
  if (missing.length > 0) return { reason: `needs ${missing.join(", ")}` };
  const gaps = gapIds.filter((gap) => item.gaps?.includes(gap));
  if (levelOf(item) === "gap" && gaps.every((gap) => profile.gaps[gap] === undefined)) {
    return { reason: `the profile ${profile.name} leaves ${gaps.join(", ")} open` };
  }
  if (quick && clocks !== "driven" && item.seconds !== undefined) {
    return { reason: `lets ${item.seconds} s pass; left out by --quick`, leftOut: true };
  }
  const isLeftOut = item.costly === true && !(item.isQuickIfDriven && clocks === "driven");
  if (quick && isLeftOut) return { reason: "sends very many requests; left out by --quick", leftOut: true };
  return undefined;
}

export function capabilitiesOf({ target, control, facts }: Server): Set<Capability> {
  const capabilities = new Set<Capability>(control?.capabilities);
  if (canRestart(target)) capabilities.add("restart");
  if (takesClock(target)) capabilities.add("clock");
  if (facts.addresses !== undefined) capabilities.add("addresses");
  for (const source of ["file", "exec", "store"] as const) {
    if (target.secretSources[source] !== undefined) capabilities.add(`secret-${source}`);
  }
  return capabilities;
}

/** Leaves out the secret sources that no case needs or uses: running the command of `exec` takes longer than the rest of a start. */
export function withSourcesFor(cases: readonly Case[], target: Target): Target {
  const needs = new Set<string>(cases.flatMap((item) => [...(item.needs ?? []), ...(item.uses ?? [])]));
  const asked = Object.entries(target.secretSources).filter(([source]) => needs.has(`secret-${source}`));
  return { ...target, secretSources: Object.fromEntries(asked) };
}
