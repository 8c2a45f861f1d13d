/** Where a text stops being JSON: JSON.parse does not always say. */

const text = String.raw`"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const space = /[ \t\n\r]*/y;
const key = new RegExp(text, "uy");
const scalar = new RegExp(`true|false|null|${number}|${text}`, "uy");

class Stop extends Error {
  readonly at: number;
  constructor(at: number) {
    super("not JSON");
    this.at = at;
  }
}

/** Line and column, both from 1, of the first character that cannot stand there; the text's end if one is missing. */
export function syntaxErrorAt(text: string): { line: number; column: number } {
  let at = text.length;
  try {
    at = skipSpace(text, skipValue(text, 0));
  } catch (error) {
    if (error instanceof Stop) at = error.at;
  }
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function skipValue(text: string, from: number): number {
  const at = skipSpace(text, from);
  if (text[at] === "{") return skipList(text, at + 1, "}", skipMember);
  if (text[at] === "[") return skipList(text, at + 1, "]", skipValue);
  return skip(text, scalar, at);
}

function skipMember(text: string, from: number): number {
  const colon = skipSpace(text, skip(text, key, skipSpace(text, from)));
  if (text[colon] !== ":") throw new Stop(colon);
  return skipValue(text, colon + 1);
}

function skipList(text: string, from: number, close: string, item: (text: string, from: number) => number): number {
  let at = skipSpace(text, from);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipSpace(text, item(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ",") throw new Stop(at);
    at += 1;
  }
}

function skipSpace(text: string, at: number): number {
  return skip(text, space, at);
}

function skip(text: string, token: RegExp, at: number): number {
  token.lastIndex = at;
  if (!token.test(text)) throw new Stop(at);
  return token.lastIndex;
}
