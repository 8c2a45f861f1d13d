import { expect, test } from "vitest";
import { departure } from "../../harness/finding.ts";
import type { Broken } from "../told.ts";
import { untilBroken } from "./replay.ts";

const broken: Broken = {
  story: [],
  answers: [],
  exchange: undefined,
  departure: departure("REVISION-STALE", "a", "b"),
};

test.each([1, 6, 16])("what never breaks is played %i times, no more", async (tries) => {
  let plays = 0;
  expect(await untilBroken(tries, async () => void (plays += 1))).toBeUndefined();
  expect(plays).toBe(tries);
});

test("what breaks at last is given, and not played again", async () => {
  let plays = 0;
  expect(await untilBroken(16, async () => (++plays === 3 ? broken : undefined))).toBe(broken);
  expect(plays).toBe(3);
});

test("a story is played by itself first, then beside copies of itself", async () => {
  let [now, most, plays] = [0, 0, 0];
  const play = async () => {
    plays += 1;
    most = Math.max(most, ++now);
    if (plays <= 4) expect(now).toBe(1);
    await Promise.resolve();
    now -= 1;
    return undefined;
  };
  await untilBroken(8, play);
  expect(most).toBe(4);
});
