/** The gateway's log: dated lines, the last of them kept. */
import type { Clock, Logger } from "../plugin/ports.ts";

const keptLines = 1_000;
const longestLine = 2_000;

interface Log {
  readonly logger: Required<Logger>;
  /** The last 1,000 lines, oldest first. */
  readonly lines: () => string[];
}

/** Also passes each line to `write`. */
export function createLog(clock: Clock, write: (line: string) => void): Log {
  const lines: string[] = [];
  // Unknown: a foreign plugin may log anything.
  const log = (level: string, message: unknown): void => {
    // A newline in a message would let a request forge a line, a control character would act on the terminal.
    const text = String(message).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
    const line = `${new Date(clock.now()).toISOString()} ${level} ${text}`.slice(0, longestLine);
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    write(line);
  };
  return {
    logger: {
      info: (message) => log("info", message),
      warn: (message) => log("warn", message),
      error: (message) => log("error", message),
    },
    lines: () => [...lines],
  };
}
