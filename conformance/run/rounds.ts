/** What `--repeat` and `--shuffle` need: an order made from a seed, and one result from those of all rounds. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Case } from "../harness/case.ts";
import type { CaseResult, Outcome } from "../harness/result.ts";

/** How often a case had an outcome, and the first such result: the exchanges of all rounds would fill the memory. */
interface Seen {
  readonly result: CaseResult;
  times: number;
}

/** Counts the outcomes of each case over all rounds. */
export class Tally {
  readonly #seen: ReadonlyMap<string, Map<Outcome, Seen>>;

  constructor(cases: readonly Case[]) {
    this.#seen = new Map(cases.map(({ id }) => [id, new Map()]));
  }

  add(result: CaseResult): void {
    const outcomes = this.#seen.get(result.id);
    // A round that no time was left for takes nothing from what those before it found.
    if (result.late === true && [...(outcomes?.keys() ?? [])].some((one) => one !== "pass")) return;
    const seen = outcomes?.get(result.outcome);
    if (seen === undefined) outcomes?.set(result.outcome, { result, times: 1 });
    else seen.times += 1;
  }

  /** One result for each case that ran, in the order of the cases: an error where the outcomes differ. */
  get results(): CaseResult[] {
    return [...this.#seen.values()].flatMap(steadyResult);
  }
}

function steadyResult(outcomes: ReadonlyMap<Outcome, Seen>): CaseResult[] {
  const [first, ...others] = outcomes.values();
  if (first === undefined) return [];
  if (others.length === 0) return [first.result];
  const counts = [...outcomes].map(([outcome, { times }]) => `${times} ${outcome}`);
  const { result: bad } = [first, ...others].find(({ result }) => result.outcome !== "pass") ?? first;
  const because = bad.reason === undefined ? "" : `; ${bad.reason}`;
  return [{ ...bad, outcome: "error", reason: `differs from round to round: ${counts.join(", ")}${because}` }];
}

/** Fisher-Yates shuffle: the same seed gives the same order on every machine. */
export function shuffled(cases: readonly Case[], seed: number): Case[] {
  const order = [...cases];
  const generator = xoroshiro128plus(seed);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = uniformInt(generator, 0, last);
    [order[last], order[chosen]] = [order[chosen] as Case, order[last] as Case];
  }
  return order;
}
