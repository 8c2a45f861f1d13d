/**
 * Texts of others made safe to print: on a terminal, and in the log of a CI system, which takes lines of certain shapes
 * for commands.
 */

/** What a terminal acts on or shows in another order than it stands in: control and format characters, half characters. */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The character as its escape: `\u001b`. */
export function escapeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${hex4(point)}`;
}

const hex4 = (unit: number) => unit.toString(16).padStart(4, "0");

/** A text that was meant to be one line, as one line. */
export function safeLine(text: string): string {
  return text.replace(UNSAFE, escapeOf);
}

/** Lines for a terminal or a log; line breaks and tabs stay. */
export function safeText(text: string): string {
  const lines = text.replace(UNSAFE, (character) => (/[\n\t]/.test(character) ? character : escapeOf(character)));
  return withoutCommands(lines);
}

/** GitHub reads a line that begins with `::` behind blanks. */
const atLineStart = /^([^\S\n]*)::/gm;
/** `##[` (GitHub, Azure) and `##vso[` (Azure) count anywhere in a line; `##teamcity[` at its start or behind a time. */
const anywhere = /##(?=[a-z]*\[)/gi;

/** Breaks what a CI system would carry out, visibly: `\::error::`, `#\#vso[`. In bash outside of quotes it stays the same. */
export function withoutCommands(text: string): string {
  return text.replace(atLineStart, "$1\\::").replace(anywhere, "#\\#");
}

/** JSON that holds no unsafe character and no command for a CI system, and has the same value. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(UNSAFE, (character) => (character === "\n" ? character : unitsOf(character)))
    .replace(anywhere, "#\\u0023");
}

/** JSON escapes a character beyond U+FFFF as two. */
function unitsOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex4(character.charCodeAt(index))}`).join("");
}

/** Every string of a value, names of fields too, by default as one line. `safe` is also told the name of the field. */
export function safeStrings<T>(value: T, safe: (text: string, name: string) => string = safeLine): T {
  const walk = (item: unknown, name: string): unknown => {
    if (typeof item === "string") return safe(item, name);
    if (Array.isArray(item)) return item.map((each: unknown) => walk(each, ""));
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, each]) => [safeLine(key), walk(each, key)]));
  };
  return walk(value, "") as T;
}
