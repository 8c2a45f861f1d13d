/** How long a run takes, computed from its plan and from what the target showed before the first case. */
import { durationInWords } from "../foundation/duration.ts";
import type { Case } from "../harness/case.ts";
import type { StandardFacts } from "../targets/facts.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../interface/limits.ts";
import { lanes } from "../targets/standard-routes.ts";
import { STARTS_AT_A_TIME } from "./group.ts";
import type { Plan } from "./plan.ts";

interface Pace extends Pick<StandardFacts, "toldApart" | "inFlightToldApart" | "requestMs"> {
  readonly driven: boolean;
  /** The kit starts more instances: for cases that run alone, and for other configurations. */
  readonly restarts: boolean;
  /** A running server loads other configurations, so that one is enough for all of them. */
  readonly reloads: boolean;
  readonly startMs: number;
}

/** What a case sends that may take long beside its plan: a flood of keys, or the runs of a property. */
const LONG_REQUESTS = 600;

/**
 * `requests`: at most, on the busiest keys. `floorSeconds`: what no machine makes shorter, which is rate windows, timeouts,
 * waits to stay below the limits, and starts. `ms`: the probable time of the whole run; `why`: what it is made of, in words.
 */
export function estimate({ groups, variants }: Pick<Plan, "groups" | "variants">, pace: Pace) {
  const { shared, ...beside } = groups;
  const ofVariants = [...variants.values()].flat();
  const waits = ({ seconds = 0 }: Case) => (pace.driven ? 0 : seconds);
  const serial = Object.entries(beside).filter(([, members]) => members.length > 0);
  const serialSeconds = serial.map(([name, members]) => (name === "driven" ? 0 : sum(members.map(waits))));
  const all = [...Object.values(groups).flat(), ...ofVariants];
  const start = pace.startMs / 1000;
  // Cases that only wait do so concurrently, as far as each does not need a lane of its own.
  const shareLanes = pace.toldApart && pace.inFlightToldApart;
  const waited = shared.map(waits);
  const longestWait = Math.max(0, ...waited) + (shareLanes ? 0 : sum(waited) / lanes.length);
  const paced = pace.driven || pace.toldApart ? 0 : pacedSeconds(shared);
  const sharedSeconds = Math.max(longestWait, paced);
  const otherStarts = pace.reloads ? Math.min(variants.size, 1) : variants.size;
  const otherSeconds = start * Math.ceil(otherStarts / STARTS_AT_A_TIME) + sum(ofVariants.map(waits));
  const atOnce = [sharedSeconds, ...serialSeconds.map((seconds) => start + seconds), otherSeconds];
  const floorSeconds = start + (pace.restarts ? Math.max(...atOnce) : sharedSeconds + sum(serialSeconds));
  const requests = sum(all.map((item) => item.requests));
  const workMs = sum(all.map((item) => workOf(item, pace.requestMs)));
  const starts = pace.restarts ? otherStarts + serial.length : 0;
  const reasons = [
    `${all.length} ${all.length === 1 ? "case" : "cases"} at ${pace.requestMs.toFixed(1)} ms a request: ${durationInWords(workMs)}`,
    ...(paced > 0
      ? [`client addresses are not told apart, so requests are paced under the rate limit: ${paced} s`]
      : []),
    ...(longestWait > 0 ? [`time-outs and rate windows are waited for in real time: ${Math.ceil(longestWait)} s`] : []),
    ...(starts > 0
      ? [`${starts} more ${starts === 1 ? "start" : "starts"}: ${durationInWords(starts * pace.startMs)}`]
      : []),
  ];
  return { cases: all.length, requests, floorSeconds, ms: floorSeconds * 1000 + workMs, why: reasons.join("; ") };
}

function workOf({ requests, longestMs }: Case, requestMs: number): number {
  return longestMs === undefined ? requests * requestMs : Math.min(LONG_REQUESTS * requestMs, longestMs);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** How many budgets of all lanes are spent on a target that takes all client addresses for one: it fails a case by that alone. */
const PACED_WINDOWS = 2;

const budgetOf = ({ requests }: Case): number => Math.min(requests, REQUESTS_PER_WINDOW);

const isLimit = ({ clauses }: Case): boolean => clauses.some((clause) => /^(RATE|IN-FLIGHT|LIMIT)/.test(clause));

/**
 * The cases for which there is no budget left in twice the time of other targets: those about limits come first, as they
 * say what is wrong.
 */
export function beyondBudgets(cases: readonly Case[]): ReadonlySet<Case> {
  const inOrder = [...cases.filter(isLimit), ...cases.filter((item) => !isLimit(item))];
  let left = PACED_WINDOWS * lanes.length * REQUESTS_PER_WINDOW;
  const beyond = new Set<Case>();
  for (const item of inOrder) {
    left -= budgetOf(item);
    if (left < 0) beyond.add(item);
  }
  return beyond;
}

/** Every lane has the budget of one rate window a minute; the first one is there at once. */
function pacedSeconds(cases: readonly Case[]): number {
  const budgets = sum(cases.map(budgetOf));
  const windows = Math.ceil(budgets / (lanes.length * REQUESTS_PER_WINDOW)) - 1;
  return Math.max(0, windows) * (WINDOW_MS / 1000);
}
