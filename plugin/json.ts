import type { Json } from "./ports.ts";

export type JsonObject = { [key: string]: Json };

/**
 * Whether nothing in `value` is nested deeper than `depth` and every number is finite. Iterative: the caller chooses the
 * nesting, and recursion could exhaust the stack.
 */
function withinBounds(value: Json, depth: number): boolean {
  let level: Json[] = [value];
  for (let open = 0; level.length > 0; open++) {
    const below: Json[] = [];
    for (const item of level) {
      // 1e999 parses as Infinity, and a response would say null.
      if (typeof item === "number" && !Number.isFinite(item)) return false;
      if (typeof item !== "object" || item === null) continue;
      if (open >= depth) return false;
      for (const child of Array.isArray(item) ? item : Object.values(item)) below.push(child);
    }
    level = below;
  }
  return true;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in `bytes`; undefined when they are not UTF-8, not JSON, not an object or nested beyond `depth`. */
export function parseJsonObject(bytes: Uint8Array, depth: number): JsonObject | undefined {
  let value: Json;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return withinBounds(value, depth) ? value : undefined;
}
