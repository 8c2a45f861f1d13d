/** A key of the limits (a path and a client address) as a story has used it. */
import { slotFor, type Slot, type Span } from "../../interface/rate-model.ts";
import { IN_FLIGHT, WINDOW_MS } from "../../interface/limits.ts";
import type { HeldRequest } from "./executor.ts";
import { departure, type Departure } from "../oracle/departure.ts";
import type { RouteName } from "../../story/story.ts";

interface Held {
  readonly request: HeldRequest;
  /** When it was sent, ms on the target's clock. */
  readonly since: Span;
}

/** A path and a client address, as an intent names them. */
export interface Key {
  readonly route: "route" | "sibling";
  readonly client: number;
}

export class LimitsKey {
  readonly name: string;
  readonly route: RouteName;
  readonly client: number;
  readonly held: Held[] = [];
  /** Some held requests have ended. */
  released = false;
  /** The target's clock at its first request, ms. */
  first: number | undefined;
  /** Real times at which requests ended whose slots may be freed a moment later. */
  #ended: number[] = [];

  constructor(route: RouteName, client: number) {
    this.name = `${route} ${client}`;
    this.route = route;
    this.client = client;
  }

  /** Concurrent requests that the in-flight limit cannot refuse beside those that are held. */
  get width(): number {
    if (this.held.length === 0) return 4;
    return this.held.length <= 4 ? 2 : 1;
  }

  /** Whether `sent` concurrent requests find slots; one that has ended may keep its slot for `settleMs`. */
  slot(sent: number, settleMs: number): Slot {
    const recent = performance.now() - settleMs;
    this.#ended = this.#ended.filter((at) => at > recent);
    // The slot of a request just answered may be freed a moment later.
    const answered = this.first === undefined ? 0 : this.width;
    return slotFor(this.held.length, this.#ended.length + answered + sent - 1);
  }

  /** Requests that were answered although nothing released them: their refusal came late. */
  get late(): readonly Held[] {
    return this.held.filter(({ request }) => request.answered);
  }

  /** Requests have ended, and the target may notice late. */
  end(count = 1): void {
    this.#ended.push(...Array.from({ length: count }, () => performance.now()));
  }

  /** Every held request is known to have one of the eight slots: requests that ended can still have the others only. */
  allSeen(): void {
    this.#ended = this.#ended.slice(0, IN_FLIGHT - this.held.length);
  }
}

/** A refusal although fewer than eight are in flight. */
export function noSlot({ released }: LimitsKey): Departure {
  const clause = released ? "IN-FLIGHT-FREED" : "IN-FLIGHT-8";
  return departure(clause, "a request let in: fewer than eight are in flight", "a refusal");
}

export function overBudget(): Departure {
  return departure("RATE-120", "a refusal: the window's 120 are used up", "a request let in");
}

/** A refusal too early: in a key's first window the budget is too small, in a later one the window did not start anew. */
export function underBudget({ first }: LimitsKey, { from }: Span, driven: boolean): Departure {
  const isLater = driven && first !== undefined && from >= first + WINDOW_MS;
  const expected = "a request let in: the window's 120 are not used up, and fewer than eight are in flight";
  return departure(isLater ? "RATE-WINDOW" : "RATE-120", expected, "a refusal");
}
