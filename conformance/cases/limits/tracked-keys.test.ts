/** Tracked keys are counted on simulated targets of any speed, however they forget or refuse what they have no room for. */
import type { Answer, Exchange } from "../../http/exchange.ts";
import { OutOfTime } from "../../http/harness-error.ts";
import type { Measure } from "../../harness/outcome.ts";
import type { Trial } from "../../harness/trial.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW, TRACKED_KEYS, WINDOW_MS } from "../../interface/limits.ts";
import type { Request } from "../../interface/request.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { isNight } from "../../test-support/night.test-support.ts";
import { trackedKeysCases } from "./tracked-keys.ts";
import { expect, test } from "vitest";

const answerOf = (status: number): Answer => ({
  status,
  headers: new Map([["content-type", ["application/json"]]]),
  body: Buffer.from(
    JSON.stringify({ ok: status < 400, routeId: "a", result: {}, ...(status >= 400 && { code: "no", error: "No." }) }),
  ),
});

interface Target {
  /** Keys that the rate limit has room for, and what it does beyond. */
  readonly keys?: number;
  readonly beyond?: "forgets" | "refuses" | "lets in";
  /** Windows that are over take room for good. */
  readonly keepsAll?: true;
  /** The same of the table of requests in flight, which keeps keys that have none. */
  readonly slotKeys?: number;
  /** Windows of all keys begin together, so long before the case, ms. */
  readonly alignedMs?: number;
  /** Keys that others have opened just before. */
  readonly taken?: number;
  readonly perSecond: number;
  readonly driven?: boolean;
}

/** What the case uses of a trial. */
class SimulatedTrial {
  readonly route = { path: "/a", secret: "right" } as ConfiguredRoute;
  readonly sibling = { path: "/b", secret: "right" } as ConfiguredRoute;
  readonly from = "127.0.0.1";
  readonly toldApart = true;
  readonly profile = { gaps: {} };
  readonly last: Exchange[] = [];
  readonly record = { measures: [] as Measure[], exchanges: [] };
  readonly server = { target: { requestTimeoutMs: 1000 } };
  readonly driven: boolean;
  readonly facts: object;
  readonly #target: Target;
  readonly #requestMs: number;
  readonly #windows = new Map<string, { start: number; count: number }>();
  readonly #slots = new Map<string, number>();
  #now = 0;
  #addresses = 0;

