import { expect, test } from "vitest";
import { REFUSED_BYTES } from "../../../fixtures/broken-requests.ts";
import type { Request } from "../../../fixtures/request.ts";
import type { Exchange } from "../../http/exchange.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import type { Executor } from "./executor.ts";
import { LimitsPlayer } from "./limits-player.ts";
import { playSteps } from "./step-player.ts";
import type { Step } from "../../story/story.ts";
import { newWorld } from "../oracle/world.ts";

const routeOf = (id: string) => ({ id, path: `/${id}`, sessionKey: id, secret: id, variable: "" });
const routes = { route: routeOf("route"), sibling: routeOf("sibling"), stranger: routeOf("stranger") };

type Frees = "answered" | "closed" | "never";

const keyOf = ({ path }: Request, client: number) => `${path} ${client}`;

const exchange = (request: Request, status: number): Exchange => {
  const body = { ok: status === 200, routeId: request.path.slice(1), result: {} };
  const headers = new Map([["content-type", ["application/json"]]]);
  const answer = { status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
  return { request, from: "127.1.0.1", answer };
};

/** A target on a real clock, for one window: each request takes `ms`; a right one with eight `slots`. A body too large `frees` its one then. */
function slowTarget(
  ms: number,
  { slots = IN_FLIGHT, frees = "answered" }: { slots?: number; frees?: Frees } = {},
): Executor {
  let now = 0;
  const counts = new Map<string, number>();
  const held = new Map<string, Set<number>>();
  const inFlight = (key: string) => {
    const all = held.get(key) ?? new Set();
    held.set(key, new Set([...all].filter((since) => now - since < 15_000)));
    return held.get(key) as Set<number>;
  };
  const isRefused = (key: string): boolean => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return (counts.get(key) ?? 0) > REQUESTS_PER_WINDOW || inFlight(key).size >= slots;
  };
  return {
    routes,
    product: "service",
    canaries: [],
    driven: false,
    now: () => now,
    pass: async (passed) => void (now += passed),
    barrier: async () => {},
    async send(request, client) {
      now += ms;
      return exchange(request, isRefused(keyOf(request, client)) ? 429 : 200);
    },
    async hold(request, client) {
      now += ms;
      const key = keyOf(request, client);
      const refused = isRefused(key);
      const since = now;
      if (!refused) inFlight(key).add(since);
      const isOver = () => !inFlight(key).has(since);
      const isTooLarge = request.body.byteLength >= REFUSED_BYTES;
      return {
        async finish() {
          now += ms;
          const status = refused ? 429 : isOver() ? 408 : isTooLarge ? 413 : 200;
          if (status !== 413 || frees === "answered") inFlight(key).delete(since);
          return exchange(request, status);
        },
        abort: () => void (frees === "never" || inFlight(key).delete(since)),
        get answered() {
          return refused || isOver();
        },
      };
    },
  };
}

const playerOn = (executor: Executor) => {
  const world = newWorld({
    profile: { name: "spec", fields: {} as never, gaps: {} },
    owners: new Map(),
    sessions: { home: "a", foreign: "b" },
    clauses: undefined,
  });
  return new LimitsPlayer({ world, executor, hasty: true });
};

const play = (executor: Executor, ...steps: Step[]) => playSteps(steps, playerOn(executor));

const eightHeld: Step = { do: "hold", route: "route", client: 0, count: IN_FLIGHT };
/** Fourteen seconds go by with the eight held. */
const others: Step = { do: "send", route: "route", client: 1, times: 80 };
const ninth: Step = { do: "send", route: "route", client: 0, times: 9 };

test("bodies whose time is over in the middle of a step are no more in flight, and their refusal is no departure", async () => {
  expect(await play(slowTarget(150), eightHeld, others, ninth)).toBeUndefined();
  const finish: Step = { do: "release", route: "route", client: 0, count: IN_FLIGHT, how: "finish" };
  expect(await play(slowTarget(150), eightHeld, others, finish)).toBeUndefined();
});

test("a slot too many is a departure as long as the eight bodies may still come", async () => {
  const broken = await play(slowTarget(150, { slots: IN_FLIGHT + 1 }), eightHeld, { ...others, times: 60 }, ninth);
  expect(broken?.departure).toMatchObject({ clause: "IN-FLIGHT-8", actual: "a request let in" });
});

test("a slot that a body too large keeps when its connection is closed is missed, also where the profile does not say when it comes free", async () => {
  const large: Step = { do: "send", route: "route", client: 0, padTo: REFUSED_BYTES };
  expect((await play(slowTarget(1, { frees: "never" }), large, eightHeld, ninth))?.departure.clause).toBe(
    "IN-FLIGHT-8",
  );
  expect(await play(slowTarget(1, { frees: "closed" }), large, eightHeld, ninth)).toBeUndefined();
});

test("steps of other properties' stories are left out and counted", async () => {
  const player = playerOn(slowTarget(1));
  await playSteps([{ do: "settle", flow: "f1", task: 0, status: "succeeded" }, ninth], player);
  expect(player.skipped).toBe(1);
});
