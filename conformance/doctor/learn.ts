/** Learns a profile from a target: each gap's value is observed or tried, and kept if the cases on it confirm it. */
import type { Case } from "../harness/case.ts";
import { cases as suite } from "../catalogue.ts";
import { redactor } from "../http/redact.ts";
import type { CaseResult } from "../harness/result.ts";
import { runContext, type RunOptions } from "../run/context.ts";
import { run } from "../run/run.ts";
import { secretsOf } from "../targets/keyring.ts";
import { gapIds, gaps, type GapId, type Profile } from "../interface/gaps.ts";
import { nobodys, observations, triedValues } from "./observe.ts";

/**
 * `onResult` receives the results of the first run only; the second, which confirms them, is as long. Then the cases that
 * let no time pass judge what is kept.
 */
type LearnOptions = Pick<RunOptions, "target" | "profile" | "keyring" | "signal" | "onResult">;

export interface Learned {
  /** The gaps that were seen, in the order of the list of gaps; names of fields are those of the given profile. */
  readonly profile: Profile;
  /** What could not be observed, and why. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly gap: GapId;
  readonly reason: string;
}

type Bound = Profile["gaps"];

/** A case that expects the given values, under an id of its own. */
function held(item: Case, bound: Bound, id: string): Case {
  return { ...item, id, gaps: [], run: (trial) => item.run(trial.bound(bound)) };
}

const triedId = (gap: GapId, value: unknown, item: Case) => `${gap}=${String(value)} ${item.id}`;
const judging = (gap: GapId) => suite.filter((item) => item.gaps?.includes(gap));

/** The cases that a gap is tried with: those that read no other gap, since a failure could be due to either. */
const judgingAlone = (gap: GapId) => judging(gap).filter((item) => item.gaps?.length === 1);
/** If there is none: those that also read other gaps, once the values of these are known. */
const triedWith = (gap: GapId) => (judgingAlone(gap).length > 0 ? judgingAlone(gap) : judging(gap));
const isLate = (gap: GapId) => judgingAlone(gap).length === 0;

/** The cases of a gap, once for each value that is tried. */
function tries(gap: GapId, known: Bound = {}): Case[] {
  return triedValues(gap).flatMap((value) =>
    triedWith(gap).map((item) => held(item, { ...known, [gap]: value }, triedId(gap, value, item))),
  );
}

function firstRound(): Case[] {
  const observed = [...new Set(Object.values(observations).map((observation) => observation.case))].map((id) => {
    const item = byId(suite, id);
    const bound = Object.fromEntries((item.gaps ?? []).map((gap) => [gap, nobodysValue(gap)]));
    return held(item, bound, id);
  });
  return [...observed, ...gapIds.filter((gap) => !isLate(gap)).flatMap((gap) => tries(gap))];
}

function byId<T extends { readonly id: string }>(items: readonly T[], id: string): T {
  const item = items.find((candidate) => candidate.id === id);
  if (item === undefined) throw new RangeError(`there is no ${id}`);
  return item;
}

const resultIn = (results: readonly CaseResult[]) => (id: string) => byId(results, id);

function nobodysValue(gap: GapId): unknown {
  return gaps[gap].value.safeParse(nobodys.number).success ? nobodys.number : nobodys.text;
}

/** A gap's value, or why it could not be observed. */
type Observed = { readonly value: unknown } | { readonly reason: string };

function observed(gap: GapId, of: (id: string) => CaseResult): Observed {
  const observation = observations[gap];
  if (observation === undefined) return { reason: "nothing observes it" };
  const result = of(observation.case);
  const [exchange] = result.exchanges;
  // Only a failure to meet the impossible value shows the target's own value.
  const meant = [String(nobodys.number), nobodys.text].some((value) => result.expected?.includes(value));
  if (result.outcome !== "fail" || exchange === undefined || !meant) return { reason: reasonOf(result) };
  const value = observation.read(exchange, result);
  const checked = gaps[gap].value.safeParse(value);
  if (!checked.success) return { reason: `${result.id}: the target's answer shows none: ${result.actual ?? ""}` };
  return { value: checked.data };
}

function reasonOf({ id, reason = "it passed, whatever the value" }: CaseResult): string {
  return `${id}: ${reason}`;
}

/** The first value with which every case that applies to the target passes: stricter values are tried first. */
function fitting(gap: GapId, of: (id: string) => CaseResult): Observed {
  const tried = triedValues(gap).map((value) => {
    return { value, results: triedWith(gap).map((item) => of(triedId(gap, value, item))) };
  });
  const fit = tried.find(({ results }) => {
    const applicable = results.filter(({ outcome }) => outcome !== "not-applicable");
    return applicable.length > 0 && applicable.every(({ outcome }) => outcome === "pass");
  });
  if (fit !== undefined) return { value: fit.value };
  const misfit = tried.flatMap(({ results }) => results).find(({ outcome }) => outcome !== "pass");
  return { reason: misfit === undefined ? "no case tries it" : reasonOf(misfit) };
}

/**
 * Runs the cases on gaps twice: with values that no target has or that are tried, then with the observed values. A value
 * that its own cases do not confirm is left out, and so is one with which another case fails that passes without it, of
 * those that let no time pass. The result and the `StartError` that it throws are redacted.
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  const redact = redactor(secretsOf(options.keyring));
  const observed = await learnFrom(options);
  const against = await contradicted(options, observed.profile.gaps);
  const profile = { ...observed.profile, gaps: without(observed.profile.gaps, against) };
  const leftOut = [...observed.leftOut, ...against];
  const all = withoutSecrets(profile.gaps, redact);
  const redacted = leftOut.map(({ gap, reason }) => ({ gap, reason: redact(reason) }));
  const inOrder = [...redacted, ...all.leftOut].toSorted((a, b) => gapIds.indexOf(a.gap) - gapIds.indexOf(b.gap));
  return { profile: { ...profile, gaps: all.gaps }, leftOut: inOrder };
}

/** Leaves out values that hold a secret: a profile is printed, and kept in a file. */
export function withoutSecrets(seen: Bound, redact: (text: string) => string): { gaps: Bound; leftOut: LeftOut[] } {
  const holds = (value: unknown) => typeof value === "string" && redact(value) !== value;
  const entries = Object.entries(seen) as [GapId, unknown][];
  const leftOut = entries
    .filter(([, value]) => holds(value))
    .map(([gap, value]) => ({ gap, reason: `the target's value holds a secret: ${redact(String(value))}` }));
  return { gaps: Object.fromEntries(entries.filter(([, value]) => !holds(value))), leftOut };
}

async function learnFrom(options: LearnOptions): Promise<Learned> {
  const first = await run(runContext({ ...options, cases: firstRound() }));
  const late = gapIds.filter((gap) => triedValues(gap).length > 0 && isLate(gap));
  const findings = new Map<GapId, Observed>();
  for (const gap of gapIds.filter((id) => !late.includes(id))) {
    const find = observations[gap] === undefined ? fitting : observed;
    findings.set(gap, find(gap, resultIn(first.results)));
  }

  const seen = valuesOf(findings);
  const profile: Profile = { ...options.profile, gaps: seen };
  const confirming = suite.filter((item) => item.gaps?.some((gap) => seen[gap] !== undefined));
  const lateTries = late.flatMap((gap) => tries(gap, seen));
  const cases = [...confirming, ...lateTries];
  const second = await run(runContext({ ...options, profile, cases, onResult: undefined }));
  for (const gap of late) findings.set(gap, fitting(gap, resultIn(second.results)));
  for (const [gap, value] of Object.entries(seen) as [GapId, unknown][]) {
    const against = second.results.find(({ id, outcome }) => {
      return judging(gap).some((item) => item.id === id) && !["pass", "not-applicable"].includes(outcome);
    });
    if (against === undefined) continue;
    findings.set(gap, { reason: `seen was ${JSON.stringify(value)}, but ${reasonOf(against)}` });
  }
  const leftOut = gapIds.flatMap((gap) => {
    const finding = findings.get(gap);
    return finding === undefined || "value" in finding ? [] : [{ gap, reason: finding.reason }];
  });
  return { profile: { ...profile, gaps: valuesOf(findings) }, leftOut };
}

const without = (seen: Bound, leftOut: readonly Pick<LeftOut, "gap">[]): Bound =>
  Object.fromEntries(Object.entries(seen).filter(([id]) => leftOut.every(({ gap }) => gap !== id)));

/**
 * The observed values that make a right target red: a target may answer otherwise where the cases of a gap do not look,
 * as long as nothing binds it. Where no value alone explains a failure, all are left out.
 */
async function contradicted(options: LearnOptions, seen: Bound): Promise<LeftOut[]> {
  const failing = async (gaps: Bound, cases: readonly Case[]) => {
    const profile = { ...options.profile, gaps };
    const { results } = await run(runContext({ ...options, profile, cases, onResult: undefined }));
    return cases.filter(({ id }) => results.some((result) => result.id === id && result.outcome === "fail"));
  };
  const leftOut: LeftOut[] = [];
  let cases: readonly Case[] = suite.filter(({ seconds }) => seconds === undefined);
  while (cases.length > 0) {
    const left = without(seen, leftOut);
    const red = await failing(left, cases);
    const redAnyway = red.length > 0 ? await failing(options.profile.gaps, red) : [];
    cases = red.filter((item) => !redAnyway.includes(item));
    const [item] = cases;
    if (item === undefined) break;
    const suspects = gapIds.filter((gap) => left[gap] !== undefined);
    const tried = suspects.map((gap) => held(item, without(left, [{ gap }]), `without ${gap}`));
    const withAll = held(item, left, "with all");
    const innocent = await failing(options.profile.gaps, [withAll, ...tried]);
    // What a busy machine has shown once says nothing of a value.
    if (suspects.length === 0 || !innocent.includes(withAll)) {
      cases = cases.filter((other) => other !== item);
      continue;
    }
    const cause = suspects.find((gap) => innocent.every(({ id }) => id !== `without ${gap}`));
    const because = `but with it ${item.id} fails${cause === undefined ? ", whichever value is left out" : ""}`;
    for (const gap of cause === undefined ? suspects : [cause]) {
      leftOut.push({ gap, reason: `seen was ${JSON.stringify(seen[gap])}, ${because}` });
    }
  }
  return leftOut;
}

function valuesOf(findings: ReadonlyMap<GapId, Observed>): Bound {
  const values = gapIds.flatMap((gap) => {
    const finding = findings.get(gap);
    return finding !== undefined && "value" in finding ? [[gap, finding.value]] : [];
  });
  return Object.fromEntries(values) as Bound;
}
