import { applyEdits, format } from "jsonc-parser";

/** JSON with a line for each field, its signs as they came, also where its end is cut off; any other text as it is. */
export function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" }));
}
