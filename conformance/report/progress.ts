/** Progress during a run: one rewritten line on a terminal; in a log only what a long run needs to show that it lives. */
import { durationInWords } from "../foundation/duration.ts";
import type { RunContext } from "../run/context.ts";
import { number } from "./facts.ts";
import { isTrouble } from "./verdict.ts";
import { atWidth, lineWidth, oneLine, wrap } from "./wrap.ts";

/** A log gets a line after each, ms: a CI system may end a job that says nothing for ten minutes. */
const LOG_EVERY_MS = 60_000;
/** How often a terminal's line is written again, ms: the time that is left runs on between two results. */
const REFRESH_MS = 1000;

interface Progress extends Pick<RunContext, "onResult" | "onEstimate" | "onNotice"> {
  readonly end: () => void;
}

/** How many cases are done, of how many, and how many of them did not pass. */
export type Told = (done: number, total: number, bad: number) => string;

const asJudged: Told = (done, total, bad) => `${done}/${number(total, "case")}, ${bad} not passed`;

interface Shown {
  /** A line can be rewritten. */
  readonly terminal: boolean;
  /** Gets text for stderr, so that stdout holds the report alone. */
  readonly write: (text: string) => void;
  readonly told?: Told | undefined;
  readonly columns?: (() => number | undefined) | undefined;
  readonly now?: () => number;
}

export function progress({
  terminal,
  write,
  told = asJudged,
  columns = () => 80,
  now = () => performance.now(),
}: Shown): Progress {
  const started = now();
  let [done, all, bad, last, saidAt] = [0, 0, 0, "", started];
  let estimate: { readonly ms: number; readonly limit: string } | undefined;
  const line = () => {
    const parts = [told(done, all, bad)];
    if (estimate !== undefined) {
      const left = estimate.ms - (now() - started);
      const words = left > 0 ? `${durationInWords(left)} left` : "longer than estimated";
      parts.push(`${words}, ${estimate.limit} at most`);
    }
    if (last !== "") parts.push(last);
    return parts.join(", ");
  };
  // A line of full width would break, and then not be rewritten.
  const rewrite = () => write(`\r\u001b[K${oneLine(line(), (columns() ?? 80) - 1)}`);
  const timer = terminal ? setInterval(() => all > 0 && rewrite(), REFRESH_MS).unref() : undefined;
  return {
    onResult(result, total) {
      done += 1;
      all = total;
      last = result.id;
      if (isTrouble(result)) bad += 1;
      if (terminal) rewrite();
      else if (now() - saidAt >= LOG_EVERY_MS) {
        saidAt = now();
        write(`${line()}\n`);
      }
    },
    onEstimate(ms, limit) {
      estimate = { ms: now() - started + ms, limit };
    },
    onNotice(notice) {
      // Spaces that align a short one stay.
      const broken = atWidth(columns(), () => (notice.length <= lineWidth() ? notice : wrap(notice, "", 2).join("\n")));
      write(`${terminal ? "\r\u001b[K" : ""}${broken}\n`);
    },
    end() {
      clearInterval(timer);
      if (terminal && done > 0) write("\r\u001b[K");
    },
  };
}
