/** Progress during a run: one rewritten line on a terminal, a few lines in a log. */
import type { CaseResult } from "../harness/result.ts";

const LOG_STEPS = 4;

interface Progress {
  onResult(result: CaseResult, total: number): void;
  onNotice(notice: string): void;
  end(): void;
}

/** How many cases are done, of how many, and how many of them did not pass. */
export type Told = (done: number, total: number, bad: number) => string;

const asJudged: Told = (done, total, bad) => `${done}/${total} cases, ${bad} not passed`;

/** `write` gets text for stderr, so that stdout holds the report alone. */
export function progress(terminal: boolean, write: (text: string) => void, told = asJudged): Progress {
  let done = 0;
  let bad = 0;
  let next = 1;
  return {
    onResult(result, total) {
      done += 1;
      if (!["pass", "not-applicable", "known"].includes(result.outcome)) bad += 1;
      const line = told(done, total, bad);
      if (terminal) write(`\r\u001b[K${line}`);
      else if (done / total >= next / LOG_STEPS) {
        next = Math.floor((done / total) * LOG_STEPS) + 1;
        write(`${line}\n`);
      }
    },
    onNotice(notice) {
      write(`${terminal ? "\r\u001b[K" : ""}${notice}\n`);
    },
    end() {
      if (terminal && done > 0) write("\r\u001b[K");
    },
  };
}
