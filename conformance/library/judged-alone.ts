/**
 * A failure may be due to what the requests of other cases left in the target (a slot, a buffer, a cached answer), or to a
 * reload. The first failures are judged once more, each alone on a new start; one that passes there tells of such state.
 */
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { troublesOf, firstOf } from "../report/causes.ts";
import { runsAlone } from "../run/plan.ts";
import { canRestart } from "../targets/target-file.ts";
import { judgeCases, reportOf, type Asked, type Judged } from "./judging.ts";

const MOST_CASES = 3;
/** For all of them together, ms; failures that are not judged by then are reported without this. */
const MOST_MS = 10_000;

type Verdict = NonNullable<CaseResult["judgedAlone"]>;
const said: Readonly<Partial<Record<string, Verdict>>> = { fail: "fails", pass: "passes" };

/** The run with `judgedAlone` in the first of its failures. Nothing is sent to a target that the kit cannot start. */
export async function withJudgedAlone(asked: Asked, judged: Judged, signal: AbortSignal): Promise<Judged> {
  const { context, outcome } = judged;
  const hasFailed = outcome.results.some((result) => result.outcome === "fail");
  const mayBeReloaded =
    outcome.capabilities.includes("reload") && context.cases.some((item) => runsAlone(item, "driven"));
  // A case by itself had nothing before it but a reload.
  const isOnNewStart = context.cases.length < 2 && !mayBeReloaded;
  if (!hasFailed || signal.aborted || isOnNewStart || !canRestart(asked.target)) return judged;
  const ids = troublesOf(reportOf(asked, judged))
    .map(firstOf)
    .filter((first) => first.outcome === "fail" && first.story === undefined && first.seenIn === undefined)
    .slice(0, MOST_CASES)
    .map(({ id }) => id);
  // The time limit of the run includes this.
  const { maxMs, spentMs } = context;
  const live = {
    reloads: false,
    maxMs,
    signal: AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]),
    onResult: () => {},
  };
  const began = performance.now();
  const found = new Map<string, Verdict>();
  for (const item of context.cases.filter(({ id }) => ids.includes(id))) {
    const spent = spentMs + outcome.ms + performance.now() - began;
    const alone = await judgedAlone(asked, item, { ...live, spentMs: spent });
    if (alone !== undefined) found.set(item.id, alone);
  }
  const results = outcome.results.map((result) => ({ ...result, judgedAlone: found.get(result.id) }));
  return { context, outcome: { ...outcome, results } };
}

async function judgedAlone(asked: Asked, item: Case, live: Parameters<typeof judgeCases>[2]) {
  try {
    const { outcome } = await judgeCases(asked, [item], live);
    return said[outcome.results[0]?.outcome ?? ""];
  } catch {
    // Whatever is wrong with this start, the report of the run is not lost for it.
    return undefined;
  }
}
