/** How long a run takes, computed from its plan. */
import type { Case } from "../harness/case.ts";
import type { Plan } from "../run/plan.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../interface/limits.ts";
import { lanes } from "../targets/standard-routes.ts";

interface Pace {
  readonly driven: boolean;
  /** The target has limits of its own for each client address. */
  readonly toldApart: boolean;
  /** The kit starts more instances: for cases that run alone, and for other configurations. */
  readonly restarts: boolean;
  /** One start of the target, ms. */
  readonly startMs: number;
}

interface Estimate {
  readonly cases: number;
  /** Requests, at most. */
  readonly requests: number;
  /** What no machine makes shorter: rate windows, timeouts, waits to stay below the limits, and starts; seconds. */
  readonly floorSeconds: number;
}

export function estimate(plan: Plan, pace: Pace): Estimate {
  const variants = [...plan.variants.values()];
  const all = [...plan.sideBySide, ...plan.alone, ...variants.flat()];
  const start = pace.startMs / 1000;
  const waits = ({ seconds = 0 }: Case) => (pace.driven ? 0 : seconds);
  // Cases that only wait do so concurrently.
  const longestWait = Math.max(0, ...plan.sideBySide.map(waits));
  const shared = Math.max(longestWait, pace.driven || pace.toldApart ? 0 : pacedSeconds(plan.sideBySide));
  const alone = sum(plan.alone.map(waits));
  const others = sum(variants.map((group) => start + sum(group.map(waits))));
  const groups = [shared, plan.alone.length > 0 ? start + alone : 0, others];
  const floorSeconds = start + (pace.restarts ? Math.max(...groups) : shared + alone);
  return { cases: all.length, requests: sum(all.map(({ requests }) => requests)), floorSeconds };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Every lane has the budget of one rate window a minute; the first one is there at once. */
function pacedSeconds(cases: readonly Case[]): number {
  const budgets = cases.reduce((total, { requests }) => total + Math.min(requests, REQUESTS_PER_WINDOW), 0);
  const windows = Math.ceil(budgets / (lanes.length * REQUESTS_PER_WINDOW)) - 1;
  return Math.max(0, windows) * (WINDOW_MS / 1000);
}
