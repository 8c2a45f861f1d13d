/** Names that stand twice in a JSON object: RFC 8259, 4 lets each reader take another one of their values. */
import { isDeepStrictEqual } from "node:util";
import { getNodeValue, parseTree } from "jsonc-parser";

/** The members of the outermost object of a JSON text as they stand there. `value`: what `JSON.parse` makes of it. */
export function membersOf(json: string, value: object): (readonly [name: string, value: unknown])[] {
  const whole = Object.entries(value);
  if (!json.includes("\\") && whole.every(([name]) => isOnce(json, name))) return whole;
  const pairs = (parseTree(json)?.children ?? []).map(({ children = [] }) => children.map(getNodeValue));
  return pairs as [string, unknown][];
}

/** Most texts need no closer look: the name stands there once, whatever else it names. */
function isOnce(json: string, name: string): boolean {
  const quoted = `"${name}"`;
  const first = json.indexOf(quoted);
  // A search from the end takes ten times as long.
  return first < 0 || json.indexOf(quoted, first + 1) < 0;
}

/** The first of these names that stands there with two values that differ. */
export function contradictoryIn(json: string, names: readonly string[]): string | undefined {
  if (!json.includes("\\u") && names.every((name) => isOnce(json, name))) return undefined;
  const seen = new Map<string, unknown>();
  for (const [name, value] of membersOf(json, JSON.parse(json) as object)) {
    if (seen.has(name) && names.includes(name) && !isDeepStrictEqual(seen.get(name), value)) return name;
    seen.set(name, value);
  }
  return undefined;
}
