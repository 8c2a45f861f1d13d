/** How often each action met each state: the visit table of a report. */
import { actionNames, type ActionName } from "../interface/fields.ts";
import { columns, type Column, type Gaps } from "../interface/flow-model.ts";

/** `session`: actions about no single flow; `absent`: about a flow that is not there. */
export type VisitColumn = Column | "session" | "absent";

const visitColumns: readonly VisitColumn[] = [...columns, "session", "absent"];

export class Visits {
  readonly #counts = new Map<string, number>();
  readonly #noted = new Map<string, number>();
  /** How often the plan tried to bring a flow into a state, and how often that worked. */
  readonly #brought = new Map<Column, { readonly tries: number; readonly there: number }>();

  add(action: ActionName, column: VisitColumn): void {
    const key = `${action} ${column}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  of(action: ActionName, column: VisitColumn): number {
    return this.#counts.get(`${action} ${column}`) ?? 0;
  }

  /** Counts something else that a property has to have met. */
  note(what: string): void {
    this.#noted.set(what, this.noted(what) + 1);
  }

  /** How often that was noted. */
  noted(what: string): number {
    return this.#noted.get(what) ?? 0;
  }

  /** Counts a try to bring a flow into a state. */
  brought(column: Column, isThere: boolean): void {
    this.#addBrought(column, { tries: 1, there: isThere ? 1 : 0 });
  }

  /** True where most tries worked. */
  isReliable(column: Column): boolean {
    const { tries = 0, there = 0 } = this.#brought.get(column) ?? {};
    return 2 * there > tries;
  }

  merge(other: Visits): void {
    for (const [key, count] of other.#counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
    for (const [what, count] of other.#noted) this.#noted.set(what, this.noted(what) + count);
    for (const [column, more] of other.#brought) this.#addBrought(column, more);
  }

  #addBrought(column: Column, { tries, there }: { tries: number; there: number }): void {
    const known = this.#brought.get(column) ?? { tries: 0, there: 0 };
    this.#brought.set(column, { tries: known.tries + tries, there: known.there + there });
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

/** Why what was visited proves less than it should. */
export interface CoverageGap {
  readonly reason: string;
  /** More runs may close it. */
  readonly moreRuns?: true;
}

/** Fewer judged requests about flows prove too little. */
const ENOUGH_JUDGED = 20;

/** Why too little was judged: after a departure that is left to other cases, the rest of a story is not judged. */
export const tooFewJudged = ({ onFlows }: Visits): CoverageGap | undefined =>
  onFlows < ENOUGH_JUDGED
    ? { reason: `only ${onFlows} requests about flows could be judged: other departures came before` }
    : undefined;

const aboutFlows = actionNames.filter((action) => !["create_flow", "list_flows", "find_latest_flow"].includes(action));

/** States that the interface alone gives a way into; a profile may give more. */
const stated: readonly Column[] = ["new", "waiting", "resumed", "cancel asked", "finished", "failed"];

/** The reachable cells that were not visited: `resume_flow of a flow that is blocked`. */
export function notVisited(visits: Visits, gaps: Gaps): string[] {
  const byProfile: readonly Column[] =
    gaps["cancel.status"] === undefined ? [] : ["blocked", "cancel pending", "cancelled"];
  // A state that is met only by chance is not required.
  const reachable = columns.filter((column) => [...stated, ...byProfile].includes(column) || visits.isReliable(column));
  return aboutFlows
    .flatMap((action) => reachable.map((column) => [action, column] as const))
    .filter(([action, column]) => visits.of(action, column) === 0)
    .map(([action, column]) => `${action} of a flow that is ${column}`);
}
