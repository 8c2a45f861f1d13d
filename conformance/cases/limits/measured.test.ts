/** The window is measured on simulated targets, whenever their windows begin, on either clock. */
import type { Request } from "../../interface/request.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import type { Answer, Exchange } from "../../http/exchange.ts";
import type { Measure } from "../../harness/outcome.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { Trial } from "../../harness/trial.ts";
import { isNight } from "../../test-support/night.test-support.ts";
import { rateLimitCases, rateWindowCases } from "./rate-limit.ts";
import { expect, test } from "vitest";

const answerOf = (status: number, envelope: object): Answer => ({
  status,
  headers: new Map([["content-type", ["application/json"]]]),
  body: Buffer.from(JSON.stringify(envelope)),
});
const accepted = answerOf(200, { ok: true, routeId: "a", result: {} });
const refused = answerOf(429, { ok: false, routeId: "a", code: "rate_limited", error: "Later.", result: {} });

/** A limiter: when a window that a request opens at `now` began, and how it goes on. */
interface Limiter {
  readonly begins?: (now: number) => number;
  /** Length of a key's n-th window, ms. */
  readonly lengthMs?: (turn: number) => number;
  readonly budget?: (turn: number) => number;
  /** Silence that ends a window, ms. */
  readonly idleMs?: number;
  readonly clock?: (now: number) => number;
  /** The requests of a window that are refused as the slot of an earlier one is not free yet, by their number. */
  readonly isFull?: (count: number) => boolean;
  /** How long a key's first request waits for the target, ms. */
  readonly waitMs?: number;
  /** The Retry-After of a refusal so long before the window's end. */
  readonly retryAfter?: (leftMs: number) => string;
  /** Each accepted request opens the window anew. */
  readonly restarts?: true;
}

/** What the case uses of a trial. Each request takes `requestMs`. */
class SimulatedTrial {
  readonly from = "127.0.0.1";
  readonly route = { path: "/a", secret: "s" } as ConfiguredRoute;
  readonly toldApart = true;
  readonly profile = { gaps: { "rate.retry-after": true } };
  readonly bound = () => true;
  readonly facts = { cheapBody: { action: "list_flows" } };
  readonly last: Exchange[] = [];
  readonly server = {};
  readonly record = { measures: [] as Measure[], exchanges: [] };
  readonly driven: boolean;
  readonly #keys = new Map<string, { start: number; turn: number; count: number; asked: number }>();
  readonly #limiter: Limiter;
  readonly #requestMs: number;
  #now: number;
  #addresses = 0;
  requests = 0;

  constructor(limiter: Limiter, driven: boolean, offsetMs: number, requestMs = driven ? 0 : 2) {
    this.#limiter = limiter;
    this.driven = driven;
    this.#now = offsetMs;
    this.#requestMs = requestMs;
  }

  freshAddress(): string {
    return `127.0.1.${(this.#addresses += 1)}`;
  }

  now(): number {
    return this.#now;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
  }

  async barrier(): Promise<void> {}

  async upload(request: Request, { from }: { from: string }) {
    return { request, from, release() {} };
  }

  async finish({ request, from }: { request: Request; from: string }): Promise<Exchange> {
    return this.send(request, from);
  }

