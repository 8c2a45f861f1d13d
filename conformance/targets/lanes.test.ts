import { expect, test } from "vitest";
import { Addresses, HOME_ADDRESS, lanePool } from "./lanes.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../interface/limits.ts";
import { lanes } from "./standard-routes.ts";

/** A pool whose time passes only when it lets it, and what it leased when. */
function pacedPool() {
  let now = 0;
  const passes: number[] = [];
  const pass = async (ms: number) => {
    passes.push(ms);
    now += ms;
  };
  const pool = lanePool(undefined, pass, () => now);
  const leased: { route: string; at: number; released: number; requests: number }[] = [];
  const lease = async ({ requests }: { requests: number }) => {
    const found = await pool.lease({ requests });
    const record = { route: found.lane.route, at: now, released: Number.POSITIVE_INFINITY, requests };
    leased.push(record);
    const release = () => {
      record.released = now;
      found.release();
    };
    return { ...found, release };
  };
  return { lease, passes, leased, advance: (ms: number) => void (now += ms) };
}

test("addresses are all different loopback addresses, none of which the kit uses for itself", () => {
  const addresses = new Addresses();
  const given = Array.from({ length: 10_000 }, () => addresses.next());
  expect(new Set(given).size).toBe(given.length);
  expect(given.every((address) => /^127(\.\d{1,3}){3}$/.test(address) && !address.startsWith("127.0."))).toBe(true);
  expect(given.some((address) => /\.(0|25[5-9]|2[6-9]\d)$/.test(address))).toBe(false);
});

test("where the target tells addresses apart, each lease has an address of its own, and waits for a lane of its own alone", async () => {
  const pool = lanePool(
    new Addresses(),
    () => Promise.reject(new Error("it waited")),
    () => 0,
  );
  const leases = await Promise.all(Array.from({ length: 40 }, () => pool.lease({ requests: REQUESTS_PER_WINDOW })));
  expect(new Set(leases.map(({ from }) => from)).size).toBe(40);
  const shared = new Set(leases.map(({ lane }) => lane.route));
  const flooding = await pool.lease({ requests: REQUESTS_PER_WINDOW, meetsLimits: true });
  expect(shared).not.toContain(flooding.lane.route);
  shared.add(flooding.lane.route);
  const own = await Promise.all(
    lanes.slice(shared.size).map(() => pool.lease({ requests: REQUESTS_PER_WINDOW, ownLane: true })),
  );
  expect(new Set([...shared, ...own.map(({ lane }) => lane.route)]).size).toBe(lanes.length);
  const waiting = pool.lease({ requests: 1, ownLane: true });
  const early = await Promise.race([waiting, new Promise((wake) => setImmediate(() => wake("none yet")))]);
  expect(early).toBe("none yet");
  own[2]?.release();
  expect((await waiting).lane).toBe(own[2]?.lane);
});

test("each lease has a lane of its own, from the home address; the next waits for one to be given back", async () => {
  const { lease, passes } = pacedPool();
  const leases = await Promise.all(lanes.map(() => lease({ requests: 1 })));
  const routes = leases.flatMap(({ lane }) => [lane.route, lane.sibling, lane.stranger]);
  expect(new Set(routes).size).toBe(3 * lanes.length);
  expect(leases.every(({ from }) => from === HOME_ADDRESS)).toBe(true);
  const waiting = lease({ requests: 1 });
  const early = await Promise.race([waiting, new Promise((wake) => setImmediate(() => wake("none yet")))]);
  expect(early).toBe("none yet");
  leases[4]?.release();
  expect((await waiting).lane).toBe(leases[4]?.lane);
  expect(passes).toEqual([]);
});

test("time is let pass only when every idle lane is used up, and no longer than needed", async () => {
  const { lease, passes, advance } = pacedPool();
  for (let index = 0; index < lanes.length; index += 1) (await lease({ requests: REQUESTS_PER_WINDOW })).release();
  expect(passes).toEqual([]);
  advance(50_000);
  (await lease({ requests: 1 })).release();
  expect(passes).toEqual([WINDOW_MS - 50_000 + 1]);
});

test("a lane that got no time to rest is given back", async () => {
  let refusing = true;
  const pass = async () => {
    if (refusing) throw new Error("time stands still");
  };
  const pool = lanePool(undefined, pass, () => (refusing ? 0 : WINDOW_MS + 1));
  for (let index = 0; index < lanes.length; index += 1) (await pool.lease({ requests: REQUESTS_PER_WINDOW })).release();
  for (let index = 0; index < lanes.length; index += 1)
    await expect(pool.lease({ requests: 1 })).rejects.toThrow("stands still");
  refusing = false;
  expect((await pool.lease({ requests: 1 })).from).toBe(HOME_ADDRESS);
});

test("a lane is never used beyond the limit in a window, wherever the target's windows begin", async () => {
  const { lease, leased, advance } = pacedPool();
  let seed = 20_240_917;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const held: { release(): void }[] = [];
  for (let index = 0; index < 3000; index += 1) {
    if (held.length === lanes.length || next(3) === 0) held.splice(next(held.length || 1), 1)[0]?.release();
    if (held.length < lanes.length) held.push(await lease({ requests: 1 + next(140) }));
    if (next(5) === 0) advance(next(20_000));
  }
  for (const lane of lanes) {
    const ofLane = leased.filter(({ route }) => route === lane.route);
    expect(ofLane.length).toBeGreaterThan(50);
    for (const { released } of ofLane) {
      // A case may send what it leased at any time until it gives the lane back.
      const inWindow = ofLane.filter((other) => other.released >= released && other.at < released + WINDOW_MS);
      const requests = inWindow.reduce((sum, other) => sum + Math.min(other.requests, REQUESTS_PER_WINDOW), 0);
      expect(requests).toBeLessThanOrEqual(REQUESTS_PER_WINDOW);
    }
  }
});
