/**
 * Gives each case its lane and client address. Limits are per path and client address, so every case gets keys of its
 * own: a fresh loopback address where the target tells addresses apart, else a lane of its own, paced under the limits.
 */
import { lanes, type Lane } from "./standard-routes.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../interface/limits.ts";

export const HOME_ADDRESS = "127.0.0.1";

/** Loopback addresses that nothing else uses, one after the other: 127.1.0.1, 127.1.0.2, ... */
export class Addresses {
  #next: number;

  /** `start`: how many of them to leave out. */
  constructor(start = 0) {
    this.#next = start;
  }

  next(): string {
    const index = this.#next++;
    const [high, low] = [Math.floor(index / 250), (index % 250) + 1];
    if (high >= 250 * 200) throw new RangeError("no loopback address is left");
    return `127.${1 + Math.floor(high / 250)}.${high % 250}.${low}`;
  }
}

export interface LaneLease {
  readonly lane: Lane;
  readonly from: string;
  release(): void;
}

interface LaneState {
  readonly lane: Lane;
  leased: boolean;
  /** The turn in which it was given back: the longest idle one goes first, so that aborted requests have ended. */
  idleSince: number;
  /** Requests that the target may still count, wherever its windows begin. */
  spent: Spent[];
}

interface Spent {
  /** On the lane's busiest key. */
  readonly requests: number;
  /** When a window that began with the last of them is over; infinite while the lease is held. */
  until: number;
}

/** Where each case has an address of its own, so many lanes serve all cases that need none for themselves. */
const SHARED_LANES = 4;

/** Which lane a case gets. */
export interface LaneNeeds {
  /** On the busiest of its keys, at most. */
  readonly requests: number;
  /** No other case uses the lane meanwhile. */
  readonly ownLane?: boolean | undefined;
  /**
   * It may flood with list_flows, where nothing cheaper is accepted: the cases that do share the first lane, in whose
   * session few others make flows.
   */
  readonly meetsLimits?: boolean | undefined;
}

export type LanePool = ReturnType<typeof lanePool>;

/**
 * Lanes for cases side by side; the source of every key that a case uses. `addresses`: given when the rate limit tells
 * client addresses apart. `pass`: lets time go by for the target, ms. `exclusive`: no two cases on one lane at the same
 * time, as the in-flight limit does not tell addresses apart.
 */
export function lanePool(
  addresses: Addresses | undefined,
  pass: (ms: number) => Promise<void>,
  now: () => number,
  exclusive = false,
) {
  const states = lanes.map((lane): LaneState => ({ lane, leased: false, idleSince: 0, spent: [] }));
  const waiting: (() => void)[] = [];
  let turn = 0;

  const giveBack = (state: LaneState): void => {
    state.leased = false;
    state.idleSince = ++turn;
    for (const wake of waiting.splice(0)) wake();
  };

  const laneWithRoom = async (requests: number, among = states): Promise<LaneState> => {
    for (;;) {
      const began = now();
      const idle = among.filter((state) => !state.leased).sort((a, b) => a.idleSince - b.idleSince);
      const waitOf = (state: LaneState) => Math.max(0, roomAt(state, requests) - began);
      const [chosen] = idle.toSorted((a, b) => waitOf(a) - waitOf(b));
      if (chosen === undefined) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        continue;
      }
      chosen.leased = true;
      try {
        if (waitOf(chosen) > 0) await pass(waitOf(chosen) + 1);
      } catch (error) {
        giveBack(chosen);
        throw error;
      }
      chosen.spent = chosen.spent.filter(({ until }) => until > now());
      return chosen;
    }
  };

  return {
    /**
     * A lane with `requests` left on each of its keys and no request in flight; waits where there is none yet. Throws what
     * `pass` throws.
     */
    async lease({ requests, ownLane, meetsLimits }: LaneNeeds): Promise<LaneLease> {
      if (addresses !== undefined && !exclusive && ownLane) {
        const state = await laneWithRoom(0, states.slice(SHARED_LANES));
        return { lane: state.lane, from: addresses.next(), release: () => giveBack(state) };
      }
      if (addresses !== undefined && !exclusive) {
        const place = meetsLimits ? 0 : 1 + (turn++ % (SHARED_LANES - 1));
        return { lane: lanes[place] as Lane, from: addresses.next(), release: () => {} };
      }
      const needed = addresses === undefined ? Math.min(requests, REQUESTS_PER_WINDOW) : 0;
      const state = await laneWithRoom(needed);
      const spent: Spent = { requests: needed, until: Number.POSITIVE_INFINITY };
      state.spent.push(spent);
      const release = () => {
        spent.until = now() + WINDOW_MS;
        giveBack(state);
      };
      return { lane: state.lane, from: addresses?.next() ?? HOME_ADDRESS, release };
    },
  };
}

/** When a lane has `requests` left on each of its keys. */
function roomAt(state: LaneState, requests: number): number {
  let used = requests;
  // From the last to end: wait for the first lease that does not fit into the budget.
  for (const spent of state.spent.toSorted((a, b) => b.until - a.until)) {
    used += spent.requests;
    if (used > REQUESTS_PER_WINDOW) return spent.until;
  }
  return 0;
}
