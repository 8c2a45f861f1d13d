/** Table-driven cases: each cell of a table is one request. */
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

/** Sends each cell's request, a few at a time, and judges the answers in the order of the cells. */
export async function eachCell<C extends Cell>(
  trial: Trial,
  cells: readonly C[],
  judge: (cell: C, exchange: Exchange) => void | Promise<void>,
): Promise<void> {
  const right = trial.right();
  for (let from = 0; from < cells.length; from += WIDTH) {
    const some = cells.slice(from, from + WIDTH);
    const exchanges = await Promise.all(
      some.map(({ body }) => trial.send(withBody(right, typeof body === "string" ? body : JSON.stringify(body)))),
    );
    for (const [index, cell] of some.entries()) {
      const exchange = exchanges[index];
      if (exchange !== undefined) await trial.part(() => judge(cell, exchange));
    }
  }
  for (const [place, finding] of trial.record.found.entries()) {
    const combination = finding.combination?.map((part) => {
      const rows = cells.filter(({ column }) => column === part.factor).length;
      return { ...part, right: Math.max(part.right, rows - part.values.length) };
    });
    trial.record.found[place] = { ...finding, combination };
  }
}

/** Fails unless the cell's request was refused, with this status and code where they are given. */
export function mustRefuseCell(cell: Place, exchange: Exchange, as: Refusal = {}): void {
  if (!isRefused(exchange, as)) throw cellFailure(cell, refusal(as), describe(exchange), exchange);
}

/** A failure that names its cell. */
export function cellFailure({ column, row }: Place, expected: string, actual: string, exchange: Exchange): Failure {
  const combination = [{ factor: column, values: [row], right: 0 }];
  return new Failure(expected, actual, [exchange], { combination });
}
