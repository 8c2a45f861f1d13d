import { expect, test } from "vitest";
import { safeJson } from "./profile.ts";

test("a learned profile is printed so that no value of the target acts on a terminal, and each is still the same", () => {
  const hostile = {
    code: 'c1 \u009b31m bidi \u202e line \u2028 esc \u001b[2J quote " \\',
    long: "x".repeat(500),
    status: 405,
  };
  const text = safeJson(hostile);
  expect(text).not.toMatch(/[^\n\x20-\x7e]/);
  expect(JSON.parse(text)).toEqual(hostile);
});
