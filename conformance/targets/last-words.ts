import { lastLinesOf } from "../foundation/tail.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { printable } from "../http/exchange.ts";
import type { StartError } from "../foundation/start-error.ts";

const SHOWN_LINES = 10;

/** A start error's message and, below it, the target's last lines of output, safe for a terminal. */
export function withLastWords({ message, stderrTail }: StartError): string {
  const lines = lastLinesOf(stderrTail, SHOWN_LINES).map((line) => printable(line));
  return [safeLine(message), ...(lines.length > 0 ? ["the target's output, last lines:", ...lines] : [])].join("\n");
}
