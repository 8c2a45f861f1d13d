import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline/promises";
import { finished } from "node:stream/promises";
import { casesAt } from "../catalogue.ts";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Case } from "../harness/case.ts";
import { withJudgedAlone } from "../library/judged-alone.ts";
import { judgeCases, reportOf, type Asked, type OnResult } from "../library/judging.ts";
import { entriesIn } from "../library/suite-baseline.ts";
import { profileFor } from "../library/target-input.ts";
import { replayCommand, runCommand, serveCommand } from "../report/again.ts";
import type { Report } from "../report/report.ts";
import { failOnLevels } from "../report/verdict.ts";
import { selectCases, type Selection } from "../run/selection.ts";
import { INSPECTED, inspected } from "../targets/plugin-target.ts";
import { minutesIn, oneOf, orUsageError, readOptions, wholeNumber } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, removeOld } from "./deliver.ts";
import { bail, withLive } from "./early.ts";
import { finishReport, interruptible, judgedOf } from "./interrupt.ts";
import { keepFailed, lastFailed, type TargetIdentity } from "./last-run.ts";
import { isProperty, judgeSeeds, seedCount, seedsJudged } from "./many-seeds.ts";
import { complaint, program, tell } from "./print.ts";
import { keepReplays, mustTakeReplays, replayCases, replaysIn } from "./replays.ts";
import { givenTarget, targetOptions } from "./target.ts";
import { watch } from "./watch.ts";

export const options = {
  ...targetOptions,
  profile: { type: "string" },
  baseline: { type: "string" },
  section: { type: "string", multiple: true },
  clause: { type: "string", multiple: true },
  case: { type: "string", multiple: true },
  capability: { type: "string", multiple: true },
  row: { type: "string", multiple: true },
  failed: { type: "boolean", default: false },
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
  log: { type: "string" },
  inspect: { type: "boolean", default: false },
  watch: { type: "boolean", default: false },
  "watch-dir": { type: "string", multiple: true },
} as const;

export async function command(args: string[]): Promise<number> {
  const { values } = readOptions("run", args, options);
  refuseTogether(values);
  if (values["watch-dir"] !== undefined && !values.watch) throw new UsageError("--watch-dir goes with --watch");
  const failOn = oneOf("--fail-on", values["fail-on"], failOnLevels);
  const { target: given, allowHosts, subject, served } = await givenTarget("run", values);
  const target = values.inspect ? inspected(given) : given;
  const profile = await profileFor(target, values.profile);
  const held = { subject, profile: profile.name };
  const selection = selectionOf(values, values.failed ? await lastFailed(held) : undefined);
  const seed = wholeNumber("--seed", values.seed, 0);
  const replays = values.replays === undefined ? [] : await replayCases(await replaysIn(values.replays));
  const chosen = [...selectCases(casesAt(seed), selection), ...replays];
  if (values.inspect && (values.plugin === undefined || chosen.length > 1))
    throw new UsageError("--inspect goes with --plugin and one case: name it with --case");
  const entries = await entriesIn(values.baseline, profile.name);
  const again = runCommand({ subject, profile: values.profile, allowHosts, program: program() });
  const serve = served && serveCommand(served, program());
  const asked = { target, profile, selection, entries, failOn, again, serve };
  if (values.watch) {
    const files = { target, plugin: values.plugin, dirs: values["watch-dir"] ?? [] };
    return watch(asked, { chosen, held, files, verbose: values.verbose });
  }
  return judgeOnce(asked, chosen, { values, args, seed, held });
}

interface Once {
  readonly values: Values;
  readonly args: readonly string[];
  readonly seed: number;
  readonly held: TargetIdentity;
}

/** How long `--inspect` lets a case take, minutes: the person at the breakpoint decides when it goes on. */
const DAY = "1440";

