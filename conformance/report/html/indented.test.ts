/** JSON on lines of its own, as much of it as there is. */
import { expect, test } from "vitest";
import { indented } from "./indented.ts";

test("each field has a line; what is empty stays together, and no text in quotes is touched", () => {
  const value = { ok: false, error: 'a, "b": {c}', list: [1, "x"], result: {}, none: [] };
  expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
  expect(indented(` ${JSON.stringify(value, undefined, 1)}`)).toBe(JSON.stringify(value, undefined, 2));
});

test("an end that is cut off is shown as far as it goes", () => {
  expect(indented('{"a":1,"b":{"c":"long te... (cut: 999 characters)')).toBe(
    '{\n  "a": 1,\n  "b": {\n    "c": "long te... (cut: 999 characters)',
  );
});

test("other texts stay as they are, and no nesting makes a text much longer", () => {
  expect(indented("<p>{}</p>")).toBe("<p>{}</p>");
  const deep = "[".repeat(600);
  expect(indented(deep).length).toBeLessThan(1000);
  expect(indented(`${'{"a":'.repeat(100)}1${"}".repeat(100)}`).length).toBeLessThan(2000);
});
