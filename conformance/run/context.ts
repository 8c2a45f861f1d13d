/** What a run needs to know: made once, by the command or the library call that asks for it, and handed on as it is. */
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import type { WatchedExchange } from "../harness/watcher.ts";
import { redactor, type Redact } from "../http/redact.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Keyring } from "../targets/keyring.ts";
import type { Target } from "../targets/target-file.ts";
import type { Budget } from "./budget.ts";
import type { Watch } from "./watch.ts";

interface Needed {
  readonly target: Target;
  readonly profile: Profile;
  readonly cases: readonly Case[];
  readonly keyring: Keyring;
}

interface Settings {
  readonly quick: boolean;
  /** What has a target to itself is judged as that is after a reload of its configuration; true by default. */
  readonly reloads: boolean;
  /** A case goes on behind a failure until it has found this many; 100 by default. */
  readonly mostFindings: number;
  /** Receives each result as it comes, with `total` results to expect: not redacted, known deviations not marked. */
  readonly onResult: (result: CaseResult, total: number) => void;
  /** The longest time for the whole run, ms; undefined for three times the estimate. */
  readonly maxMs: number | undefined;
  /** What earlier runs of the same command have taken of it, ms. */
  readonly spentMs: number;
  /** Receives every exchange of the cases, not redacted. */
  readonly onTraffic: ((seen: WatchedExchange) => void) | undefined;
  /** Receives what the user should know while the run goes on: how long it takes and why. */
  readonly onNotice: (notice: string) => void;
  /** Receives once how long the run probably takes, ms, and after which time it ends at the latest, in words; the first case waits for what it returns. */
  readonly onEstimate: (ms: number, limit: string) => unknown;
  readonly signal: AbortSignal;
}

export type RunOptions = Needed & { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

export interface RunContext extends Needed, Settings {
  readonly startedAt: Date;
  readonly redact: Redact;
}

export function runContext(options: RunOptions): RunContext {
  const { target, profile, cases, keyring, maxMs, onTraffic, quick = false, mostFindings = 100, spentMs = 0 } = options;
  const { onResult = () => {}, onNotice = () => {}, onEstimate = () => {} } = options;
  const { signal = new AbortController().signal, reloads = true } = options;
  const settings = { quick, reloads, mostFindings, onResult, onTraffic, maxMs, spentMs, onNotice, onEstimate, signal };
  const redact = redactor(keyring.secrets);
  return { target, profile, cases, keyring, ...settings, redact, startedAt: new Date() };
}

/** What the groups of cases on one started target share. */
export interface RunState {
  readonly context: RunContext;
  readonly report: (result: CaseResult) => void;
  readonly budget: Budget;
  readonly watch: Watch;
  /** Ids of the cases that said nothing of the target at first, and passed when they were tried again alone. */
  readonly passedOnRetry: string[];
}
