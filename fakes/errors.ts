import { fileURLToPath } from "node:url";

/** The folder of the kit's own code: its sources, or the build. */
const KIT = fileURLToPath(new URL("..", import.meta.url));

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

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? "") : "");

/** ` (file:line:column)` of the first line of code that a stack names, but for the kit's own; "" where it names none. */
export function placeIn(stack: string): string {
  const places = stack.matchAll(/(?:^|\(|at )(?:file:\/\/)?((?:\/|[A-Z]:\\)[^\s()]+:\d+(?::\d+)?)/gm);
  const place = [...places].map(([, named = ""]) => named).find((named) => !named.startsWith(KIT));
  return place === undefined ? "" : ` (${place.replace(/\?[^:]*/, "")})`;
}

/** Whether every frame of the stack is code of the kit. */
export const isOfKit = (error: unknown): boolean => stackOf(error).includes(KIT) && placeIn(stackOf(error)) === "";

/** An error that a plugin threw, on one line, with its place. */
export const toldOf = (error: unknown): string =>
  `${messageOf(error).replace(/\n[^]*$/, "")}${placeIn(stackOf(error))}`;
