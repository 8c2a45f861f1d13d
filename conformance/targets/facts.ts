/** What a run finds out about a target before the first case. */
import type { ActionBody } from "../interface/request.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Addresses } from "./lanes.ts";

export interface StandardFacts {
  /** A valid request is accepted: the twin of every case that needs another configuration. */
  readonly accepts: boolean;
  /** At least one of several wrong requests is refused: the twin of every case that expects something accepted. */
  readonly refuses: boolean;
  /** Hands out client addresses; undefined where the system has none to bind to. */
  readonly addresses: Addresses | undefined;
  /** The rate limit counts each of those addresses on its own. */
  readonly toldApart: boolean;
  /** The rate limit was seen to take them all for one. */
  readonly isOneAddress: boolean;
  /** The in-flight limit does, too. */
  readonly inFlightToldApart: boolean;
  /** Something between the kit and the target gives all client addresses one: nothing is known of the limits' keys by address. */
  readonly translated?: true;
  /** No request is answered while the body of another one is owed. */
  readonly stalls: boolean;
  /** The time of one request when several are sent at the same time, ms. */
  readonly requestMs: number;
}

/** What the run found out about the target before the first case. */
export interface Facts extends StandardFacts {
  readonly profile: Profile;
  /** The cheapest request that is accepted repeatedly: spends budgets. */
  readonly cheapBody: ActionBody;
  /** The target's clock is driven, not waited for. */
  readonly driven: boolean;
}
