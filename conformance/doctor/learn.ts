/** Learns a profile from a target: the cases on gaps see what it does there, and all cases have to agree with it. */
import type { Case } from "../harness/case.ts";
import { cases as suite } from "../catalogue.ts";
import { redactor } from "../http/redact.ts";
import { whyOf, type CaseResult } from "../harness/result.ts";
import { flowClauses } from "../oracle/judge.ts";
import { runContext, type RunOptions } from "../run/context.ts";
import { run } from "../run/run.ts";
import { gapIds, misplacedCodes, type GapId, type Profile } from "../interface/gaps.ts";

/** `onResult` receives the results of the first run only, not of those that confirm what is seen. */
interface LearnOptions extends Pick<RunOptions, "target" | "profile" | "keyring" | "signal" | "onResult"> {
  /** The cases that learn, by default all; with fewer cases fewer gaps are observed. */
  readonly cases?: readonly Case[];
}

export interface LearnedProfile {
  /** The gaps that were seen, in the order of the list of gaps; names of fields are those of the given profile. */
  readonly profile: Profile;
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly gap: GapId;
  readonly reason: string;
}

type Bound = Profile["gaps"];

/** Gaps that a case can see only by trying a value: the values, the strictest first. */
const tried: Readonly<Partial<Record<GapId, readonly unknown[]>>> = {
  // A gateway that refuses to start shows nothing.
  "config.duplicate-refused": [true, false],
  "create.controller-field": ["controllerId"],
  "rate.path-canonical": [true],
  "rate.tracked-keys": [4096],
  "auth.bearer-wins": [true, false],
};

/** One execution of a case that learns: the case, and the gaps that are bound when it begins. */
interface Learning {
  readonly item: Case;
  readonly begin: Bound;
  /** The gaps that the execution observed, and those that it began with. */
  seen: Bound;
  readonly case: Case;
}

function learning(item: Case, begin: Bound, id: string): Learning {
  const run: Case["run"] = (trial) => item.run(trial.withGaps((made.seen = { ...begin }), true));
  const made: Learning = { item, begin, seen: begin, case: { ...item, id, gaps: [], run } };
  return made;
}

/** Every case on gaps, once for each value that is tried. */
const learnings = (cases: readonly Case[]): Learning[] =>
  cases.flatMap((item) => {
    const [gap] = (item.gaps ?? []).filter((one) => tried[one] !== undefined);
    if (gap === undefined) return item.gaps === undefined ? [] : [learning(item, {}, item.id)];
    return (tried[gap] ?? []).map((value) => learning(item, { [gap]: value }, `${item.id} ${gap}=${String(value)}`));
  });

type Observed = { readonly value: unknown } | { readonly reason: string };

/** The first value that is tried, or the one that is seen, on which all cases agree that apply to the target. */
function observed(gap: GapId, all: readonly Learning[], results: ReadonlyMap<string, CaseResult>): Observed {
  const own = all.filter(({ item }) => item.gaps?.includes(gap));
  const attempts = (tried[gap] ?? [undefined]).map((value) => own.filter(({ begin }) => begin[gap] === value));
  const found = attempts.map((attempt) => agreed(gap, attempt, results));
  return found.find((one) => "value" in one) ?? found[0] ?? { reason: "no case is about it" };
}

function agreed(gap: GapId, attempt: readonly Learning[], results: ReadonlyMap<string, CaseResult>): Observed {
  const outcomes = attempt.map(({ case: { id }, seen }) => ({ id, value: seen[gap], ...results.get(id) }));
  const values = [...new Set(outcomes.map(({ value }) => value).filter((value) => value !== undefined))];
  const isTried = values.length === 0 || tried[gap] !== undefined;
  const seen = isTried ? "" : `seen was ${values.map((value) => JSON.stringify(value)).join(" and ")}, but `;
  const against = outcomes.find(({ outcome }) => outcome !== "pass" && outcome !== "not-applicable");
  if (against !== undefined) return { reason: `${seen}${against.id}: ${whyOf(against)}` };
  if (values.length > 1) return { reason: `${seen}only one of them can hold` };
  const passed = outcomes.find(({ outcome, value }) => outcome === "pass" && value !== undefined);
  if (passed !== undefined) return { value: passed.value };
  return { reason: outcomes.map(({ id, reason = "no response shows a value" }) => `${id}: ${reason}`).join("; ") };
}

