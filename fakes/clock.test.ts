import * as imported from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { createDrivenClock, installDrivenClock, systemClock, type InstalledClock } from "./clock.ts";

test("the system's clock tells the time, calls back once and can be cancelled", async () => {
  const before = Date.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  const cancelled = systemClock.setTimeout(() => expect.unreachable("was cancelled"), 0);
  cancelled();
  await new Promise<void>((resolve) => {
    systemClock.setTimeout(resolve, 1);
  });
});

test("a driven clock stands still until it is advanced", async () => {
  const time = createDrivenClock(100);
  const seen: number[] = [];
  time.clock.setTimeout(() => seen.push(time.clock.now()), 10);
  const cancel = time.clock.setTimeout(() => expect.unreachable("was cancelled"), 5);
  cancel();
  expect(await time.advance(9)).toBe(109);
  expect(seen).toEqual([]);
  expect(await time.advance(1)).toBe(110);
  expect(seen).toEqual([110]);
  expect(time.clock.now()).toBe(110);
});

test("a driven clock runs timers that a timer's promise sets, within the same advance", async () => {
  const time = createDrivenClock(0);
  const seen: string[] = [];
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      time.clock.setTimeout(resolve, ms);
    });
  const work = async () => {
    await wait(10);
    seen.push(`one ${time.clock.now()}`);
    await wait(10);
    seen.push(`two ${time.clock.now()}`);
  };
  const done = work();
  await time.advance(30);
  expect(seen).toEqual(["one 10", "two 20"]);
  await done;
});

test("two advances at once add up", async () => {
  const time = createDrivenClock(0);
  expect(await Promise.all([time.advance(5), time.advance(7)])).toEqual([5, 12]);
});

test("an error in a timer is reported, and the next advance works", async () => {
  const time = createDrivenClock(0);
  time.clock.setTimeout(() => {
    throw new Error("boom");
  }, 1);
  await expect(time.advance(2)).rejects.toThrow("boom");
  expect(await time.advance(1)).toBe(3);
});

describe("an installed driven clock", () => {
  let time: InstalledClock | undefined;
  afterEach(() => time?.uninstall());

  test("lets a short timer fall due in real time as well, once, and does not move for it", async () => {
    time = installDrivenClock();
    const start = Date.now();
    let calls = 0;
    clearTimeout(setTimeout(() => expect.unreachable("was cancelled"), 1));
    setTimeout(() => (calls += 1), 1);
    await new Promise<void>((resolve) => void setTimeout(resolve));
    await delay(2);
    await promisify(setTimeout)(2);
    expect([calls, Date.now()]).toEqual([1, start]);
    setTimeout(() => (calls += 1), 1);
    await time.advance(1);
    await delay(5);
    expect([calls, Date.now()]).toEqual([2, start + 1]);
  });

  test("drives code that takes no clock, and the system's clock with it", async () => {
    const real = { Date, setTimeout, clearTimeout, setImmediate };
    time = installDrivenClock();
    const seen: string[] = [];
    setTimeout(() => seen.push("global"), 60_000);
    clearTimeout(setTimeout(() => expect.unreachable("was cancelled"), 1));
    systemClock.setTimeout(() => seen.push("port"), 60_000);
    imported.setTimeout(() => seen.push("imported"), 60_000);
    void delay(60_000).then(() => seen.push("promise"));
    AbortSignal.timeout(60_000).addEventListener("abort", () => seen.push("signal"));
    const interval = setInterval(() => seen.push("interval"), 60_000);
    const [now, hrtime] = [performance.now(), process.hrtime.bigint()];
    const start = time.clock.now();
    expect(await time.advance(60_000)).toBe(start + 60_000);
    clearInterval(interval);
    expect(seen).toEqual(["global", "port", "imported", "promise", "signal", "interval"]);
    expect(performance.now() - now).toBe(60_000);
    expect(process.hrtime.bigint() - hrtime).toBe(60_000n * 1_000_000n);
    expect([Date.now(), systemClock.now(), time.clock.now()]).toEqual(Array(3).fill(start + 60_000));
    expect(setImmediate).toBe(real.setImmediate);
    time.uninstall();
    expect(Date).toBe(real.Date);
    expect(setTimeout).toBe(real.setTimeout);
    expect(clearTimeout).toBe(real.clearTimeout);
  });
});
