/** Each signal that ends a command ends it early, with the exit code that shells know. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { interruptible } from "./interrupt.ts";

// The process of the tests goes on after an interrupt.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGQUIT", 131],
  ["SIGTERM", 143],
] as const)("%s breaks the work off, keeps its outcome and is listened to no longer", async (name, interrupted) => {
  const before = process.listenerCount(name);
  const work = async ({ signal }: { signal: AbortSignal }) => {
    process.emit(name, name);
    // Only the first one counts.
    process.emit("SIGINT", "SIGINT");
    return signal.aborted;
  };
  expect(await interruptible(work)).toEqual({ outcome: true, interrupted });
  expect(process.listenerCount(name)).toBe(before);
});