async function judgeOnce(
  asked: Asked & { again: string },
  chosen: readonly Case[],
  { values, args, seed, held }: Once,
): Promise<number> {
  const { entries, failOn, selection, again } = asked;
  const minutes = values["max-minutes"] ?? (values.inspect ? DAY : undefined);
  const maxMs = minutes === undefined ? undefined : minutesIn("--max-minutes", minutes);
  const after = values.bail === undefined ? undefined : wholeNumber("--bail", values.bail, 1);
  const count = seedCount(values, chosen);
  const delivery = await deliveryOf(values);
  const log = values.log === undefined ? undefined : await logFile(values.log);
  if (values.keep !== undefined) await mustTakeReplays(values.keep);
  const finish = async (report: Report) => {
    const faults: string[] = [];
    await log?.end(faults);
    await keepFailed(report, held);
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
    const signal = AbortSignal.any([shown.signal, enough.signal]);
    // With many seeds there is a line for each, and none for each case.
    const each = count === 1 ? shown : { onResult: () => {}, onNotice: () => {}, onEstimate: () => {} };
    const told = withLive({ ...each, onNotice: shown.onNotice }, values.live);
    const onResult: OnResult = (result, total, redact) => {
      told(result, total, redact);
      enough.count(result);
    };
    const judge = async (one: number): Promise<Report> => {
      const judged = one === seed ? chosen : selectCases(casesAt(one), selection).filter(isProperty);
      const onEstimate = values.inspect ? debuggerAttached : each.onEstimate;
      const live = {
        ...each,
        onEstimate,
        onResult,
        signal,
        maxMs,
        spentMs: performance.now() - began,
        onTraffic: log?.write,
      };
      const done = await judgeCases(asked, judged, live);
      const stopped = done.outcome.results.length < judged.length ? enough.reason() : undefined;
      // With --bail the time counts, and with many seeds the others' findings.
      const isWhole = count === 1 && after === undefined;
      return reportOf(asked, isWhole ? await withJudgedAlone(asked, done, signal) : done, one, stopped);
    };
    return judgeSeeds(seed, count, { judge, isStopped: () => signal.aborted, onProgress: shown.onNotice });
  });
  const judgedBy = count === 1 ? judgedOf(chosen.length) : seedsJudged;
  return finishReport(ended, judgedBy, finish);
}

/** The plugin runs, and only the case's requests will come to its breakpoints. */
async function debuggerAttached(): Promise<void> {
  tell(`attach a debugger to ${INSPECTED} (Chrome: chrome://inspect), and set breakpoints\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // A pipe that has ended means as much as Enter.
  await Promise.race([once(lines, "close"), lines.question("Enter sends the requests of the case: ")]);
  lines.close();
}

/** Options that exclude each other, and why. */
const APART = [
  ["row", "baseline", "as an entry stands for all rows of a case"],
  ["bail", "shard", "as merge takes whole shards only"],
  [
    "replays",
    "shard",
    "as merge takes the cases of the suite only:\n" +
      "send the replay files in a run of their own: webhooks-conformance replay FILE... --target FILE",
  ],
  ["failed", "case", "as both choose cases"],
  ["failed", "shard", "as what failed is no part of the suite that another run completes"],
  ...(["shard", "runs", "replays", "keep", "bail", "max-minutes", "report", "log", "inspect"] as const).map(
    (option) => ["watch", option, "as a watch goes on until it is ended: use it in a run of its own"] as const,
  ),
] as const;

/** Throws `UsageError` for two options that exclude each other. */
function refuseTogether(values: Values): void {
  const isGiven = (option: keyof Values) =>
    ![undefined, false, options[option as "runs"].default].includes(values[option] as never);
  const pair = APART.find(([one, other]) => isGiven(one) && isGiven(other));
  if (pair !== undefined) throw new UsageError(`--${pair[0]} and --${pair[1]} exclude each other, ${pair[2]}`);
}

type Values = ReturnType<typeof readOptions<typeof options>>["values"];

/** `failing`: of `--failed`, the ids that it stands for. Throws `UsageError` where there is none. */
function selectionOf(
  { section, clause, case: patterns, capability, row, quick, shard }: Values,
  failing?: readonly string[],
): Selection {
  if (failing?.length === 0)
    throw new UsageError("no case is known to have failed when this target was judged last: run without --failed");
  return {
    sections: section?.map((text) => wholeNumber("--section", text, 1)),
    clauses: clause,
    cases: failing ?? patterns,
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

/** The file of `--log`, written while the run goes on, so that one can look into it. Throws `UsageError`. */
async function logFile(file: string) {
  const stream = createWriteStream(file);
  await orUsageError(`--log ${file} could not be written`, () => once(stream, "open"));
  const ending = finished(stream).catch((error: unknown) => error);
  return {
    write: (line: string) => void (stream.writable && stream.write(line)),
    /** Adds a line to `faults` if the log could not be written whole. */
    async end(faults: string[]) {
      stream.end();
      const error = await ending;
      if (error !== undefined)
        faults.push(`webhooks-conformance: --log ${file} could not be written: ${safeLine(firstLineOf(error))}\n`);
    },
  };
}
