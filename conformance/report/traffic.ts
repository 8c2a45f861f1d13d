/** `run --log`: every exchange of a run, one JSON object a line, in the order in which the exchanges ended. */
import type { WatchedExchange } from "../harness/watcher.ts";
import type { Redact } from "../http/redact.ts";
import { reportedExchange } from "./make-report.ts";

/**
 * The line of one exchange, as long as in a report and without secrets. `sent` and `ended` count what goes out and what
 * comes back in one run, so that two requests which overlap can be told; `at`: ms since the runner started.
 */
export function trafficLine({ of, exchange, sent, order, at }: WatchedExchange, redact: Redact): string {
  const line = { case: of.id, sent, ended: order, at: Math.round(at.real), ...reportedExchange(exchange, redact) };
  return `${JSON.stringify(line)}\n`;
}
