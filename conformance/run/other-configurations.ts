/** The cases that need another configuration of the target, and as few starts for them as the target allows. */
import { StartError } from "../foundation/start-error.ts";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { isBeside, variants, type VariantName } from "../targets/variants.ts";
import type { RunState } from "./context.ts";
import { runGroup, runVariant } from "./group.ts";
import type { Host } from "./host.ts";

interface Others {
  readonly state: RunState;
  readonly variants: ReadonlyMap<VariantName, readonly Case[]>;
  /** How often each case runs on one start of the target. */
  readonly rounds: number;
  readonly hostFor: (cases: readonly Case[], variant: VariantName) => Host;
}

/** Runs the cases and reports each result once for each round. */
export async function runOtherConfigurations(others: Others): Promise<void> {
  const { state, rounds, hostFor } = others;
  const passed = Array.from({ length: rounds }, () => new Set<Case>());
  await passTogether(others, passed);
  for (const [variant, cases] of others.variants) {
    const left = passed.map((those) => cases.filter((item) => !those.has(item)));
    if (left.every((group) => group.length === 0)) continue;
    const host = hostFor(cases, variant);
    for (const group of left) await runVariant({ state, host, cases: group, width: 1 }, variants[variant]);
    await host.healthProblem();
    await host.stop();
  }
}

/**
 * Tries the variants that can stand beside each other in one configuration. What passes there is reported, and added to
 * `passed` of its round; anything else is no result: the target may refuse the whole for the sake of one bad route.
 */
async function passTogether(others: Others, passed: readonly Set<Case>[]): Promise<void> {
  const beside = [...others.variants].filter(([variant]) => isBeside(variant));
  if (beside.length < 2) return;
  const cases = beside.flatMap(([, group]) => group);
  const byId = new Map(cases.map((item) => [item.id, item]));
  const host = others.hostFor(cases, "together");
  try {
    for (const those of passed) {
      const report = (result: CaseResult) => {
        const item = byId.get(result.id);
        if (item === undefined || result.outcome !== "pass") return;
        those.add(item);
        others.state.report(result);
      };
      await runGroup({ state: { ...others.state, report }, host, cases, width: 1 });
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
  } finally {
    await host.healthProblem();
    await host.stop();
  }
}
