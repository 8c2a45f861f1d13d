/** Fills the `{name}` fields of a target file: `{port}`, `{stateDir}`. */

/** Fills the fields in every string of a value. */
export function fillIn<T>(value: T, fields: Record<string, string>): T {
  if (typeof value === "string") return fill(value, fields) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, fields)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item as unknown, fields)])) as T;
}

/** Fills the fields of one string; unknown ones stay. */
export function fill(text: string, fields: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(fields, name) ? (fields[name] ?? whole) : whole,
  );
}
