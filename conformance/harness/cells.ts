/** Table-driven cases: each cell of a table is one request, and the report says how often each was sent. */
import { withBody, type ActionBody } from "../interface/request.ts";
import { describe, type Exchange } from "../http/exchange.ts";
import { Failure } from "./case-errors.ts";
import { isRefused, refusal, type Refusal } from "./checks.ts";
import type { Trial } from "./trial.ts";

/** Where a request stands in the table. */
interface Place {
  /** What is odd about the request; the same in every run. */
  readonly row: string;
  /** The field or the action that it is odd in. */
  readonly column: string;
}

export interface Cell extends Place {
  /** The body, or its text. */
  readonly body: ActionBody | Readonly<Record<string, unknown>> | string;
}

/** A refused request leaves everything as it was, so several may be on their way; well below the in-flight limit. */
const WIDTH = 4;

/** Counts a judged cell. */
export type Visit = (row: string, column: string) => void;

/**
 * Enters cells into the case's visit table, which may have some already, and gives what counts them. A cell stays 0 in the
 * report until it is judged: also one that this target has no way into.
 */
function entered(trial: Trial, cells: readonly Place[]): Visit {
  const table = Object.fromEntries(Object.entries(trial.visits ?? {}).map(([row, columns]) => [row, { ...columns }]));
  const add = (row: string, column: string, count: number) => {
    const columns = Object.hasOwn(table, row) ? (table[row] ?? {}) : {};
    // Names such as constructor are rows and columns, too.
    columns[column] = (Object.hasOwn(columns, column) ? (columns[column] ?? 0) : 0) + count;
    table[row] = columns;
  };
  for (const { row, column } of cells) add(row, column, 0);
  trial.visits = table;
  return (row, column) => add(row, column, 1);
}

/** Enters every row with every column. */
export const everyCell = (trial: Trial, rows: readonly string[], columns: readonly string[]): Visit =>
  entered(
    trial,
    rows.flatMap((row) => columns.map((column) => ({ row, column }))),
  );

/** Sends each cell's request, a few at a time, and judges the answers in the order of the cells. */
export async function eachCell<C extends Cell>(
  trial: Trial,
  cells: readonly C[],
  judge: (cell: C, exchange: Exchange) => void | Promise<void>,
): Promise<void> {
  const visit = entered(trial, cells);
  const right = trial.right();
  for (let from = 0; from < cells.length; from += WIDTH) {
    const some = cells.slice(from, from + WIDTH);
    const exchanges = await Promise.all(
      some.map(({ body }) => trial.send(withBody(right, typeof body === "string" ? body : JSON.stringify(body)))),
    );
    for (const [index, cell] of some.entries()) {
      const exchange = exchanges[index];
      if (exchange === undefined) continue;
      visit(cell.row, cell.column);
      await judge(cell, exchange);
    }
  }
}

/** Fails unless the cell's request was refused, with this status and code where they are given. */
export function mustRefuseCell(cell: Place, exchange: Exchange, as: Refusal = {}): void {
  if (!isRefused(exchange, as)) throw cellFailure(cell, refusal(as), describe(exchange), exchange);
}

/** A failure that names its cell. */
export const cellFailure = ({ column, row }: Place, expected: string, actual: string, exchange: Exchange): Failure =>
  new Failure(expected, `${actual} (${column}: ${row})`, [exchange]);
