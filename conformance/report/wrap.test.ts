/** Text in 80 columns: no character is lost or cut in two. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cut, oneLine, wrap } from "./wrap.ts";

test("no line is wider than 80 columns, no character is lost, and none is cut in two", () => {
  const words = fc.string({ unit: "grapheme", maxLength: 400 });
  fc.assert(
    fc.property(words, (text) => {
      const all = text.replaceAll(/\s/g, "");
      for (const lines of [wrap(text, "  label     "), cut(text, "  label     ")]) {
        expect(lines.filter((line) => line.length > 80 || /[\ud800-\udbff]$/.test(line))).toEqual([]);
        expect(lines.join("").replace("label", "").replaceAll(/\s/g, "")).toBe(all);
      }
    }),
    { numRuns: 300, seed: 4 },
  );
});

test("lines break at spaces, those of a body after a comma too, and a word that is longer than a line is cut", () => {
  expect(wrap(`one ${"two ".repeat(20)}`, "  a  ", 4)).toEqual([`  a  one${" two".repeat(18)}`, "    two two"]);
  expect(wrap(`one ${"b".repeat(90)}`, "")).toEqual(["one", "b".repeat(80), "b".repeat(10)]);
  expect(cut(`{${"a,".repeat(45)}`, "  ")).toEqual([`  {${"a,".repeat(38)}`, `  ${"a,".repeat(7)}`]);
});

test("what is cut to a line is marked, and cut between two characters", () => {
  expect(oneLine("🎈".repeat(50))).toBe(`${"🎈".repeat(38)}...`);
});
