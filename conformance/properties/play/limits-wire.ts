/** Sends the requests of a story about the limits, and records each response for the report. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Request } from "../../../fixtures/request.ts";
import type { Span } from "../../interface/rate-model.ts";
import { responseOf, type Response } from "../oracle/response.ts";
import type { Executor, HeldRequest } from "./executor.ts";
import type { LimitsKey } from "./limits-key.ts";
import { LimitsStory } from "./limits-story.ts";

/** What came of one request or of several at once. */
export interface Outcome {
  readonly at: Span;
  readonly responses: readonly Response[];
  readonly letIn: number;
}

export class LimitsWire {
  requests = 0;
  readonly story = new LimitsStory();
  readonly #executor: Executor;
  readonly #settleMs: number;

  constructor(executor: Executor, settleMs: number) {
    this.#executor = executor;
    this.#settleMs = settleMs;
  }

  /** Sends a request `sent` times at once; `closes`: over connections of their own, closed after the answer. */
  async exchange(key: LimitsKey, request: Request, sent: number, closes = false): Promise<Outcome> {
    const from = this.begin(key);
    const send = async () => {
      if (!closes) return this.#executor.send(request, key.client);
      const own = await this.#executor.hold(request, key.client);
      return own.finish().finally(() => own.abort());
    };
    const exchanges = await Promise.all(Array.from({ length: sent }, send));
    this.requests += sent;
    const responses = exchanges.map(responseOf);
    for (const one of responses) this.story.note(one);
    const letIn = responses.filter(({ accepted }) => accepted).length;
    return { at: { from, to: this.#executor.now() }, responses, letIn };
  }

  /** Sends the rest of a held request's body. */
  async finish(held: HeldRequest): Promise<Response> {
    const response = responseOf(await held.finish());
    this.story.note(response);
    return response;
  }

  /** The target's clock when a key is used; the first time is remembered. */
  begin(key: LimitsKey): number {
    const now = this.#executor.now();
    key.first ??= now;
    return now;
  }

  async until(condition: () => boolean, withinMs: number): Promise<void> {
    const deadline = performance.now() + Math.min(withinMs, this.#settleMs);
    while (!condition() && performance.now() < deadline) await sleep(5);
  }
}
