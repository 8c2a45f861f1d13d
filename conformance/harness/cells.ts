/** The table of a case that is driven by one: which of its cells were judged. */
import type { Trial } from "./trial.ts";

/** Counts a judged cell. */
export type Visit = (row: string, column: string) => void;

/**
 * Every cell of the table in `trial.visits`, with 0 until it is judged: a cell that this target has no way into stays 0 in
 * the report.
 */
export function cellsOf(trial: Trial, rows: readonly string[], columns: readonly string[]): Visit {
  const counts: Record<string, Record<string, number>> = Object.fromEntries(
    rows.map((row) => [row, Object.fromEntries(columns.map((column) => [column, 0]))]),
  );
  trial.visits = counts;
  return (row, column) => {
    const cells = (counts[row] ??= {});
    cells[column] = (cells[column] ?? 0) + 1;
  };
}
