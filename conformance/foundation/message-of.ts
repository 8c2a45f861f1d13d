/** What a thrown value says; a program may throw anything. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first line of it: errors of JSON and of modules go on with the text that they are about. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
