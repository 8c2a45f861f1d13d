/** Table-driven cases: each cell of a table is one request, and the report says how often each was sent. */
import { withBody, type ActionBody } from "../../fixtures/request.ts";
import { describe, envelopeOf, type Exchange } from "../http/exchange.ts";
import { Failure } from "./case-errors.ts";
import type { Trial } from "./trial.ts";

export interface Cell {
  /** What is odd about the request; the same in every run. */
  readonly row: string;
  /** The field or the action that it is odd in. */
  readonly column: string;
  /** The body, or its text. */
  readonly body: ActionBody | Readonly<Record<string, unknown>> | string;
}

/** A refused request leaves everything as it was, so several may be on their way; well below the in-flight limit. */
const WIDTH = 4;

/** Enters the cells into the case's visit table, which may have some already. */
function entered(trial: Trial, cells: readonly Cell[]): Record<string, Record<string, number>> {
  const table = Object.fromEntries(Object.entries(trial.visits ?? {}).map(([row, columns]) => [row, { ...columns }]));
  for (const { row, column } of cells) {
    table[row] ??= {};
    table[row][column] ??= 0;
  }
  trial.visits = table;
  return table;
}

/** Sends each cell's request, a few at a time, and judges the answers in the order of the cells. */
export async function eachCell<C extends Cell>(
  trial: Trial,
  cells: readonly C[],
  judge: (cell: C, exchange: Exchange) => void | Promise<void>,
): Promise<void> {
  const table = entered(trial, cells);
  const right = trial.right();
  for (let from = 0; from < cells.length; from += WIDTH) {
    const some = cells.slice(from, from + WIDTH);
    const exchanges = await Promise.all(
      some.map(({ body }) => trial.send(withBody(right, typeof body === "string" ? body : JSON.stringify(body)))),
    );
    for (const [index, cell] of some.entries()) {
      const exchange = exchanges[index];
      if (exchange === undefined) continue;
      const row = (table[cell.row] ??= {});
      row[cell.column] = (row[cell.column] ?? 0) + 1;
      await judge(cell, exchange);
    }
  }
}

const nameOf = ({ column, row }: Cell): string => `${column}: ${row}`;

/** Fails unless the cell's request was refused, with this status and code where they are given. */
export function mustRefuseCell(cell: Cell, exchange: Exchange, as: { status?: number; code?: string } = {}): void {
  const { answer } = exchange;
  const envelope = envelopeOf(exchange);
  const isRefused = answer !== undefined && answer.status >= 400 && envelope?.ok !== true;
  const isAsExpected =
    (as.status === undefined || answer?.status === as.status) && (as.code === undefined || envelope?.code === as.code);
  if (isRefused && isAsExpected) return;
  const expected = [as.status ?? "a refusal", as.code].filter((part) => part !== undefined).join(" ");
  throw cellFailure(cell, expected, describe(exchange), exchange);
}

/** A failure that names its cell. */
export const cellFailure = (cell: Cell, expected: string, actual: string, exchange: Exchange): Failure =>
  new Failure(expected, `${actual} (${nameOf(cell)})`, [exchange]);

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
