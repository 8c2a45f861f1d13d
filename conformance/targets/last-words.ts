import { safeLine } from "../foundation/safe-text.ts";
import { printable } from "../http/exchange.ts";
import type { StartError } from "../foundation/start-error.ts";

const SHOWN_LINES = 10;

/** A start error's message and, below it, the target's last lines of output, safe for a terminal. */
export function withLastWords({ message, stderrTail }: StartError): string {
  const lines = stderrTail.trimEnd().split("\n").slice(-SHOWN_LINES);
  if (lines.join("") === "") return safeLine(message);
  return [safeLine(message), "the target's output, last lines:", ...lines.map((line) => printable(line))].join("\n");
}