  async send(request: Request, from: string): Promise<Exchange> {
    this.#now += this.#requestMs;
    this.requests += 1;
    const { begins = (now) => now, lengthMs = () => WINDOW_MS, budget = () => REQUESTS_PER_WINDOW } = this.#limiter;
    const { idleMs = Number.POSITIVE_INFINITY, clock = (now) => now } = this.#limiter;
    const known = this.#keys.get(from);
    if (known === undefined) this.#now += this.#limiter.waitMs ?? 0;
    const now = clock(this.#now);
    const isOver = known && (now >= known.start + lengthMs(known.turn) || now - known.asked >= idleMs);
    const key = known && !isOver ? known : { start: begins(now), turn: (known?.turn ?? 0) + 1, count: 0, asked: now };
    key.asked = now;
    key.count += 1;
    this.#keys.set(from, key);
    this.#now += this.#requestMs;
    const isAccepted = key.count <= budget(key.turn) && this.#limiter.isFull?.(key.count) !== true;
    if (isAccepted && this.#limiter.restarts === true) key.start = now;
    const { retryAfter } = this.#limiter;
    const told = retryAfter?.(key.start + lengthMs(key.turn) - now);
    const headers = told === undefined ? refused.headers : new Map([...refused.headers, ["retry-after", [told]]]);
    return { request, from, answer: isAccepted ? accepted : { ...refused, headers } };
  }
}

/** What the case says; undefined where it passes. */
async function judged(limiter: Limiter, driven: boolean, offsetMs: number, requestMs?: number, id?: string) {
  const trial = new SimulatedTrial(limiter, driven, offsetMs, requestMs);
  const all = [...rateWindowCases, ...rateLimitCases];
  const [window] = all.filter((item) => id === undefined || item.id === id);
  return window?.run(trial as unknown as Trial).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

const byClock = (lengthMs: number): Limiter => ({
  begins: (now) => Math.floor(now / lengthMs) * lengthMs,
  lengthMs: () => lengthMs,
});
const lawful: Record<string, Limiter> = {
  "opened by the first request": {},
  "aligned to the clock": byClock(WINDOW_MS),
  "in whole seconds": { begins: (now) => Math.floor(now / 1000) * 1000 },
};
/** By day one of so many of what a test tries at night. */
const nightly = <T>(all: readonly T[], every: number): readonly T[] =>
  isNight ? all : all.filter((_, index) => index % every === 0);
/** When in the minute a case begins. */
const offsets = (length: number, every = 17) =>
  nightly(
    Array.from({ length }, (_, index) => Math.floor((index * 60_000) / length) + ((index * 37) % 1000)),
    every,
  );
const clocks = { driven: true, real: false };

test.each(Object.keys(clocks))("lawful windows pass on a %s clock whenever they begin", async (clock) => {
  const found: string[] = [];
  for (const [name, limiter] of Object.entries(lawful)) {
    // Where in its second a window begins decides which keys began with it.
    for (const offset of offsets(50)) {
      const finding = await judged(limiter, clocks[clock as "real"], offset);
      if (finding !== undefined) found.push(`${name} at ${offset}: ${finding}`);
    }
  }
  expect(found).toEqual([]);
});

test.each([5, 8, 40])("requests that take %i ms each blame no lawful window in real time", async (requestMs) => {
  const found = new Set<string | undefined>();
  for (const limiter of Object.values(lawful))
    for (const offset of offsets(10)) found.add(await judged(limiter, false, offset, requestMs));
  expect([...found].filter((finding) => finding?.includes("too busy") === false)).toEqual([]);
});

test("a clock that is read 10 ms late is lawful in real time", async () => {
  for (const offset of offsets(50)) {
    const late: Limiter = { clock: (now) => Math.floor(now / 10) * 10 };
    expect(await judged(late, false, offset)).toBeUndefined();
  }
});

const someFull: Limiter = { isFull: (count) => count > 60 && count % 10 === 0 };

test.each(Object.keys(clocks))(
  "slots that come free late are no window with too small a budget on a %s clock",
  async (clock) => {
    for (const offset of offsets(5))
      expect(await judged(someFull, clock === "driven", offset)).toContain("slots come free late");
  },
);

test("a window that opens late, as its first request waits on a busy machine, ends late", async () => {
  expect(await judged({ waitMs: 900 }, false, 0, 2, "RATE-121-REFUSED")).toBeUndefined();
  expect(await judged({ lengthMs: () => 62_000 }, false, 0, 2, "RATE-121-REFUSED")).toContain(
    "when the window is over",
  );
});

const lengths = [30_000, 51_000, 54_000, 59_000, 59_500, 60_600, 61_000, 66_000, 90_000, 120_000];
const wrong: Record<string, Limiter> = {
  ...Object.fromEntries(lengths.map((ms) => [`${ms} ms`, { lengthMs: () => ms }])),
  ...Object.fromEntries(lengths.map((ms) => [`${ms} ms by the clock`, byClock(ms)])),
  "ended by silence": { idleMs: 5000 },
  "opened anew by each accepted request": { restarts: true },
  "240 in each second window": { budget: (turn) => (turn % 2 === 0 ? 240 : 120) },
};

test.each(Object.keys(clocks))("wrong windows fail on a %s clock at several offsets", async (clock) => {
  const missed: string[] = [];
  for (const [name, limiter] of nightly(Object.entries(wrong), 2)) {
    for (const offset of offsets(5)) {
      // Fast requests: then the windows of two callers that use up their budgets one after the other end almost together.
      const requestMs = limiter.restarts === true && clock === "real" ? 0.1 : undefined;
      const finding = await judged(limiter, clocks[clock as "real"], offset, requestMs);
      if (
        finding?.includes("Error: expected window: 60 s") !== true &&
        finding?.includes("requests in a window: 120") !== true
      )
        missed.push(`${name} at ${offset}: ${finding}`);
    }
  }
  expect(missed).toEqual([]);
});

/** Each Retry-After, and why it is wrong. */
const retryAfters: readonly (readonly [(leftMs: number) => string, string | undefined])[] = [
  [(left) => `${Math.ceil(left / 1000)}`, undefined],
  [() => "1", "a wait that does not help"],
  [(left) => `${Math.floor(left / 1000)}`, "a wait that does not help"],
  [(left) => `${Math.ceil(left / 1000) + 1}`, "a wait of which less would do"],
  [() => "60", "a wait of which less would do"],
  [(left) => `${Math.ceil(left)}`, "a wait of which less would do"],
  [(left) => (left / 1000).toFixed(1), "no whole seconds"],
];

test.each(Object.keys(clocks))("Retry-After is right to the second on a %s clock", async (clock) => {
  for (const [name, limiter] of nightly(Object.entries(lawful), 3))
    for (const offset of offsets(2))
      for (const [retryAfter, why] of retryAfters) {
        const told = await judged(
          { ...limiter, retryAfter },
          clocks[clock as "real"],
          offset,
          undefined,
          "GAP-RETRY-AFTER",
        );
        if (why === undefined) expect(`${name}: ${told}`).toBe(`${name}: undefined`);
        else expect(told).toMatch(new RegExp(`\\(rate\\.retry-after\\): true; got ${why}$`));
      }
});

const date = (inSeconds: number) => new Date(Date.now() + 1000 * inSeconds).toUTCString();

test.each([
  ["60", false, "undefined"],
  ["61", true, "undefined"],
  ["62", true, "a longer wait"],
  ["59900", false, "a longer wait"],
  ["1764310000", true, "a longer wait"],
  ["-1", true, "neither seconds nor a date"],
  ["soon", true, "neither seconds nor a date"],
  [date(40), false, "undefined"],
  [date(7200), false, "a longer wait"],
  [date(7200), true, "Retry-After is a date, which cannot be checked with a driven clock"],
])("of Retry-After %s (driven: %s) is said: %s", async (told, driven, said) => {
  expect(`${await judged({ retryAfter: () => told }, driven, 0, 0, "RATE-RETRY-AFTER")}`).toContain(said);
});

test("a refusal without Retry-After is not judged for it", async () => {
  expect(await judged({}, true, 0, 0, "RATE-RETRY-AFTER")).toContain("the refusal has no Retry-After");
});
