/** The message of a thrown value; a program may throw anything. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Its first line: errors of JSON and of modules continue with the text that they are about. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