/**
 * Runs the cases on gaps so that each sees what the target does. Then all cases that read a profile judge what was
 * seen: a value with which a case fails that passes without it is left out. The result and the `StartError` that it
 * throws are redacted.
 */
export async function learn(options: LearnOptions): Promise<LearnedProfile> {
  const redact = redactor(options.keyring.secrets);
  const all = learnings(options.cases ?? suite);
  const { results } = await run(runContext({ ...options, cases: all.map((one) => one.case) }));
  const byId = new Map(results.map((result) => [result.id, result]));
  const findings = gapIds.map((gap) => ({ gap, ...observed(gap, all, byId) }));
  const seen: Bound = Object.fromEntries(findings.flatMap((one) => ("value" in one ? [[one.gap, one.value]] : [])));
  const misplaced = misplacedCodes(seen);
  const against = [...misplaced, ...(await contradicted(options, without(seen, misplaced)))];
  const unseen = [...findings.flatMap((one) => ("reason" in one ? [one] : [])), ...against];
  const kept = withoutSecrets(without(seen, against), redact);
  const redacted = unseen.map(({ gap, reason }) => ({ gap, reason: redact(reason) }));
  const leftOut = [...redacted, ...kept.leftOut].toSorted((a, b) => gapIds.indexOf(a.gap) - gapIds.indexOf(b.gap));
  return { profile: { ...options.profile, gaps: kept.gaps }, leftOut };
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

const without = (seen: Bound, leftOut: readonly (GapId | LeftOut)[]): Bound => {
  const left = leftOut.map((one) => (typeof one === "string" ? one : one.gap));
  return Object.fromEntries(Object.entries(seen).filter(([id]) => left.every((gap) => gap !== id)));
};

/** The cases that read a profile: those on gaps, and those that let no time pass and judge flows. */
const isConfirming = ({ gaps, seconds, clauses }: Case): boolean =>
  gaps !== undefined || (seconds === undefined && flowClauses.some((clause) => clauses.includes(clause)));

/**
 * Observed values with which a case fails that passes without them: elsewhere the target behaves otherwise than where
 * the cases about the gap have looked.
 */
async function contradicted(options: LearnOptions, seen: Bound): Promise<LeftOut[]> {
  const failing = async (gaps: Bound, cases: readonly Case[]) => {
    const profile = { ...options.profile, gaps };
    const { results } = await run(runContext({ ...options, profile, cases, onResult: undefined }));
    return cases.filter(({ id }) => results.some((result) => result.id === id && result.outcome === "fail"));
  };
  /** The values without which the case passes, found by halving: more than one where no half explains it. */
  const causeIn = async (item: Case, bound: Bound, suspects: readonly GapId[]): Promise<readonly GapId[]> => {
    const middle = Math.ceil(suspects.length / 2);
    // The case runs again with all values: a failure that a busy machine caused once does not count against one.
    const parts = [[], suspects.slice(0, middle), suspects.slice(middle)];
    const clones = parts.map((part, index): Case => {
      const run: Case["run"] = (trial) => item.run(trial.withGaps(without(bound, part)));
      return { ...item, id: `${item.id} ${index}`, gaps: [], run };
    });
    const red = await failing({}, clones);
    const cause = parts.find((_part, index) => red.every((clone) => clone !== clones[index])) ?? suspects;
    return cause.length === 0 || cause.length === suspects.length ? cause : causeIn(item, bound, cause);
  };
  const leftOut: LeftOut[] = [];
  let cases: readonly Case[] = (options.cases ?? suite).filter(isConfirming);
  for (;;) {
    const left = without(seen, leftOut);
    const red = await failing(left, cases);
    const redAnyway = red.length > 0 ? await failing({}, red) : [];
    const [item, ...others] = red.filter((one) => !redAnyway.includes(one));
    if (item === undefined) return leftOut;
    const suspects = [...new Set([...(item.gaps ?? []), ...gapIds])].filter((gap) => left[gap] !== undefined);
    const cause = await causeIn(item, left, suspects);
    cases = cause.length === 0 ? others : [item, ...others];
    const because = `but with it ${item.id} fails`;
    leftOut.push(...cause.map((gap) => ({ gap, reason: `seen was ${JSON.stringify(seen[gap])}, ${because}` })));
  }
}
