/** Windows that all begin at one moment are lawful, whenever in the course of a case that moment comes. */
import type { Request } from "../../../fixtures/request.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import type { Answer, Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { levelOf } from "../../harness/case.ts";
import type { Trial } from "../../harness/trial.ts";
import { rateWindowCases } from "./rate-window.ts";
import { timeEdgeCases } from "./time-edges.ts";
import { expect, test } from "vitest";

const answerOf = (status: number, envelope: object): Answer => ({
  status,
  headers: new Map([["content-type", ["application/json"]]]),
  body: Buffer.from(JSON.stringify(envelope)),
});
const accepted = answerOf(200, { ok: true, routeId: "a", result: {} });
const refused = answerOf(429, { ok: false, routeId: "a", code: "rate_limited", error: "Later.", result: {} });

/** What these cases use of a trial, in front of a limiter whose windows of `windowMs` begin together, one of them at `boundaryMs`. */
class AlignedTrial {
  readonly from = "127.0.0.1";
  readonly route = { path: "/a", secret: "s" } as ConfiguredRoute;
  readonly sibling = { path: "/b", secret: "s" } as ConfiguredRoute;
  readonly stranger = { path: "/c", secret: "s" } as ConfiguredRoute;
  readonly driven = true;
  readonly cheapBody = { action: "list_flows" };
  readonly exchanges: Exchange[] = [];
  readonly last: Exchange[] = [];
  readonly #counts = new Map<string, number>();
  readonly #boundaryMs: number;
  readonly #requestMs: number;
  readonly #windowMs: number;
  #now = 0;
  #window = NaN;

  constructor(boundaryMs: number, requestMs: number, windowMs: number) {
    this.#boundaryMs = boundaryMs;
    this.#requestMs = requestMs;
    this.#windowMs = windowMs;
  }

  now(): number {
    return this.#now;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
  }

  async send(request: Request, from: string): Promise<Exchange> {
    this.#now += this.#requestMs;
    const window = Math.floor((this.#now - this.#boundaryMs) / this.#windowMs);
    if (window !== this.#window) this.#counts.clear();
    this.#window = window;
    const count = (this.#counts.get(request.path) ?? 0) + 1;
    this.#counts.set(request.path, count);
    return { request, from, answer: count <= REQUESTS_PER_WINDOW ? accepted : refused };
  }
}

/** Finely while budgets are used up and pauses are short, coarsely afterwards. */
const boundaries = [...Array(80).keys()]
  .map((step) => step * 50)
  .concat([...Array(28).keys()].map((s) => 4000 + s * 2000));
const windowCases = [...rateWindowCases, ...timeEdgeCases].filter(
  (item) => item.clauses.includes("RATE-WINDOW") && levelOf(item) === "must",
);

async function findings(windowMs: number, requestMs: number): Promise<string[]> {
  const found: string[] = [];
  for (const boundaryMs of boundaries) {
    for (const { id, run } of windowCases) {
      const trial = new AlignedTrial(boundaryMs, requestMs, windowMs);
      const finding = await run(trial as unknown as Trial).catch((error: unknown) => String(error));
      if (typeof finding === "string") found.push(`${id} at ${boundaryMs} ms: ${finding}`);
    }
  }
  return found;
}

test.each([0, 2, 8])("no case blames them, with %i ms for each request", async (requestMs) => {
  expect(windowCases.length).toBeGreaterThanOrEqual(2);
  expect(await findings(WINDOW_MS, requestMs)).toEqual([]);
});

test.each([30_000, 90_000])(
  "aligned windows of %i ms are blamed by some case, whenever they begin",
  async (windowMs) => {
    const found = await findings(windowMs, 2);
    for (const boundaryMs of boundaries) expect(found.some((line) => line.includes(` at ${boundaryMs} ms`))).toBe(true);
  },
);
