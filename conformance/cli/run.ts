import { cases, casesAt } from "../catalogue.ts";
import { readBaseline } from "../report/baseline/read.ts";
import { profileFor } from "../library/target-input.ts";
import { replayCommand, runCommand } from "../report/again.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import type { Report } from "../report/report.ts";
import { failOnLevels } from "../report/verdict.ts";
import { runContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { selectCases, type Selection } from "../run/selection.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { minutesIn, oneOf, readOptions, wholeNumber, type Command } from "./command.ts";
import { runManySeeds, seedPlan } from "./many-seeds.ts";
import { keepReplays, mustTakeReplays, replayCases, replaysIn } from "./replays.ts";
import { finishReport, interruptible } from "./interrupt.ts";
import { tell } from "./print.ts";
import { allowHostUsage, readAllowedTarget, targetOptions } from "./target.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";

export const options = {
  ...targetOptions,
  profile: { type: "string" },
  baseline: { type: "string" },
  section: { type: "string", multiple: true },
  clause: { type: "string", multiple: true },
  case: { type: "string", multiple: true },
  capability: { type: "string", multiple: true },
  quick: { type: "boolean", default: false },
  shard: { type: "string" },
  ...deliveryOptions,
  "max-minutes": { type: "string" },
  "fail-on": { type: "string", default: "gap" },
  repeat: { type: "string", default: "1" },
  shuffle: { type: "string" },
  seed: { type: "string", default: "1" },
  runs: { type: "string", default: "1" },
  minutes: { type: "string" },
  workers: { type: "string", default: "1" },
  replays: { type: "string" },
  keep: { type: "string" },
} as const;

export const command: Command = {
  summary: "judge a target",
  usage: `usage: webhooks-conformance run --target FILE [options]
  --target FILE        target file (.json, .js, .mjs or .ts)
  --profile NAME|FILE  what to expect where the interface leaves gaps: spec,
                       reference, openclaw or a file (default: the target file's)
  --baseline FILE      known deviations, each with a reason: these do not turn the run
                       red, but an entry that is no longer true does
  --section N          only cases of clauses in this section of the interface
  --clause ID          only cases of this clause
  --case ID|PATTERN    only this case, or those that a pattern with * and ? matches
  --capability NAME    only cases that need this capability of the target
                       (each may be repeated; a case has to match every kind of
                       filter that is given)
  --quick              leave out the cases that let real time pass or send very many
                       requests
  --shard I/N          only part I of N parts of about the same size, for merge
${deliveryUsage}
  --max-minutes N      end the run after N minutes, such as 2.5; cases without a result
                       are errors (default: three times the estimate, from 5 to 60)
  --fail-on LEVEL      must, gap (default) or should: which failures turn the run red
  --repeat N           run everything N times, twice on each start of the target; a
                       case whose outcome differs is an error
  --shuffle SEED       run the cases in an order made from this number
  --seed N             the seed of the properties' random requests (default: 1)
  --runs N             run the properties with N seeds from --seed on, each on a new
                       start of the target
  --minutes N          the same, starting new seeds for N minutes
  --workers N          how many seeds run at the same time (default: 1)
  --replays DIR        also send the requests of the replay files in DIR
  --keep DIR           write the faults that the properties find into DIR, as replay
                       files
${allowHostUsage}
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached,
            4 incomplete, 128 + N ended by signal N (130: Ctrl-C)`,

  async run(args) {
    const { values } = readOptions("run", args, options);
    if (values.target === undefined)
      throw new UsageError("run needs --target FILE; webhooks-conformance init writes one");
    const failOn = oneOf("--fail-on", values["fail-on"], failOnLevels);
    const allowHosts = values["allow-host"];
    const target = await readAllowedTarget(values.target, allowHosts);
    const profile = await profileFor(target, values.profile);
    const selection = selectionOf(values);
    if (values.replays !== undefined && values.shard !== undefined) throw new UsageError(NO_REPLAYS_IN_SHARDS);
    const depth = { seed: wholeNumber("--seed", values.seed, 0) };
    const replays = values.replays === undefined ? [] : await replayCases(await replaysIn(values.replays));
    const chosen = [...selectCases(casesAt(depth), selection), ...replays];
    const repeat = wholeNumber("--repeat", values.repeat, 1);
    const shuffle = values.shuffle === undefined ? undefined : wholeNumber("--shuffle", values.shuffle, 0);
    const known = { caseIds: cases.map(({ id }) => id), profile: profile.name };
    const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline, known);
    const entries = baseline?.entries;
    const maxMs = values["max-minutes"] === undefined ? undefined : minutesIn("--max-minutes", values["max-minutes"]);
    const seeds = seedPlan(values, depth.seed, chosen, target);
    const delivery = await deliveryOf(values);
    if (values.keep !== undefined) await mustTakeReplays(values.keep);
    const again = runCommand({ target: values.target, profile: values.profile, allowHosts });
    const finish = async (report: Report) => {
      await deliver(report, delivery);
      const kept = values.keep === undefined ? [] : await keepReplays(report, values.keep);
      for (const file of kept) tell(`kept ${file}: ${replayCommand(file, again)}\n`);
      return report.verdict.exitCode;
    };
    if (seeds !== undefined) return runManySeeds(seeds, { selection, entries, finish });

    const ended = await interruptible(async (live) => {
      const keyring = await keyringFor(target);
      const { quick } = selection;
      const context = runContext({ target, profile, cases: chosen, keyring, quick, repeat, shuffle, maxMs, ...live });
      const outcome = await run(context);
      return conclude(draftReport({ ...context, outcome, suite: cases, selection, failOn, again, depth }), entries);
    });
    return finishReport(ended, chosen.length, finish);
  },
};

const NO_REPLAYS_IN_SHARDS =
  "--replays and --shard exclude each other, as merge takes the cases of the suite only:\n" +
  "send the replay files in a run of their own: webhooks-conformance replay FILE... --target FILE";

type Values = ReturnType<typeof readOptions<typeof options>>["values"];

function selectionOf({ section, clause, case: patterns, capability, quick, shard }: Values): Selection {
  return {
    ...(section && { sections: section.map((text) => wholeNumber("--section", text, 1)) }),
    ...(clause && { clauses: clause }),
    ...(patterns && { cases: patterns }),
    ...(capability && { capabilities: capability }),
    quick,
    ...(shard !== undefined && { shard: shardNamed(shard) }),
  };
}

function shardNamed(text: string): { index: number; of: number } {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { index, of };
  throw new UsageError(`--shard is "${text}", expected I/N with I from 1 to N, such as 2/3`);
}
