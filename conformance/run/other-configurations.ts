/** The cases that need another configuration of the target, and as few starts for them as the target allows. */
import { StartError } from "../foundation/start-error.ts";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { variants, type VariantName } from "../targets/variants.ts";
import type { RunState } from "./context.ts";
import { runGroup, runVariant } from "./group.ts";
import { Spare, type Host } from "./host.ts";
import type { HostOptions } from "./hosts.ts";

interface Others {
  readonly state: RunState;
  readonly variants: ReadonlyMap<VariantName, readonly Case[]>;
  /** How often each case runs on one start of the target. */
  readonly rounds: number;
  /** A running target can load another configuration. */
  readonly reloads: boolean;
  readonly hostFor: (cases: readonly Case[], variant: VariantName, more?: HostOptions) => Host;
}

/** Runs the cases and reports each result once for each round. */
export async function runOtherConfigurations(others: Others): Promise<void> {
  const { state, rounds, hostFor } = others;
  const passed = Array.from({ length: rounds }, () => new Set<Case>());
  if (!others.reloads) for (const [set, members] of setsOf(others)) await passTogether(others, set, members, passed);
  const spare = new Spare();
  try {
    for (const [variant, cases] of others.variants) {
      const left = passed.map((those) => cases.filter((item) => !those.has(item)));
      if (left.every((group) => group.length === 0)) continue;
      const host = hostFor(cases, variant, { spare });
      for (const group of left) await runVariant({ state, host, cases: group, width: 1 }, variants[variant]);
      await host.healthProblem();
      await host.release();
    }
  } finally {
    await spare.close();
  }
}

/** How many starts of the target that takes at least. */
export function fewestStarts(names: readonly VariantName[], reloads: boolean): number {
  if (reloads) return Math.min(names.length, 1);
  const alone = names.filter((name) => variants[name].set === undefined).length;
  return alone + new Set(names.flatMap((name) => variants[name].set ?? [])).size;
}

/** The variants of a run by the configuration that they can be tried in together; one by itself is none. */
function setsOf({ variants: ofRun }: Others): [VariantName, Case[]][] {
  const sets = new Map<VariantName, Case[][]>();
  for (const [name, cases] of ofRun) {
    const { set } = variants[name];
    if (set !== undefined) sets.set(set, [...(sets.get(set) ?? []), [...cases]]);
  }
  return [...sets].filter(([, members]) => members.length > 1).map(([set, members]) => [set, members.flat()]);
}

/**
 * Tries cases of several variants in one configuration. What passes there is reported, and added to `passed` of its
 * round; anything else is no result: the target may refuse the whole for the sake of one bad route.
 */
async function passTogether(
  { state, hostFor }: Others,
  set: VariantName,
  cases: readonly Case[],
  passed: readonly Set<Case>[],
): Promise<void> {
  const byId = new Map(cases.map((item) => [item.id, item]));
  const host = hostFor(cases, set);
  try {
    for (const those of passed) {
      const report = (result: CaseResult) => {
        const item = byId.get(result.id);
        if (item === undefined || result.outcome !== "pass") return;
        those.add(item);
        state.report(result);
      };
      await runGroup({ state: { ...state, report }, host, cases, width: 1 });
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
  } finally {
    await host.healthProblem();
    await host.stop();
  }
}
