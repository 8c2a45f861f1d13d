/** Work that Ctrl-C and its like break off. */
import type { JudgementOptions } from "../library/judge-target.ts";
import type { Report } from "../report/report.ts";
import { progress } from "../report/progress.ts";
import { EXIT } from "./command.ts";

/** SIGHUP comes when the terminal is closed. */
export const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Cases under way have a second for their last words, the target half a one to end; neither may outlive this, ms. */
const LAST_MS = 3000;

export interface Judged<T> {
  /** Absent where nothing had come of it when it was interrupted. */
  readonly outcome: T | undefined;
  readonly interrupted: boolean;
}

/** Runs with progress; an interrupt stops the target first. `lastMs`: the longest that it may take from then on. */
export async function judged<T>(
  start: (more: Required<Pick<JudgementOptions, "signal" | "onResult">>) => Promise<T>,
  lastMs = LAST_MS,
): Promise<Judged<T>> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const onSignal = () => {
    if (signal.aborted) return;
    process.stderr.write("interrupted: stopping the target\n");
    setTimeout(() => process.exit(EXIT.interrupted), lastMs).unref();
    interrupt.abort();
  };
  for (const name of ENDINGS) process.on(name, onSignal);
  const shown = progress(process.stderr.isTTY, (text) => process.stderr.write(text));
  try {
    return { outcome: await start({ signal, onResult: shown.onResult }), interrupted: signal.aborted };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { outcome: undefined, interrupted: true };
  } finally {
    shown.end();
    for (const name of ENDINGS) process.off(name, onSignal);
  }
}

/** What an interrupted run has found so far, of so many cases; undefined where that is nothing. */
export function brokenOff(report: Report | undefined, asked: number): Report | undefined {
  if (report === undefined || report.results.length === 0) return undefined;
  const note = `broken off: ${report.results.length} of ${asked} cases were judged`;
  return { ...report, notes: [...report.notes, note] };
}
