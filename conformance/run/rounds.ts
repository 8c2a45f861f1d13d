/** Running the suite again and again: does every case come out the same, in any order, also twice on one target? */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Case } from "../harness/case.ts";
import type { CaseResult, Outcome } from "../harness/result.ts";
import { run, type RunOptions, type RunOutcome } from "./run.ts";
import { tailOf } from "../foundation/tail.ts";

/** Two on one target show what the first round leaves behind; more would only judge a target full of flows. */
const ROUNDS_PER_TARGET = 2;

/**
 * Runs the cases `repeat` times; with a seed each pair of rounds has an order of its own. Throws `StartError`, and the
 * signal's reason where that was aborted before anything ran.
 */
export async function runRounds(options: RunOptions, repeat: number, seed: number | undefined): Promise<RunOutcome> {
  const outcomes: Omit<RunOutcome, "results">[] = [];
  const tallies = new Map(options.cases.map(({ id }) => [id, new Map<Outcome, Seen>()]));
  const isBrokenOff = () => options.signal?.aborted === true;
  for (let done = 0; done < repeat && !isBrokenOff(); done += ROUNDS_PER_TARGET) {
    const cases = seed === undefined ? options.cases : shuffled(options.cases, seed + done);
    const rounds = Math.min(ROUNDS_PER_TARGET, repeat - done);
    // Told of the whole, of which one run is a part.
    const onResult = options.onResult && ((result: CaseResult) => options.onResult?.(result, cases.length * repeat));
    try {
      const { results, ...rest } = await run({ ...options, cases, rounds, ...(onResult && { onResult }) });
      outcomes.push(rest);
      for (const result of results) count(result, tallies.get(result.id));
    } catch (error) {
      // Broken off while its target starts, a pair of rounds takes nothing from those before it.
      if (!isBrokenOff() || outcomes.length === 0) throw error;
    }
  }
  const [first] = outcomes;
  if (first === undefined) {
    options.signal?.throwIfAborted();
    throw new RangeError("at least one round is needed");
  }
  const results = [...tallies.values()].flatMap(steadyResult);
  const notes = [...new Set(outcomes.flatMap((outcome) => outcome.notes))];
  const stderrTail = tailOf(outcomes.map((outcome) => outcome.stderrTail).join(""));
  return { ...first, results, notes, stderrTail, ms: outcomes.reduce((sum, { ms }) => sum + ms, 0) };
}

/** How often a case came out like this, and the first time that it did: the exchanges of all rounds would fill the memory. */
interface Seen {
  readonly result: CaseResult;
  times: number;
}

function count(result: CaseResult, tally: Map<Outcome, Seen> | undefined): void {
  const seen = tally?.get(result.outcome);
  if (seen === undefined) tally?.set(result.outcome, { result, times: 1 });
  else seen.times += 1;
}

/** The one result of a case that came out the same each time; an error where it did not. None where it never ran. */
function steadyResult(tally: ReadonlyMap<Outcome, Seen>): CaseResult[] {
  const [first, ...others] = tally.values();
  if (first === undefined) return [];
  if (others.length === 0) return [first.result];
  const counts = [...tally].map(([outcome, { times }]) => `${times} ${outcome}`);
  const { result: bad } = [first, ...others].find(({ result }) => result.outcome !== "pass") ?? first;
  const because = bad.reason === undefined ? "" : `; ${bad.reason}`;
  return [{ ...bad, outcome: "error", reason: `differs from round to round: ${counts.join(", ")}${because}` }];
}

/** Fisher and Yates's shuffle: the same seed gives the same order everywhere. */
export function shuffled(cases: readonly Case[], seed: number): Case[] {
  const order = [...cases];
  const generator = xoroshiro128plus(seed);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = uniformInt(generator, 0, last);
    [order[last], order[chosen]] = [order[chosen] as Case, order[last] as Case];
  }
  return order;
}
