/** A key of the limits (a path and a client address) as a story has used it. */
import { slotFor, type Slot, type Span } from "../limits-model.ts";
import { IN_FLIGHT } from "../target/lanes.ts";
import type { HeldRequest } from "./executor.ts";
import { finding, type Finding } from "./finding.ts";
import type { RouteName } from "./story.ts";

interface Held {
  readonly request: HeldRequest;
  /** When it was sent, ms on the target's clock. */
  readonly since: Span;
}

export class LimitsKey {
  readonly name: string;
  readonly route: RouteName;
  readonly client: number;
  readonly held: Held[] = [];
  /** Some that were held have ended. */
  released = false;
  /** Slots that may stay taken for as long as their connections are open: the interface does not say. */
  kept = 0;
  /** The target's clock when it was used first, ms. */
  first: number | undefined;
  /** Real times at which requests ended whose slots may take a moment to come free. */
  #ended: number[] = [];

  constructor(route: RouteName, client: number) {
    this.name = `${route} ${client}`;
    this.route = route;
    this.client = client;
  }

  /** Requests at the same time that the in-flight limit cannot refuse beside those that are held. */
  get width(): number {
    if (this.held.length === 0) return 4;
    return this.held.length <= 4 ? 2 : 1;
  }

  /** Whether `sent` requests at once find slots; one that has ended may keep its slot for `patienceMs`. */
  slot(sent: number, patienceMs: number): Slot {
    const recent = performance.now() - patienceMs;
    this.#ended = this.#ended.filter((at) => at > recent);
    // That of a request just answered comes free in the same moment, or nearly.
    const answered = this.first === undefined ? 0 : this.width;
    return slotFor(this.held.length, this.#ended.length + this.kept + answered + sent - 1);
  }

  /** Those that are held no more though nobody let them go: their refusal came late. */
  get late(): readonly Held[] {
    return this.held.filter(({ request }) => request.answered);
  }

  /** Requests have ended in a way that a target may notice late. */
  end(count = 1): void {
    this.#ended.push(...Array.from({ length: count }, () => performance.now()));
  }

  /** Requests were refused whose bodies nobody read. `isFreed`: the profile says that their slots come free. */
  endUnread(count: number, isFreed: boolean): void {
    if (isFreed) this.end(count);
    else this.kept += count;
  }

  /** All that are held have been seen in flight: no more of those that ended can still have a slot. */
  allSeen(): void {
    this.#ended = this.#ended.slice(0, IN_FLIGHT - this.held.length);
  }
}

/** A refusal although fewer than eight are in flight; none where slots may stay taken. */
export function noSlot({ kept, released }: LimitsKey): Finding | undefined {
  if (kept > 0) return undefined;
  const clause = released ? "IN-FLIGHT-FREED" : "IN-FLIGHT-8";
  return finding(clause, "a request let in: fewer than eight are in flight", "a refusal");
}
