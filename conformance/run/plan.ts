/** Which cases bear on a target, and which of them may run side by side. */
import type { Case } from "../harness/case.ts";
import type { Capability } from "../harness/capability.ts";
import { resultOf } from "./judge.ts";
import { gapIds, type Profile } from "../interface/gaps.ts";
import type { CaseResult } from "../harness/result.ts";
import type { VariantName } from "../targets/variants.ts";

export interface Circumstances {
  readonly capabilities: ReadonlySet<Capability>;
  readonly profile: Profile;
  /** Leave out what lets real time pass or sends very many requests. */
  readonly quick: boolean;
  /** The target's clock is driven. */
  readonly driven: boolean;
}

export interface Plan {
  /** Cases that do not bear on the target, with the reason. */
  readonly notApplicable: readonly CaseResult[];
  readonly sideBySide: readonly Case[];
  /** Cases that touch what is global to the target: on an instance of their own, one after the other. */
  readonly alone: readonly Case[];
  /** Cases that need another configuration. */
  readonly variants: ReadonlyMap<VariantName, readonly Case[]>;
}

export function planOf(cases: readonly Case[], at: Circumstances): Plan {
  const notApplicable: CaseResult[] = [];
  const sideBySide: Case[] = [];
  const alone: Case[] = [];
  const variants = new Map<VariantName, Case[]>();
  for (const item of cases) {
    const obstacle = obstacleTo(item, at);
    const { variant = "standard" } = item;
    if (obstacle !== undefined) notApplicable.push(resultOf(item, "not-applicable", obstacle));
    else if (variant !== "standard") variants.set(variant, [...(variants.get(variant) ?? []), item]);
    else if (runsAlone(item, at.driven)) alone.push(item);
    else sideBySide.push(item);
  }
  // Late in the run nothing else would use the time that they wait.
  const idleFirst = [...alone.filter(({ idles }) => idles), ...alone.filter(({ idles }) => !idles)];
  return { notApplicable, sideBySide, alone: idleFirst, variants };
}

/** Driving the clock moves every window of the target, so it is done where nothing else runs. */
function runsAlone(item: Case, driven: boolean): boolean {
  return item.alone === true || (driven && item.seconds !== undefined);
}

function obstacleTo(item: Case, at: Circumstances): Partial<CaseResult> | undefined {
  const { needs = [], variant = "standard" } = item;
  const all: readonly Capability[] = variant === "standard" ? needs : [...needs, "restart"];
  const missing = all.filter((need) => !at.capabilities.has(need));
  if (missing.length > 0) return { reason: `needs ${missing.join(", ")}` };
  const gaps = gapIds.filter((gap) => item.gaps?.includes(gap));
  if (gaps.length > 0 && gaps.every((gap) => at.profile.gaps[gap] === undefined)) {
    return { reason: `the profile ${at.profile.name} leaves ${gaps.join(", ")} open` };
  }
  if (at.quick && !at.driven && item.seconds !== undefined) {
    return { reason: `lets ${item.seconds} s pass; left out by --quick`, leftOut: true };
  }
  if (at.quick && item.costly === true)
    return { reason: "sends very many requests; left out by --quick", leftOut: true };
  return undefined;
}
