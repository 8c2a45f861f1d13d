/**
 * A failure may be due to what the requests of other cases left in the target: a slot, a buffer, a cached answer. The first
 * failures are judged once more, each alone on a new start; one that passes there tells of such state.
 */
import { StartError } from "../foundation/start-error.ts";
import { HarnessError } from "../http/harness-error.ts";
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { troublesOf, firstOf } from "../report/causes.ts";
import { canRestart } from "../targets/target-file.ts";
import { judgeCases, reportOf, type Asked, type Judged } from "./judging.ts";

const MOST_CASES = 3;
/** For all of them, ms: what is not judged by then is not told. */
const MOST_MS = 10_000;

type Verdict = NonNullable<CaseResult["judgedAlone"]>;
const said: Readonly<Partial<Record<string, Verdict>>> = { fail: "fails", pass: "passes" };

/** The run with `judgedAlone` in the first results of its first failures. Nothing is sent to a target that the kit cannot start. */
export async function withJudgedAlone(asked: Asked, judged: Judged, signal: AbortSignal): Promise<Judged> {
  const { context, outcome } = judged;
  if (signal.aborted || context.cases.length < 2 || !canRestart(asked.target)) return judged;
  const ids = troublesOf(reportOf(asked, judged))
    .map(firstOf)
    .filter((first) => first.outcome === "fail" && first.story === undefined && first.seenIn === undefined)
    .slice(0, MOST_CASES)
    .map(({ id }) => id);
  const until = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  const found = new Map<string, Verdict>();
  for (const item of context.cases.filter(({ id }) => ids.includes(id))) {
    const alone = said[(await judgedAlone(asked, item, until)) ?? ""];
    if (alone !== undefined) found.set(item.id, alone);
  }
  const results = outcome.results.map((result) => ({ ...result, judgedAlone: found.get(result.id) }));
  return { context, outcome: { ...outcome, results } };
}

async function judgedAlone(asked: Asked, item: Case, signal: AbortSignal) {
  try {
    const { outcome } = await judgeCases(asked, [item], { signal, onResult: () => {} });
    return outcome.results[0]?.outcome;
  } catch (error) {
    if (signal.aborted || error instanceof StartError || error instanceof HarnessError) return undefined;
    throw error;
  }
}
