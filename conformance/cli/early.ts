/** Failures while the run goes on: told as they come (`--live`), and counted until they are enough (`--bail`). */
import { inWords } from "../harness/finding.ts";
import type { CaseResult } from "../harness/result.ts";
import { neutral } from "../http/exchange.ts";
import type { Redact } from "../http/redact.ts";
import { failed, redLevels, type FailOn } from "../report/verdict.ts";
import { oneLine } from "../report/wrap.ts";
import type { RunContext } from "../run/context.ts";

export function liveLine(result: CaseResult, redact: Redact): string | undefined {
  if (!failed(result)) return undefined;
  const { id, outcome, findings: [first] = [] } = result;
  const said = neutral(redact(first === undefined ? "" : inWords(first)), 1000);
  return oneLine(`${outcome.toUpperCase().padEnd(9)} ${neutral(id)}: ${said}`);
}

export function withLive(
  shown: Pick<RunContext, "onResult" | "onNotice">,
  live: boolean,
): (result: CaseResult, total: number, redact: Redact) => void {
  return (result, total, redact) => {
    shown.onResult(result, total);
    const line = live ? liveLine(result, redact) : undefined;
    if (line !== undefined) shown.onNotice(line);
  };
}

/**
 * `after`: how many failures are enough; undefined for no end. `known`: cases with an entry in the baseline, as whether
 * that holds is known only when the run is over. `signal` is aborted once there are enough failures that turn the run red;
 * `reason`: why the run ended early.
 */
export function bail(after: number | undefined, failOn: FailOn, known: readonly string[]) {
  const enough = new AbortController();
  const red = redLevels(failOn);
  let failures = 0;
  return {
    signal: enough.signal,
    count(result: CaseResult): void {
      if (after === undefined || !failed(result) || !red.includes(result.level) || known.includes(result.id)) return;
      failures += 1;
      if (failures >= after) enough.abort(new Error("enough failures"));
    },
    reason: () =>
      enough.signal.aborted
        ? `stopped after ${after === 1 ? "the first failure" : `${after} failures`}, as --bail asked`
        : undefined,
  };
}
