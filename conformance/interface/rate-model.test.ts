import { expect, test } from "vitest";
import { RateModel, slotFor, type Batch } from "./rate-model.ts";

/** Two clients at one path, one at another. */
const [a, b, other] = ["/one 0", "/one 1", "/two 0"];

const at = (ms: number) => ({ from: ms, to: ms });
const batch = (ms: number, sent: number, letIn?: number, key = a): Batch => ({
  key,
  at: at(ms),
  sent,
  slot: "free",
  ...(letIn !== undefined && { letIn }),
});

/** Whether the last of some batches is lawful on a target that was used before; those before have to be. */
const judged = (...batches: Batch[]): boolean => judgedBy(new RateModel(false), ...batches);

/** The same on one to which nothing was sent for a minute. */
const judgedRested = (...batches: Batch[]): boolean => judgedBy(new RateModel(true), ...batches);

function judgedBy(model: RateModel, ...batches: Batch[]): boolean {
  const last = batches.pop();
  for (const one of batches) expect(model.observe(one)).toBe(true);
  return last !== undefined && model.observe(last);
}

test("120 of a burst are let in, no more and no fewer", () => {
  expect(judged(batch(0, 121, 120))).toBe(true);
  expect(judged(batch(0, 121, 121))).toBe(false);
  expect(judged(batch(0, 120, 119))).toBe(false);
});

test("keys are counted on their own", () => {
  expect(judged(batch(0, 120, 120), batch(0, 120, 120, b))).toBe(true);
});

test("what is refused for its body counts all the same", () => {
  expect(judged(batch(0, 20), batch(0, 101, 100))).toBe(true);
  expect(judged(batch(0, 20), batch(0, 101, 101))).toBe(false);
});

test("a window may be the key's own or one of all keys, but not both", () => {
  const usedUp = [batch(1000, 121, 120), batch(1000, 121, 120, b)];
  expect(judged(...usedUp, batch(31_000, 1, 1))).toBe(true);
  expect(judged(...usedUp, batch(31_000, 1, 0))).toBe(true);
  expect(judged(...usedUp, batch(31_000, 1, 1), batch(31_000, 1, 0, b))).toBe(false);
  expect(judged(...usedUp, batch(31_000, 1, 0), batch(31_000, 1, 1, b))).toBe(false);
});

test("a window that all keys share may begin with the first request after the last one's end", () => {
  const lazy = [batch(0, 121, 120), batch(30_000, 121, 120, b), batch(70_000, 121, 120, b)];
  // Of no key's own, and by no clock: the one from 70 s on is for all keys, and ends at 130 s.
  expect(judged(...lazy, batch(80_000, 121, 120), batch(129_000, 1, 0, b), batch(129_000, 1, 0))).toBe(true);
  expect(judged(...lazy, batch(80_000, 121, 120), batch(132_000, 1, 1, b), batch(132_000, 1, 1))).toBe(true);
  expect(judged(...lazy, batch(80_000, 121, 120), batch(132_000, 1, 1), batch(132_000, 1, 0, b))).toBe(false);
});

test("a window that the keys of a path share may run already: after its end the next begins with a request", () => {
  const first = [batch(0, 121, 120), batch(30_000, 1, 0), batch(40_000, 121, 120)];
  expect(judged(...first)).toBe(true);
  expect(judgedRested(...first, batch(41_000, 1, 0))).toBe(true);
  const later = [batch(130_000, 121, 120), batch(135_000, 121, 120, b), batch(170_000, 1, 0)];
  expect(judged(...first, ...later, batch(192_000, 1, 1, b))).toBe(true);
  expect(judged(...first, ...later, batch(188_000, 1, 1, b))).toBe(false);
});

test("the windows of one path have nothing to do with those of another", () => {
  const shared = [batch(0, 121, 120, a), batch(30_000, 121, 120, b), batch(30_000, 121, 120, other)];
  const next = [batch(62_000, 121, 120, b), batch(62_000, 1, 0, other)];
  expect(judged(...shared, ...next, batch(92_000, 1, 1, other))).toBe(true);
  expect(judgedRested(...shared, ...next, batch(62_000, 1, 0, a))).toBe(false);
  // Two ends within a minute at two paths: only windows that ran already are so.
  const ends = [batch(0, 121, 120, a), batch(0, 121, 120, other), batch(20_000, 1, 1, a), batch(20_000, 1, 0, other)];
  expect(judged(...ends)).toBe(true);
  expect(judgedRested(...ends)).toBe(false);
});

test("a window is over after a minute, whichever it is, and the next is whole", () => {
  expect(judged(batch(0, 121, 120), batch(61_000, 1, 0))).toBe(false);
  expect(judged(batch(0, 121, 120), batch(61_000, 121, 120))).toBe(true);
  expect(judged(batch(0, 121, 120), batch(61_000, 120, 119))).toBe(false);
});

test("a window may begin with the second of its first request", () => {
  const usedUp = [batch(12_900, 121, 120), batch(13_300, 121, 120, b), batch(14_000, 1, 0)];
  expect(judgedRested(...usedUp, batch(72_500, 1, 1), batch(72_500, 1, 0, b))).toBe(true);
  expect(judgedRested(...usedUp, batch(71_500, 1, 1), batch(71_500, 1, 0, b))).toBe(false);
});

test("a refusal at the very end of a window shows that it goes on, so the next one is whole", () => {
  const usedUp = [batch(0, 121, 120), batch(59_999, 1, 0)];
  expect(judgedRested(...usedUp, batch(61_999, 121, 120))).toBe(true);
  expect(judgedRested(...usedUp, batch(61_999, 120, 119))).toBe(false);
});

test("requests that spread over a window share its budget", () => {
  expect(judged(batch(0, 60, 60), batch(20_000, 61, 61))).toBe(true);
  expect(judged(batch(0, 60, 60), batch(20_000, 61, 61), batch(20_000, 59, 59))).toBe(true);
  expect(judged(batch(0, 60, 60), batch(20_000, 61, 61), batch(20_000, 59, 0))).toBe(false);
});

test("a refusal while a slot may come free is no sign of the budget, but spends it", () => {
  const refused: Batch = { ...batch(0, 1, 0), slot: "maybe" };
  expect(judged(refused, batch(0, 120, 119))).toBe(true);
  expect(judged(refused, batch(0, 120, 120))).toBe(false);
});

test("a batch of which a real clock does not say on which side of a minute it was may be either", () => {
  const long: Batch = { key: a, at: { from: 59_000, to: 61_500 }, sent: 5, letIn: 5, slot: "free" };
  expect(judged(batch(0, 121, 120), long)).toBe(true);
  expect(judged(batch(0, 121, 120), { ...long, letIn: 0 })).toBe(true);
});

test("eight slots: beside eight held there is none, beside those that end there may be", () => {
  expect([slotFor(8, 0), slotFor(7, 0), slotFor(7, 1), slotFor(0, 8), slotFor(0, 7)]).toEqual([
    "taken",
    "free",
    "maybe",
    "maybe",
    "free",
  ]);
});
