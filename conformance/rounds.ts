/** Running the suite again and again: does every case come out the same, in any order, also twice on one target? */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Case } from "./case.ts";
import type { CaseResult, Outcome } from "./result.ts";
import { run, type RunOptions, type RunOutcome } from "./run.ts";
import { tailOf } from "./target/tail.ts";

/** Two on one target show what the first round leaves behind; more would only judge a target full of flows. */
const ROUNDS_PER_TARGET = 2;

/**
 * Runs the cases `repeat` times; with a seed each pair of rounds has an order of its own. Throws `StartError`, and the
 * signal's reason where that was aborted before anything ran.
 */
export async function runRounds(options: RunOptions, repeat: number, seed: number | undefined): Promise<RunOutcome> {
  const outcomes: RunOutcome[] = [];
  const isBrokenOff = () => options.signal?.aborted === true;
  for (let done = 0; done < repeat && !isBrokenOff(); done += ROUNDS_PER_TARGET) {
    const cases = seed === undefined ? options.cases : shuffled(options.cases, seed + done);
    const rounds = Math.min(ROUNDS_PER_TARGET, repeat - done);
    // Told of the whole, of which one run is a part.
    const onResult = options.onResult && ((result: CaseResult) => options.onResult?.(result, cases.length * repeat));
    try {
      outcomes.push(await run({ ...options, cases, rounds, ...(onResult && { onResult }) }));
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
  const all = outcomes.flatMap(({ results }) => results);
  const results = options.cases.flatMap(({ id }) => steadyResult(all.filter((result) => result.id === id)));
  const notes = [...new Set(outcomes.flatMap((outcome) => outcome.notes))];
  const stderrTail = tailOf(outcomes.map((outcome) => outcome.stderrTail).join(""));
  return { ...first, results, notes, stderrTail, ms: outcomes.reduce((sum, { ms }) => sum + ms, 0) };
}

/** The one result of a case that came out the same each time; an error where it did not. */
function steadyResult(results: readonly CaseResult[]): CaseResult[] {
  const outcomes = new Map<Outcome, CaseResult>();
  for (const result of results) outcomes.set(result.outcome, result);
  const [first] = results;
  if (first === undefined) return [];
  if (outcomes.size === 1) return [first];
  const counts = [...outcomes.keys()].map((outcome) => {
    return `${results.filter((result) => result.outcome === outcome).length} ${outcome}`;
  });
  const bad = [...outcomes.values()].find(({ outcome }) => outcome !== "pass") ?? first;
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
