/** How often each action met each state: whether a property has judged enough. */
import { actionNames, type ActionName } from "../interface/fields.ts";
import { visitColumns, type Column, type Gaps } from "../interface/flow-model.ts";

/** `absent`: about a flow that is not there. */
export type VisitColumn = Column | "absent";

export class Visits {
  readonly #counts = new Map<string, number>();

  add(action: ActionName, column: VisitColumn): void {
    this.note(`${action} ${column}`);
  }

  of(action: ActionName, column: VisitColumn): number {
    return this.noted(`${action} ${column}`);
  }

  /** Counts something else that a property has to have met. */
  note(what: string, times = 1): void {
    this.#counts.set(what, this.noted(what) + times);
  }

  noted(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** Counts a try to bring a flow into a state. */
  brought(column: Column, isThere: boolean): void {
    this.note(`brought to ${column}: ${isThere}`);
  }

  /** True where most tries worked. */
  isReliable(column: Column): boolean {
    return this.noted(`brought to ${column}: true`) > this.noted(`brought to ${column}: false`);
  }

  merge(other: Visits): void {
    for (const [what, times] of other.#counts) this.note(what, times);
  }
}

/** Why what was visited proves less than it should. */
export interface CoverageGap {
  readonly reason: string;
  /** More runs may close it. */
  readonly moreRuns?: true;
}

const aboutFlows = actionNames.filter((action) => !["create_flow", "list_flows", "find_latest_flow"].includes(action));

/** States that the interface alone gives a way into; a profile may give more. */
const stated: readonly Column[] = ["new", "waiting", "resumed", "cancel-requested", "finished", "failed"];

/** The reachable cells that were not visited: `resume_flow of a flow that is blocked`. */
export function notVisited(visits: Visits, gaps: Gaps): string[] {
  const byProfile: readonly Column[] =
    gaps["cancel.status"] === undefined ? [] : ["blocked", "cancel-pending", "cancelled"];
  // States that a story reaches only by chance need not be visited.
  const reachable = visitColumns.filter(
    (column) => [...stated, ...byProfile].includes(column) || visits.isReliable(column),
  );
  return aboutFlows
    .flatMap((action) => reachable.map((column) => [action, column] as const))
    .filter(([action, column]) => visits.of(action, column) === 0)
    .map(([action, column]) => `${action} of a flow that is ${column}`);
}
