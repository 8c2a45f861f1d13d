import { expect, test } from "vitest";
import { departure, withValues } from "./finding.ts";

const found = departure("FLOW-GOAL", "goal as it was sent", "another goal");

test.each([
  ["a", "b", 'goal: "a"', 'goal: "b"'],
  ["\u00e4", "a", 'goal: "\u00e4"', 'goal: "a"'],
  // One looks like the other.
  ["\ufa58", "\u7e09", String.raw`goal: "\ufa58"`, String.raw`goal: "\u7e09"`],
  ["a\u0308", "\u00e4", String.raw`goal: "a\u0308"`, String.raw`goal: "\u00e4"`],
])("of %j and %j each is told so that one sees the difference", (right, shown, expected, what) => {
  expect(withValues(found, "goal", right, shown).seen).toEqual({ expected, what });
});
