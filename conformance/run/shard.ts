/** Splits a run over several machines: the same cases give the same shards, in whatever order they are given. */
import type { Case } from "../harness/case.ts";
import { UsageError } from "../foundation/usage-error.ts";

/** Starting a target with another configuration costs about as much as this many requests. */
const START_COST = 200;
/** The cost of a case beside its requests, in requests. */
const CASE_COST = 5;

/** Cases that must run in the same shard. */
interface Bundle {
  readonly name: string;
  readonly cost: number;
  readonly ids: readonly string[];
}

/** The cases of shard `index` (from 1) of `of`, in the given order. Throws `UsageError` for more shards than bundles. */
export function shardOf(cases: readonly Case[], index: number, of: number): readonly Case[] {
  const bundles = bundlesOf(cases);
  if (of > bundles.length) {
    throw new UsageError(`--shard ${index}/${of}: these ${cases.length} cases make at most ${bundles.length} shards`);
  }
  const shards = Array.from({ length: of }, () => ({ cost: 0, ids: new Set<string>() }));
  // Greedy: the most expensive bundle first, each to the cheapest shard so far.
  for (const { cost, ids } of bundles) {
    const least = shards.reduce((best, shard) => (shard.cost < best.cost ? shard : best));
    least.cost += cost;
    for (const id of ids) least.ids.add(id);
  }
  return cases.filter(({ id }) => shards[index - 1]?.ids.has(id));
}

/** Cases that need the same other configuration share one start of the target, so they stay together. */
function bundlesOf(cases: readonly Case[]): Bundle[] {
  const groups = new Map<string, Case[]>();
  for (const item of cases) {
    const { id, variant = "standard" } = item;
    const name = variant === "standard" ? `case ${id}` : `variant ${variant}`;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  const bundles = [...groups].map(([name, members]) => {
    const start = name.startsWith("variant") ? START_COST : 0;
    const cost = members.reduce((sum, { requests }) => sum + requests + CASE_COST, start);
    return { name, cost, ids: members.map(({ id }) => id) };
  });
  return bundles.sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : 1));
}
