/** One run of some cases against the target that the options name, and the report of one or several such runs. */
import { cases as suite } from "../catalogue.ts";
import type { Case } from "../harness/case.ts";
import type { Profile } from "../interface/gaps.ts";
import type { BaselineEntry } from "../report/baseline/baseline.ts";
import type { FailOn } from "../report/verdict.ts";
import { conclude, draftReport, trafficLine } from "../report/make-report.ts";
import type { Report } from "../report/report.ts";
import type { CaseResult } from "../harness/result.ts";
import type { Redact } from "../http/redact.ts";
import { runContext, type RunContext, type RunOptions } from "../run/context.ts";
import { run, type RunOutcome } from "../run/run.ts";
import type { Selection } from "../run/selection.ts";
import type { Keyring } from "../targets/keyring.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import type { Target } from "../targets/target-file.ts";

/** The options of a run, resolved. */
export interface Asked {
  readonly target: Target;
  readonly profile: Profile;
  readonly selection: Selection;
  readonly entries: readonly BaselineEntry[] | undefined;
  readonly failOn: FailOn;
  /** The command that judges the target again, where there is one. */
  readonly again: string | undefined;
  /** Of a plugin: the commands that serve it. */
  readonly serve?: string | undefined;
}

export interface Judged {
  readonly context: RunContext;
  readonly outcome: RunOutcome;
}

/** Receives each result as it comes, with `total` results to expect, and what removes secrets from its texts. */
export type OnResult = (result: CaseResult, total: number, redact: Redact) => void;

interface Live extends Pick<RunOptions, "signal" | "onNotice" | "onEstimate" | "maxMs" | "spentMs" | "reloads"> {
  readonly onResult: OnResult;
  /** Receives every exchange of the cases, as a line without secrets. */
  readonly onTraffic?: ((line: string) => void) | undefined;
}

/** Judges these cases on a new start of the target. `keyring`: its secrets; other ones for each start by default. */
export async function judgeCases(
  { target, profile, selection: { quick } }: Asked,
  cases: readonly Case[],
  live: Live,
  keyring?: Keyring,
): Promise<Judged> {
  const onResult: RunContext["onResult"] = (result, total) => live.onResult(result, total, context.redact);
  const secrets = keyring ?? (await keyringFor(target));
  const log = live.onTraffic;
  const onTraffic: RunContext["onTraffic"] = log && ((seen) => log(trafficLine(seen, context.redact)));
  const context = runContext({ target, profile, cases, keyring: secrets, ...live, quick, onResult, onTraffic });
  return { context, outcome: await run(context) };
}

/** `seed`: of the properties that were judged; `stopped`: why the run ended early. */
export function reportOf(asked: Asked, { context, outcome }: Judged, seed?: number, stopped?: string): Report {
  const { selection, failOn, again, serve, entries } = asked;
  return conclude(draftReport({ ...context, outcome, suite, selection, failOn, again, serve, seed, stopped }), entries);
}
