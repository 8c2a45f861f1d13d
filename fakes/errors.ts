/** A mistake of whoever starts the process: its message, one or two lines, is all they need. */
export class StartError extends Error {
  override name = "StartError";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, `unknown` if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
