/** Held requests are counted on a simulated target whose slots come free late, and that tells late whom it has refused. */
import type { Answer, Exchange } from "../../http/exchange.ts";
import { IN_FLIGHT } from "../../interface/limits.ts";
import type { Request } from "../../interface/request.ts";
import type { Measure } from "../../harness/outcome.ts";
import type { Trial } from "../../harness/trial.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { inFlightCases } from "./in-flight.ts";
import { expect, test } from "vitest";

const answerOf = (ok: boolean): Answer => ({
  status: ok ? 200 : 429,
  headers: new Map([["content-type", ["application/json"]]]),
  body: Buffer.from(JSON.stringify({ ok, routeId: "a", result: {}, ...(!ok && { code: "busy", error: "Later." }) })),
});

interface HeldRequest {
  readonly request: Request;
  readonly hasSlot: boolean;
  answered: boolean;
}

/** After so many requests the slot of the last one comes free with the answer to the next one, not with its own. */
const LATE = IN_FLIGHT - 1;

/** What the case uses of a trial. `slots`: of each path. */
class SimulatedTrial {
  readonly from = "127.0.0.1";
  readonly route = { path: "/a", secret: "s" } as ConfiguredRoute;
  readonly sibling = { path: "/b", secret: "s" } as ConfiguredRoute;
  readonly facts = { cheapBody: { action: "list_flows" }, stalls: false };
  readonly server = {};
  readonly driven = false;
  readonly last: Exchange[] = [];
  readonly record = { measures: [] as Measure[], exchanges: [] };
  readonly #held: HeldRequest[] = [];
  readonly #slots: number;
  #sent = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  #hasRoom({ path }: Request): boolean {
    const taken = this.#held.filter(({ request, hasSlot, answered }) => request.path === path && hasSlot && !answered);
    return taken.length + (this.#sent === LATE ? 1 : 0) < this.#slots;
  }

  async upload(request: Request) {
    const held = { request, hasSlot: this.#hasRoom(request), answered: false, write: async () => {} };
    this.#held.push(held);
    return held;
  }

  async send(request: Request): Promise<Exchange> {
    const answer = answerOf(this.#hasRoom(request));
    this.#sent += 1;
    for (const held of this.#held) held.answered ||= !held.hasSlot;
    return { request, from: this.from, answer };
  }

  async finish(held: HeldRequest): Promise<Exchange> {
    held.answered = true;
    return { request: held.request, from: this.from, answer: answerOf(held.hasSlot) };
  }

  async until(isOver: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) if (await isOver()) return;
  }

  async barrier(): Promise<void> {}
}

/** What the case says; undefined where it passes. */
async function judged(slots: number): Promise<string | undefined> {
  const item = inFlightCases.find(({ id }) => id === "IN-FLIGHT-9-REFUSED");
  return item?.run(new SimulatedTrial(slots) as unknown as Trial).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

test("a held request that is told late that it was refused is not counted", async () => {
  expect(await judged(IN_FLIGHT)).toBeUndefined();
});

test("seven slots and nine are blamed all the same", async () => {
  expect(await judged(IN_FLIGHT - 1)).toContain("expected in flight: 8; got 7");
  expect(await judged(IN_FLIGHT + 1)).toContain("expected a ninth request refused");
});
