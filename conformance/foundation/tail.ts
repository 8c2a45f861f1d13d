const TAIL_LENGTH = 8 * 1024;

/** The last 8,192 characters of a text from the start of a word, so that no secret is cut in two and missed by redaction. */
export function tailOf(text: string): string {
  if (text.length <= TAIL_LENGTH) return text;
  const cut = text.slice(-TAIL_LENGTH);
  return cut.slice(cut.search(/\s/) + 1);
}

/** The last lines of a text that are not blank. */
export function lastLinesOf(text: string, count: number): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.filter((line) => line !== "").slice(-count);
}

/** What has come to a text of which only the tail is kept. */
export function addedTo(before: string, after: string): string {
  // The front of what was there may be cut off by now.
  let cut = 0;
  while (!after.startsWith(before.slice(cut))) cut += 1;
  return after.slice(before.length - cut);
}
