/** Which cases a run is asked for: filters, then a shard of the cases that pass them. `quick` is decided in `plan.ts`. */
import { z } from "zod";
import { grouped } from "../foundation/grouped.ts";
import type { Case } from "../harness/case.ts";
import { capabilities } from "../harness/capability.ts";
import { clauseIds, ledger } from "../interface/clauses/index.ts";
import { nearestOf } from "../foundation/nearest.ts";
import { UsageError } from "../foundation/usage-error.ts";

/** The part of the suite that a run was asked for, as reports record it. */
export const selectionSchema = z.strictObject({
  sections: z.array(z.int()).optional(),
  clauses: z.array(z.string()).optional(),
  cases: z.array(z.string()).optional().describe("Ids, or patterns with * and ?."),
  capabilities: z.array(z.string()).optional(),
  row: z.array(z.string()).optional().describe("Of the one case the row with these values alone, each `FACTOR=VALUE`."),
  quick: z.boolean().describe("Without the cases that let real time pass or send very many requests."),
  shard: z.strictObject({ index: z.int().min(1), of: z.int().min(1) }).optional(),
});

type Chosen = z.infer<typeof selectionSchema>;
export type Selection = { readonly [Name in keyof Chosen]: Readonly<Chosen[Name]> };

/**
 * The cases that match every kind of filter; a case matches a kind when it matches one of its values. Throws
 * `UsageError` for a value that no case of the suite matches, and when no case matches all kinds together.
 */
export function selectCases(suite: readonly Case[], selection: Selection): readonly Case[] {
  const { sections, clauses, cases: patterns, capabilities: needs, row, shard } = selection;
  const filters = [
    filterOf(suite, sections, (item, section) => item.clauses.some((id) => ledger[id].section === section), noSection),
    filterOf(suite, clauses, (item, id) => (item.clauses as readonly string[]).includes(id), noClause),
    filterOf(suite, patterns, (item, pattern) => matches(item.id, pattern), noCase(suite)),
    filterOf(suite, needs, (item, need) => (item.needs as readonly string[] | undefined)?.includes(need), noCapability),
  ];
  const chosen = suite.filter((item) => filters.every((lets) => lets(item)));
  if (chosen.length === 0) throw new UsageError("no case matches all of the filters together");
  if (row !== undefined) return [withRow(chosen, row)];
  if (shard === undefined) return chosen;
  // An invariant watches the cases of its own shard.
  const part = shardOf(
    chosen.filter(({ watch }) => watch === undefined),
    shard.index,
    shard.of,
  );
  return chosen.filter((item) => item.watch !== undefined || part.includes(item));
}

function filterOf<V>(
  suite: readonly Case[],
  values: readonly V[] | undefined,
  has: (item: Case, value: V) => boolean | undefined,
  complaint: (value: V) => string,
): (item: Case) => boolean {
  if (values === undefined) return () => true;
  for (const value of values) {
    if (!suite.some((item) => has(item, value))) throw new UsageError(complaint(value));
  }
  return (item) => values.some((value) => has(item, value));
}

function withRow([item, ...others]: readonly Case[], row: readonly string[]): Case {
  if (item?.withRow === undefined || others.length > 0)
    throw new UsageError("--row needs --case with one case that is made of rows; explain prints its factors");
  const known = Object.entries(item.factors ?? {}).flatMap(([name, values]) => values.map((one) => `${name}=${one}`));
  for (const text of row)
    if (!known.includes(text)) throw new UsageError(`${item.id} has no row with "${text}"${nearestOf(text, known)}`);
  return item.withRow(Object.fromEntries(row.map((text) => text.split(/=(.*)/s))));
}

/** `*` stands for any characters, `?` for one. */
function matches(id: string, pattern: string): boolean {
  // Without the flag "u", which rejects an escaped comma or blank.
  const escaped = pattern
    .replaceAll(/[^\w*?-]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${escaped}$`).test(id);
}

function noSection(section: number): string {
  const sections = [...new Set(clauseIds.map((id) => ledger[id].section))].toSorted((a, b) => a - b);
  return `no case judges section ${section}; there are: ${sections.join(", ")}`;
}

function noClause(id: string): string {
  if ((clauseIds as readonly string[]).includes(id))
    return `no case judges the clause ${id}: ${ledger[id as keyof typeof ledger].excluded ?? "it has none"}`;
  return `there is no clause "${id}"${nearestOf(id, clauseIds)}`;
}

function noCase(suite: readonly Case[]): (pattern: string) => string {
  return (pattern) => {
    const ids = suite.map(({ id }) => id);
    const what = /[*?]/.test(pattern) ? "no case matches" : "there is no case";
    return `${what} "${pattern}"${nearestOf(pattern, ids) || " (webhooks-conformance list shows them)"}`;
  };
}

function noCapability(name: string): string {
  const names = Object.keys(capabilities);
  if (names.includes(name)) return `no case needs the capability ${name}`;
  return `there is no capability "${name}"${nearestOf(name, names)}`;
}

/** Starting a target with another configuration costs about as much as this many requests. */
const START_COST = 200;
/** The cost of a case beside its requests, in requests. */
const CASE_COST = 5;

/** The cases of shard `index` (from 1) of `of`: the same cases give the same shards, in whatever order they are given. Throws `UsageError` for more shards than bundles. */
function shardOf(cases: readonly Case[], index: number, of: number): readonly Case[] {
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
function bundlesOf(cases: readonly Case[]) {
  const groups = grouped(cases, ({ id, variant = "standard" }) =>
    variant === "standard" ? `case ${id}` : `variant ${variant}`,
  );
  const bundles = [...groups].map(([name, members]) => {
    const start = name.startsWith("variant") ? START_COST : 0;
    const cost = members.reduce((sum, { requests }) => sum + requests + CASE_COST, start);
    return { name, cost, ids: members.map(({ id }) => id) };
  });
  return bundles.sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : 1));
}
