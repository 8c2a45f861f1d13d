import { expect, test } from "vitest";
import { merged, shardOf, shareOf, type ShardResult } from "./prove-shards.ts";

const part = (number: number, of: number, more: Partial<ShardResult> = {}): ShardResult => {
  const counts = { jobs: 1, pairs: 10, seconds: 1 };
  return { version: 1, mode: "needed", shard: { number, of }, sources: "s", ...counts, complaints: [], ...more };
};

test("the shards together have every job once", () => {
  const jobs = Array.from({ length: 10 }, (_, index) => index);
  const shares = [1, 2, 3].map((number) => shareOf(jobs, { number, of: 3 }));
  expect(shares.flat().toSorted((a, b) => a - b)).toEqual(jobs);
});

test.each([
  ["1/4", { number: 1, of: 4 }],
  ["4/4", { number: 4, of: 4 }],
  ["0/4", undefined],
  ["5/4", undefined],
  ["1", undefined],
  ["a/b", undefined],
])("%s is read as a shard or refused", (text, expected) => {
  expect(shardOf(text)).toEqual(expected);
});

test("what one shard complains of stands in the whole", () => {
  const complaint = { title: "false alarms", line: "different-a: fail B" } as const;
  expect(merged([part(1, 2), part(2, 2, { complaints: [complaint] })])).toEqual({
    complaints: [complaint],
    jobs: 2,
    pairs: 20,
  });
});

test.each([
  ["none is named", [], /no file/],
  ["one is missing", [part(1, 2)], /shard 2 of 2 is missing/],
  ["one is there twice", [part(1, 2), part(2, 2), part(2, 2)], /twice/],
  ["one is of other sources", [part(1, 2), part(2, 2, { sources: "t" })], /different proofs/],
  ["one is of another mode", [part(1, 2), part(2, 2, { mode: "all" })], /different proofs/],
  ["one is of another number of shards", [part(1, 2), part(2, 3)], /different proofs/],
])("shards prove nothing together when %s", (_what, parts, sentence) => {
  expect(() => merged(parts)).toThrow(sentence);
});
