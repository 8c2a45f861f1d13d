/** Ctrl-C and the like: the run ends early, the target is stopped, and what was found by then is still reported. */
import { constants } from "node:os";
import { ENDINGS } from "../foundation/endings.ts";
import { number } from "../report/facts.ts";
import { interruptedReport } from "../report/make-report.ts";
import { progress, type Told } from "../report/progress.ts";
import type { Report } from "../report/report.ts";
import type { SignalCode } from "../report/verdict.ts";
import type { RunContext } from "../run/context.ts";
import { EXIT } from "./command.ts";
import { isTerminal, styled, tell } from "./print.ts";

/** A running case gets one second to report what it found, and the target half a second to end; all within this, ms. */
const LAST_MS = 3000;

interface Interruptible<T> {
  /** Undefined if it was interrupted before there was anything to report. */
  readonly outcome: T | undefined;
  readonly interrupted: SignalCode | undefined;
}

/** Exit codes by signal, as shells set them: 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: NodeJS.Signals): SignalCode {
  return (128 + constants.signals[signal]) as SignalCode;
}

/**
 * Calls `work` with a signal that an interrupt aborts, and with what shows progress. `told`: how progress is told.
 */
export async function interruptible<T>(
  work: (live: Pick<RunContext, "signal" | "onResult" | "onNotice" | "onEstimate">) => Promise<T>,
  told?: Told,
): Promise<Interruptible<T>> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  let interrupted: SignalCode | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (interrupted !== undefined) return;
    const code = exitCodeOf(name);
    interrupted = code;
    tell("interrupted: stopping the target\n");
    setTimeout(() => process.exit(code), LAST_MS).unref();
    interrupt.abort();
  };
  for (const name of ENDINGS) process.on(name, onSignal);
  // Some CI systems offer a terminal, but rewritten lines are unreadable in their logs.
  const terminal = isTerminal(process.stderr) && !process.env["CI"];
  const shown = progress({ terminal, write: styled.tell, told, columns: () => process.stderr.columns });
  try {
    return { outcome: await work({ signal, ...shown }), interrupted };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { outcome: undefined, interrupted };
  } finally {
    shown.end();
    for (const name of ENDINGS) process.off(name, onSignal);
  }
}

/**
 * Passes the report to `finish`, also that of an interrupted run if it has results; returns the exit code. `judged`: what
 * the interrupted run came to.
 */
export async function finishReport(
  { outcome: report, interrupted }: Interruptible<Report>,
  judged: (report: Report) => string,
  finish: (report: Report) => Promise<number>,
): Promise<number> {
  if (interrupted === undefined) return report === undefined ? EXIT.incomplete : finish(report);
  if (report === undefined || report.results.length === 0) return interrupted;
  await finish(interruptedReport(report, judged(report), interrupted));
  return interrupted;
}

export const judgedOf =
  (asked: number) =>
  ({ results }: Report): string =>
    `${results.length} of ${number(asked, "case")} ${asked === 1 ? "was" : "were"} judged`;
