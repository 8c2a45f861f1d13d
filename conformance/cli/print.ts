/** The only module that writes to the terminal: it escapes control characters, whatever a text quotes. */
import { relative } from "node:path";
import { safeLine, safeText } from "../foundation/safe-text.ts";
import { StartError } from "../foundation/start-error.ts";
import { shellWord } from "../http/replay-line.ts";
import { withLastWords } from "../targets/last-words.ts";

export function print(text: string): void {
  process.stdout.write(safeText(text));
}

export function tell(text: string): void {
  process.stderr.write(safeText(text));
}

/** What is said, and with which exit code the process ends, where standard output or standard error breaks. `lost`: that one did. */
export const brokenOutput: { code: number; said: string; lost?: string } = { code: 2, said: "" };

/** By https://no-color.org an empty NO_COLOR is none; a terminal that calls itself dumb knows no colours. */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  return isTerminal(stream) && !process.env["NO_COLOR"];
}

export function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env["TERM"] !== "dumb";
}

/** A text with colours or cursor moves of the kit's own: whatever else is in it is safe already. */
export const styled = {
  print: (text: string) => void process.stdout.write(text),
  /** Rejects if the stream did not take the text. */
  printWhole: (text: string) =>
    new Promise<void>((done, failed) => process.stdout.write(text, (error) => (error ? failed(error) : done()))),
  tell: (text: string) => void process.stderr.write(text),
};

/** Finds a command of the kit inside a sentence of a message. */
const NAMED_COMMAND = /\bwebhooks-conformance (?=[a-z])/g;

/** What is told of an error, with commands as they can be pasted here. No argument that its message quotes breaks a line: an argument may be a text of somebody else. */
export function complaint(error: Error, args: readonly string[]): string {
  const message = error instanceof StartError ? withLastWords(error) : asPasted(error.message);
  const pieces = args.flatMap((word) => word.split(/[/=]/)).filter((piece) => piece.includes("\n"));
  const longestFirst = pieces.toSorted((a, b) => b.length - a.length);
  const whole = longestFirst.reduce((text, piece) => text.replaceAll(piece, safeLine(piece)), message);
  return `webhooks-conformance: ${whole}\n`;
}

const asPasted = (message: string) => message.replaceAll(NAMED_COMMAND, () => `${program()} `);

const NAME = "webhooks-conformance";

/**
 * How this command line was called, so that a command that it prints works when it is pasted:
 * `npx webhooks-conformance` from a project's node_modules, `node dist/.../main.js` where that file was named.
 */
export function program(called = process.argv[1] ?? "", cwd = process.cwd()): string {
  const path = called.replaceAll("\\", "/");
  if (/\/node_modules\/(\.bin\/|webhooks-conformance\/)/.test(path)) return `npx ${NAME}`;
  if (!path.endsWith("/conformance/cli/main.js")) return NAME;
  const near = relative(cwd, called);
  return `node ${shellWord(near.startsWith("..") ? called : near)}`;
}
