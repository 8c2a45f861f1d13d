import { cases, casesAt } from "../catalogue.ts";
import { entriesIn } from "../library/suite-baseline.ts";
import { profileFor } from "../library/target-input.ts";
import { replayCommand, runCommand } from "../report/again.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import type { Report } from "../report/report.ts";
import { failOnLevels } from "../report/verdict.ts";
import { runContext, type RunContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { selectCases, type Selection } from "../run/selection.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { minutesIn, oneOf, readOptions, wholeNumber } from "./command.ts";
import { bail, withLive } from "./early.ts";
import { isProperty, judgeSeeds, seedCount, seedsJudged } from "./many-seeds.ts";
import { keepReplays, mustTakeReplays, replayCases, replaysIn } from "./replays.ts";
import { finishReport, interruptible, judgedOf } from "./interrupt.ts";
import { complaint, program, tell } from "./print.ts";
import { givenTarget, targetOptions } from "./target.ts";
import { deliver, deliveryOf, deliveryOptions, removeOld } from "./deliver.ts";

export const options = {
  ...targetOptions,
  profile: { type: "string" },
  baseline: { type: "string" },
  section: { type: "string", multiple: true },
  clause: { type: "string", multiple: true },
  case: { type: "string", multiple: true },
  capability: { type: "string", multiple: true },
  row: { type: "string", multiple: true },
  quick: { type: "boolean", default: false },
  shard: { type: "string" },
  ...deliveryOptions,
  "max-minutes": { type: "string" },
  "fail-on": { type: "string", default: "gap" },
  seed: { type: "string", default: "1" },
  runs: { type: "string", default: "1" },
  replays: { type: "string" },
  keep: { type: "string" },
  bail: { type: "string" },
  live: { type: "boolean", default: false },
} as const;

export async function command(args: string[]): Promise<number> {
  const { values } = readOptions("run", args, options);
  const failOn = oneOf("--fail-on", values["fail-on"], failOnLevels);
  const { target, allowHosts, subject } = await givenTarget("run", values);
  const profile = await profileFor(target, values.profile);
  const selection = selectionOf(values);
  if (values.replays !== undefined && values.shard !== undefined) throw new UsageError(NO_REPLAYS_IN_SHARDS);
  const first = wholeNumber("--seed", values.seed, 0);
  const replays = values.replays === undefined ? [] : await replayCases(await replaysIn(values.replays));
  const chosen = [...selectCases(casesAt({ seed: first }), selection), ...replays];
  const entries = await entriesIn(values.baseline, profile.name);
  if (entries !== undefined && selection.row !== undefined) throw new UsageError(NO_BASELINE_OF_A_ROW);
  const maxMs = values["max-minutes"] === undefined ? undefined : minutesIn("--max-minutes", values["max-minutes"]);
  const after = values.bail === undefined ? undefined : wholeNumber("--bail", values.bail, 1);
  if (after !== undefined && values.shard !== undefined) throw new UsageError(NO_BAIL_IN_SHARDS);
  const count = seedCount(values, chosen);
  const delivery = await deliveryOf(values);
  if (values.keep !== undefined) await mustTakeReplays(values.keep);
  const again = runCommand({ subject, profile: values.profile, allowHosts, program: program() });
  const finish = async (report: Report) => {
    const faults: string[] = [];
    try {
      const kept = values.keep === undefined ? [] : await keepReplays(report, values.keep);
      for (const file of kept) tell(`kept ${file}: ${replayCommand(file, again)}\n`);
    } catch (error) {
      faults.push(complaint(error as Error, args));
    }
    return deliver(report, delivery, faults);
  };
  await removeOld(delivery);
  const began = performance.now();
  const enough = bail(after, failOn, entries?.map((entry) => entry.case) ?? []);
  const ended = await interruptible(async (shown) => {
    const { quick } = selection;
    const signal = AbortSignal.any([shown.signal, enough.signal]);
    // With many seeds there is a line for each, and none for each case.
    const each = count === 1 ? shown : { onResult: () => {}, onNotice: () => {}, onEstimate: () => {} };
    const judge = async (seed: number): Promise<Report> => {
      const keyring = await keyringFor(target);
      const judged = seed === first ? chosen : selectCases(casesAt({ seed }), selection).filter(isProperty);
      const told = withLive({ ...each, onNotice: shown.onNotice }, values.live, () => context.redact);
      const onResult: RunContext["onResult"] = (result, total) => {
        told(result, total);
        enough.count(result);
      };
      const live = { ...each, onResult, signal, spentMs: performance.now() - began };
      const context = runContext({ target, profile, cases: judged, keyring, quick, maxMs, ...live });
      const outcome = await run(context);
      const stopped = outcome.results.length < judged.length ? enough.reason() : undefined;
      const facts = { ...context, outcome, suite: cases, selection, failOn, again, depth: { seed }, stopped };
      return conclude(draftReport(facts), entries);
    };
    return judgeSeeds(first, count, { judge, isStopped: () => signal.aborted, onProgress: shown.onNotice });
  });
  const judgedBy = count === 1 ? judgedOf(chosen.length) : seedsJudged;
  return finishReport(ended, judgedBy, finish);
}

const NO_BASELINE_OF_A_ROW = "--row and --baseline exclude each other, as an entry stands for all rows of a case";
const NO_BAIL_IN_SHARDS = "--bail and --shard exclude each other, as merge takes whole shards only";
const NO_REPLAYS_IN_SHARDS =
  "--replays and --shard exclude each other, as merge takes the cases of the suite only:\n" +
  "send the replay files in a run of their own: webhooks-conformance replay FILE... --target FILE";

type Values = ReturnType<typeof readOptions<typeof options>>["values"];

function selectionOf({ section, clause, case: patterns, capability, row, quick, shard }: Values): Selection {
  return {
    sections: section?.map((text) => wholeNumber("--section", text, 1)),
    clauses: clause,
    cases: patterns,
    capabilities: capability,
    row,
    quick,
    shard: shard === undefined ? undefined : shardNamed(shard),
  };
}

function shardNamed(text: string): { index: number; of: number } {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { index, of };
  throw new UsageError(`--shard is "${text}", expected I/N with I from 1 to N, such as 2/3`);
}
