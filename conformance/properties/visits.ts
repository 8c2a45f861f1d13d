/** How often each action met each state: the visit table of a report. */
import { actionNames, type ActionName } from "../../fixtures/fields.ts";
import { columns, type Column, type Gaps } from "../model.ts";

/** `session`: actions about no single flow; `absent`: about a flow that is not there. */
export type VisitColumn = Column | "session" | "absent";

export const visitColumns: readonly VisitColumn[] = [...columns, "session", "absent"];

export class Visits {
  readonly #counts = new Map<string, number>();

  add(action: ActionName, column: VisitColumn): void {
    const key = `${action} ${column}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  of(action: ActionName, column: VisitColumn): number {
    return this.#counts.get(`${action} ${column}`) ?? 0;
  }

  merge(other: Visits): void {
    for (const [key, count] of other.#counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** Actions about flows that were there. */
  get onFlows(): number {
    return aboutFlows.flatMap((action) => columns.map((column) => this.of(action, column))).reduce((a, b) => a + b, 0);
  }

  /** One row for each action, one number for each column. */
  table(): Record<string, Record<string, number>> {
    const row = (action: ActionName) =>
      Object.fromEntries(visitColumns.map((column) => [column, this.of(action, column)]));
    return Object.fromEntries(actionNames.map((action) => [action, row(action)]));
  }
}

/** A cell that was visited less often says little. */
export const ENOUGH_VISITS = 20;

const aboutFlows = actionNames.filter((action) => !["create_flow", "list_flows", "find_latest_flow"].includes(action));

/** States that a flow has to come into, as the interface alone gives the way; the profile may give more. */
const stated: readonly Column[] = ["new", "waiting", "resumed", "cancel asked", "finished", "failed"];

/** The reachable cells that were hardly visited: `resume_flow of a flow that is blocked (3)`. */
export function nearlyEmpty(visits: Visits, gaps: Gaps): string[] {
  const byProfile: readonly Column[] =
    gaps["cancel.status"] === undefined ? [] : ["blocked", "cancel pending", "cancelled"];
  const isReached = (column: Column) => aboutFlows.some((action) => visits.of(action, column) > 0);
  const reachable = columns.filter((column) => [...stated, ...byProfile].includes(column) || isReached(column));
  return aboutFlows
    .flatMap((action) => reachable.map((column) => [action, column] as const))
    .filter(([action, column]) => visits.of(action, column) < ENOUGH_VISITS)
    .map(([action, column]) => `${action} of a flow that is ${column} (${visits.of(action, column)})`);
}
