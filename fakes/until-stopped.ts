/** A command that runs until a signal stops it. */
import { printable, StartError } from "./errors.ts";

/**
 * Runs a command and aborts its signal on SIGTERM, SIGINT or SIGQUIT. Resolves to the exit code: 0, or 2 for a StartError, whose
 * message goes to stderr. Other errors are thrown.
 */
export async function untilStopped(command: (stopped: AbortSignal) => Promise<void>): Promise<number> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGQUIT", stop);
  try {
    await command(stopped.signal);
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${printable(error.message)}\n`);
    return 2;
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop).off("SIGQUIT", stop);
  }
}
