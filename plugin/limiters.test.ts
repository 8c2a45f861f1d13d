import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { clientKey } from "./client-key.ts";
import { readRoutes } from "./config.ts";
import { createInFlightLimiter } from "./in-flight-limiter.ts";
import { limits as standard } from "./limits.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { DrivenClock } from "./stub.test-support.ts";

const seed = 20;
const limits = { ...standard, requestsPerWindow: 3, windowMs: 100, inFlight: 2, trackedKeys: 4 };

test("no key passes more often than allowed within one window's length from its opening", () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), wait: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.array(step, { size: "max", maxLength: 200 }), (steps) => {
      const clock = new DrivenClock();
      const limiter = createRateLimiter(limits, clock);
      const windows = new Map<string, { start: number; passed: number }>();
      for (const { key, wait } of steps) {
        clock.advance(wait);
        let window = windows.get(key);
        if (!window || clock.now() >= window.start + limits.windowMs) window = { start: clock.now(), passed: 0 };
        windows.set(key, window);
        const left = limiter.take(key);
        if (window.passed < limits.requestsPerWindow) expect(left).toBe(0);
        else expect(left).toBe(window.start + limits.windowMs - clock.now());
        if (left === 0) window.passed++;
      }
    }),
    { seed },
  );
});

test("at the cap expired keys go before live ones, and of those the oldest", () => {
  const clock = new DrivenClock();
  const limiter = createRateLimiter({ ...limits, requestsPerWindow: 1 }, clock);
  limiter.take("expired");
  clock.advance(60);
  for (const key of ["old", "b", "c"]) limiter.take(key);
  clock.advance(50);
  limiter.take("d");
  expect(limiter.take("old")).toBeGreaterThan(0);
  limiter.take("e");
  expect(limiter.trackedKeys).toBe(limits.trackedKeys);
  expect(["b", "c", "d", "e"].map((key) => limiter.take(key) > 0)).toEqual([true, true, true, true]);
  expect(limiter.take("old")).toBe(0);
});

test("a clock set back does not lengthen a window", () => {
  const clock = new DrivenClock();
  const limiter = createRateLimiter({ ...limits, requestsPerWindow: 1 }, clock);
  limiter.take("a");
  clock.advance(-1000);
  expect([limiter.take("a"), limiter.take("a")]).toEqual([0, limits.windowMs]);
});

test("slots never leak and are never freed twice, in whatever order requests come and go", () => {
  const step = fc.oneof(
    fc.record({ take: fc.constantFrom("a", "b", "c", "d", "e", "f") }),
    fc.record({ free: fc.nat({ max: 20 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { size: "max", maxLength: 200 }), (steps) => {
      const limiter = createInFlightLimiter(limits);
      const held: { key: string; free: () => void; freed: boolean }[] = [];
      const active = (): string[] => held.filter(({ freed }) => !freed).map(({ key }) => key);
      for (const next of steps) {
        if ("take" in next) {
          const keys = active();
          const fits = keys.includes(next.take) || new Set(keys).size < limits.trackedKeys;
          const allowed = fits && keys.filter((key) => key === next.take).length < limits.inFlight;
          const free = limiter.take(next.take);
          expect(free !== undefined).toBe(allowed);
          if (free) held.push({ key: next.take, free, freed: false });
        } else {
          const slot = held[next.free];
          slot?.free();
          if (slot) slot.freed = true;
        }
        expect(limiter.trackedKeys).toBe(new Set(active()).size);
      }
      for (const { free } of held) free();
      expect(limiter.trackedKeys).toBe(0);
    }),
    { seed },
  );
});

test.each([
  ["::ffff:10.0.0.1", "/a 10.0.0.1"],
  ["10.0.0.1", "/a 10.0.0.1"],
  ["2001:db8::1", "/a 2001:db8::1"],
  ["::ffff:a00:1", "/a ::ffff:a00:1"],
  [undefined, "/a unknown"],
])("the key of a client at %s is %s: canonical path and address, IPv4 in one form", (remoteAddress, key) => {
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request.socket, "remoteAddress", { value: remoteAddress });
  const [route] = readRoutes({ routes: { a: { path: "/A/", sessionKey: "s", secret: "x" } } });
  expect(route && clientKey(route, request)).toBe(key);
});
