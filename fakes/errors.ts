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

/** Lines for a terminal: a message may quote a file or an argument, and nothing in it may act there. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => (character === "\n" ? character : "?"));
}
