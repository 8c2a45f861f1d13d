/** The cases that need another configuration of the target. */
import type { Case } from "../harness/case.ts";
import { variants, type VariantName } from "../targets/variants.ts";
import type { RunState } from "./context.ts";
import { runVariant } from "./group.ts";
import type { Host } from "./host.ts";

/** Targets that are started at the same time, each with another configuration. */
const STARTS_AT_A_TIME = 3;

interface OtherConfigurations {
  readonly state: RunState;
  readonly variants: ReadonlyMap<VariantName, readonly Case[]>;
  /** How often each case runs on one start of the target. */
  readonly rounds: number;
  /** A running target can load another configuration: one start is enough. */
  readonly reloads: boolean;
  readonly newHost: () => Host;
}

/** Runs the cases and reports each result once for each round. */
export async function runOtherConfigurations(others: OtherConfigurations): Promise<void> {
  const { state, rounds, reloads, newHost } = others;
  const queue = [...others.variants];
  const runQueue = async () => {
    const host = newHost();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [variant, cases] = next;
      await host.turnTo(variant);
      for (let round = 0; round < rounds; round += 1)
        await runVariant({ state, host, cases, width: 1 }, variants[variant]);
      await host.healthProblem();
    }
    await host.stop();
  };
  await Promise.all(Array.from({ length: reloads ? 1 : STARTS_AT_A_TIME }, runQueue));
}

/** How many starts of the target that takes, and how many of them one after the other. */
export function startsFor(count: number, reloads: boolean): { all: number; inTurn: number } {
  const all = reloads ? Math.min(count, 1) : count;
  return { all, inTurn: Math.ceil(all / STARTS_AT_A_TIME) };
}