  constructor(target: Target) {
    this.#target = target;
    this.driven = target.driven === true;
    this.#requestMs = 1000 / target.perSecond;
    this.facts = { cheapBody: { action: "list_flows" }, requestMs: this.#requestMs, stalls: false };
    for (let index = 0; index < (target.taken ?? 0); index += 1)
      this.#windows.set(`taken ${index}`, { start: 0, count: 1 });
  }

  now = () => this.#now;
  freshAddress = () => `127.1.0.${(this.#addresses += 1)}`;
  routeOf = (id: string) => ({ path: `/${id}`, secret: "right" });
  right = () => ({ method: "POST", path: "/a", headers: [["authorization", "Bearer right"]], body: Buffer.from("{}") });
  barrier = async () => {};

  async pass(ms: number): Promise<void> {
    this.#now += ms;
  }

  async until(isOver: () => Promise<boolean>, withinMs: number): Promise<void> {
    for (const end = this.#now + withinMs; !(await isOver()) && this.#now < end;) this.#now += 100;
  }

  /** The limit that refuses the request, if any. */
  #counts(key: string): boolean {
    const { keys = TRACKED_KEYS, beyond = "forgets", alignedMs, keepsAll } = this.#target;
    if (!this.driven) this.#now += this.#requestMs;
    const isOver = ({ start }: { start: number }) => this.#now >= start + WINDOW_MS;
    let window = this.#windows.get(key);
    if (window === undefined || isOver(window)) {
      this.#windows.delete(key);
      if (this.#windows.size >= keys)
        for (const [other, one] of this.#windows) {
          if (keepsAll || !isOver(one)) break;
          this.#windows.delete(other);
        }
      if (this.#windows.size >= keys && beyond !== "forgets") return beyond === "lets in";
      for (const oldest of this.#windows.keys())
        if (this.#windows.size < keys) break;
        else this.#windows.delete(oldest);
      const before = alignedMs === undefined ? 0 : (this.#now + alignedMs) % WINDOW_MS;
      this.#windows.set(key, (window = { start: this.#now - before, count: 0 }));
    }
    window.count += 1;
    return window.count <= REQUESTS_PER_WINDOW;
  }

  #takes(key: string): boolean {
    const { slotKeys = Number.POSITIVE_INFINITY } = this.#target;
    const [oldest = key] = this.#slots.keys();
    if (this.#slots.size >= slotKeys && !this.#slots.has(key)) this.#slots.delete(oldest);
    const taken = this.#slots.get(key) ?? 0;
    this.#slots.set(key, taken);
    if (taken >= IN_FLIGHT) return false;
    this.#slots.set(key, taken + 1);
    return true;
  }

  #frees(key: string): void {
    if (this.#slots.has(key)) this.#slots.set(key, Math.max(0, (this.#slots.get(key) ?? 0) - 1));
  }

  async send(request: Request, from: string): Promise<Exchange> {
    const key = `${request.path} ${from}`;
    const isLetIn = this.#counts(key) && this.#takes(key);
    if (isLetIn) this.#frees(key);
    const isRight = request.headers.some(([name, value]) => name === "authorization" && value === "Bearer right");
    const exchange = { request, from, answer: answerOf(!isLetIn ? 429 : isRight ? 200 : 401) };
    this.last.splice(0, 1, exchange);
    return exchange;
  }

  async upload(request: Request, { from }: { from: string }) {
    const key = `${request.path} ${from}`;
    const isHeld = this.#counts(key) && this.#takes(key);
    return { request, key, answered: !isHeld, write: async () => {} };
  }

  async finish({ request, key, answered }: Awaited<ReturnType<SimulatedTrial["upload"]>>): Promise<Exchange> {
    if (!answered) this.#frees(key);
    return { request, from: this.from, answer: answerOf(answered ? 429 : 200) };
  }

  wire = (request: Request) => Buffer.from(JSON.stringify([request.path, request.headers]));

  /** Answers what was written in one piece. */
  connection(_count: number, from: string) {
    const statuses: number[] = [];
    let wire = Promise.resolve();
    const write = (bytes: Buffer) => {
      const requests = JSON.parse(`[${bytes.toString().replaceAll("]][", "]],[")}]`) as [string, Request["headers"]][];
      wire = (async () => {
        for (const [path, headers] of requests)
          statuses.push((await this.send({ path, headers } as Request, from)).answer?.status ?? 0);
      })();
    };
    return { statuses, write, closedWithin: () => wire, abort: () => {} };
  }
}

/** What the case says and measures; nothing said where it passes. */
async function judged(target: Target): Promise<{ said: string; late: boolean; measures: readonly string[] }> {
  const trial = new SimulatedTrial(target);
  const error: unknown = await trackedKeysCases[0]?.run(trial as unknown as Trial).catch((thrown: unknown) => thrown);
  const measures = trial.record.measures.map(({ measured, note = "" }) => `${measured} ${note}`.trim());
  return { said: error instanceof Error ? `${error}` : "", late: error instanceof OutOfTime, measures };
}

/** When the windows of all keys begin together: at night more often. */
const offsets = [undefined, ...Array.from({ length: isNight ? 8 : 1 }, (_, index) => 7500 * index)];
const lawful = offsets.flatMap((alignedMs) =>
  (["forgets", "refuses"] as const).map((beyond) => ({ beyond, ...(alignedMs !== undefined && { alignedMs }) })),
);

test("at 200 requests a second a right limiter passes, whenever its windows end", async () => {
  for (const target of lawful)
    expect(await judged({ ...target, perSecond: 200 })).toMatchObject({
      said: "",
      measures: [expect.stringMatching(/^at least 4032 with requests in flight beside (19|20)\d\d of them at a time$/)],
    });
  expect(await judged({ perSecond: 1000 })).toMatchObject({ said: "", measures: ["at least 4032"] });
});

test.each(isNight ? [40, 75, 110, 145] : [75])(
  "at %i requests a second a right limiter is not blamed",
  async (perSecond) => {
    const found = await Promise.all(lawful.map((target) => judged({ ...target, perSecond })));
    expect(found.filter(({ said, late }) => said !== "" && !late)).toEqual([]);
  },
);

test("a driven clock needs no speed, whenever windows end", async () => {
  for (const target of lawful)
    expect(await judged({ ...target, perSecond: 10, driven: true })).toMatchObject({ said: "", late: false });
});

test.each(["refuses", "lets in"] as const)(
  "one that keeps windows that are over, and %s new keys, fails",
  async (beyond) => {
    const { said } = await judged({ beyond, keepsAll: true, perSecond: 1000, driven: true });
    expect(said).toContain("120 requests of a new key accepted when the windows of those before are over, no more");
  },
);

test("a limiter with room for 409 keys that forgets the oldest fails with their number, also with slow answers", async () => {
  const said = "Error: expected tracked keys: up to 4096; got 409";
  for (const perSecond of isNight ? [200, 1000] : [200])
    expect(await judged({ keys: 409, perSecond })).toMatchObject({ said });
  expect(await judged({ keys: 409, perSecond: 30, driven: true })).toMatchObject({ said, measures: ["409"] });
  // Two floods find the same, the second one as long as the window lasts.
  for (const perSecond of isNight ? [90, 110] : [90])
    expect(await judged({ keys: 409, perSecond })).toMatchObject({ said });
});

test("so does one that refuses new keys, but not one whose room others had taken", async () => {
  for (const perSecond of isNight ? [90, 200, 1000] : [1000])
    expect((await judged({ keys: 409, beyond: "refuses", perSecond })).said).toMatch(
      /expected tracked keys: up to 4096; got 4\d\d to 4\d\d, beyond them 429 ok:false no/,
    );
  for (const perSecond of isNight ? [200, 1000] : [1000])
    expect(await judged({ beyond: "refuses", taken: 900, perSecond })).toMatchObject({ said: "" });
});

test.each([409, 3500])(
  "a table of requests in flight that drops the oldest of %i keys fails at any speed",
  async (slotKeys) => {
    for (const perSecond of [200, 1000]) expect((await judged({ slotKeys, perSecond })).said).toContain("in flight");
  },
);

test("a target that is too slow is not judged, and its speed is told", async () => {
  for (const keys of [undefined, 4096]) {
    const { said, late } = await judged({ perSecond: 50, ...(keys && { keys }) });
    expect(said).toMatch(
      /4030 keys within one window take 67 requests a second, and the target answered (4\d|50) requests/,
    );
    expect(late).toBe(true);
  }
});
