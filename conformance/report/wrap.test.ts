/** Text in 80 columns: no character is lost or cut in two, and a wide one takes two. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { columns, cut, fitting, oneLine, wrap } from "./wrap.ts";

test.each([
  ["plain", 5],
  ["日本語", 6],
  ["ﾊﾝｶｸ", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["🎈", 2],
  ["👩‍🔧", 2],
  ["✔\ufe0f", 2],
  ["한국어", 6],
])("%s takes %i columns", (text, width) => {
  expect(columns(text)).toBe(width);
});

const text = fc.string({ unit: "grapheme", maxLength: 400 });

test("no line is wider than 80 columns, and no character is lost", () => {
  fc.assert(
    fc.property(text, (given) => {
      const lines = [...wrap(given, "  label     "), ...cut(given, "  label     ")];
      expect(lines.filter((line) => columns(line) > 80)).toEqual([]);
      const words = wrap(given, "").join("").replaceAll(/\s/g, "");
      expect(words).toBe(given.replaceAll(/\s/g, ""));
    }),
    { numRuns: 300, seed: 4 },
  );
});

test("what is cut to a line is marked, and cut between two characters", () => {
  expect(oneLine("日本語".repeat(40))).toMatch(/^[日本語]{38}\.\.\.$/u);
  expect(fitting("日本語", 5)).toBe("日本");
  expect(fitting("👩‍🔧👩‍🔧", 3)).toBe("👩‍🔧");
});

test("a very long line is cut in time that grows with it alone", () => {
  expect(cut("語".repeat(50_000), "").length).toBe(1250);
});

test("wrapping keeps every character of every word, however long", () => {
  const words = [`a ${"b".repeat(200)}`, "c".repeat(79), "d", "é".repeat(100)];
  const lines = wrap(words.join(" "), "  first   ", 4);
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines[0]).toMatch(/^ {2}first {3}a/);
  expect(lines.join("").replaceAll(" ", "").replace("first", "")).toBe(words.join("").replaceAll(" ", ""));
});

test("cutting keeps every character, spaces too, and ends lines after a comma", () => {
  const body = `{"a":1,${" ".repeat(5)}"b":"${"é🎈".repeat(60)}","c":"${"d".repeat(100)}"}`;
  const lines = cut(body, " ".repeat(12));
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines.map((line) => line.slice(12)).join("")).toBe(body);
  expect(cut("a,".repeat(40), "")[0]).toMatch(/,$/);
  expect(cut("a word ".repeat(20), "").flatMap((line) => line.split(" "))).toEqual(
    Array.from({ length: 20 }, () => ["a", "word"]).flat(),
  );
});
