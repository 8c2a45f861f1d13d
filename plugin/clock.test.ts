import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";

afterEach(() => vi.useRealTimers());

test("the system clock is the process's own, also when a host has replaced it since", () => {
  vi.useFakeTimers({ now: 1000 });
  const called = vi.fn<() => void>();
  systemClock.setTimeout(called, 50);
  systemClock.setTimeout(called, 50)();
  vi.advanceTimersByTime(50);
  expect(systemClock.now()).toBe(1050);
  expect(called).toHaveBeenCalledTimes(1);
});
