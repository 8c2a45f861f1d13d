/** A mistake of the operator: a message of one or two lines, without a stack. */
export class StartError extends Error {
  override name = "StartError";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, or `unknown`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
