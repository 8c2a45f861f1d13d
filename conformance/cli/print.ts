/** The one place where the command line writes to its terminal: whatever a text quotes, nothing in it acts there. */
import { safeLine, safeText } from "../foundation/safe-text.ts";
import { StartError } from "../foundation/start-error.ts";
import { withLastWords } from "../targets/last-words.ts";

export function print(text: string): void {
  process.stdout.write(safeText(text));
}

/** To standard error. */
export function tell(text: string): void {
  process.stderr.write(safeText(text));
}

/** A text with colours or cursor moves of the kit's own: whatever else is in it is safe already. */
export const styled = {
  print: (text: string) => void process.stdout.write(text),
  tell: (text: string) => void process.stderr.write(text),
};

/** What is told of an error. No argument that its message quotes breaks a line: an argument may be a text of somebody else. */
export function complaint(error: Error, args: readonly string[]): string {
  const message = error instanceof StartError ? withLastWords(error) : error.message;
  const pieces = args.flatMap((word) => word.split(/[/=]/)).filter((piece) => piece.includes("\n"));
  const longestFirst = pieces.toSorted((a, b) => b.length - a.length);
  const whole = longestFirst.reduce((text, piece) => text.replaceAll(piece, safeLine(piece)), message);
  return `webhooks-conformance: ${whole}\n`;
}
