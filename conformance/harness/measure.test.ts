import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { edge, isAllowed, mustMeasure } from "./measure.ts";
import type { Trial } from "./trial.ts";

test("an edge is found wherever it is, and takes two questions where it was guessed", async () => {
  for (const limit of [1, 2, 119, 120, 121, 500, 1000]) {
    let asked = 0;
    const isOver = async (value: number) => (asked += 1) > 0 && value >= limit;
    expect(await edge(isOver, { guesses: [120], least: 1, most: 1000 })).toBe(limit);
    expect(asked).toBeLessThanOrEqual(limit === 120 ? 2 : 12);
  }
  expect(await edge(async () => false, { guesses: [120], least: 1, most: 1000 })).toBeUndefined();
});

const window = (least: number, most: number, driven: boolean) => isAllowed({ driven }, "window", { least, most });

test("a measure is held against the interface to the millisecond, in real time to 0.3 seconds; a wide one blames nobody", () => {
  expect(window(59_999, 60_000, true)).toBe(true);
  expect(window(59_998, 59_999, true)).toBe(false);
  expect(window(60_001, 60_002, true)).toBe(false);
  expect(window(59_650, 59_750, false)).toBe(true);
  expect(window(59_550, 59_650, false)).toBe(false);
  expect(window(60_350, 60_450, false)).toBe(false);
  expect(window(50_000, 70_000, false)).toBe(true);
});

test.each([
  ["requests in a window", 119, undefined, 429, "too_many_in_flight", "120; got 119"],
  ["body size", 227_995, "with chunks", 500, "internal_error", "256 KB; got 227995 bytes, with chunks"],
] as const)("a wrong measure of %s says what refused, which may be another limit or an error", (...row) => {
  const [limit, value, note, status, code, said] = row;
  const body = Buffer.from(JSON.stringify({ ok: false, code }));
  const refusal = { answer: { status, headers: new Map(), body } } as unknown as Exchange;
  const trial = { driven: true, record: { measures: [], exchanges: [refusal] } } as unknown as Trial;
  expect(() => mustMeasure(trial, limit, { least: value, most: value }, note)).toThrow(
    `expected ${limit}: ${said}, then refused with ${status} ok:false ${code}`,
  );
});
