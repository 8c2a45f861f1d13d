/** The target could not be started or reached: exit 3. */
export class StartError extends Error {
  /** The end of what the target wrote to stderr, or to stdout where that is all that it wrote to. */
  readonly stderrTail: string;
  /** The process ended by itself, as a gateway does that refuses its configuration. */
  readonly exited: boolean;

  constructor(message: string, more: { stderrTail?: string; exited?: boolean } = {}) {
    super(message);
    this.stderrTail = more.stderrTail ?? "";
    this.exited = more.exited ?? false;
  }
}
