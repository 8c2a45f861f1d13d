import { cases, casesAt } from "../catalogue.ts";
import { readBaseline } from "../report/baseline/read.ts";
import { judgeTarget } from "../library/judge-target.ts";
import { readProfile } from "../interface/profile.ts";
import { replayCommand, runCommand } from "../report/again.ts";
import type { Report } from "../report/report.ts";
import type { Selection } from "../run/selected.ts";
import { selectCases } from "../run/selection.ts";
import { refuseForeignHost } from "../targets/foreign-host.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readTarget } from "../targets/target-file.ts";
import { failOnLevels } from "../report/verdict.ts";
import { EXIT, oneOf, readOptions, wholeNumber, type Command } from "./command.ts";
import { brokenOff, judged } from "./judged.ts";
import { runManySeeds, seedsOf } from "./many-seeds.ts";
import { keepReplays, mustTakeReplays, replayCases, replaysIn } from "./replays.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";

export const options = {
  target: { type: "string" },
  profile: { type: "string" },
  baseline: { type: "string" },
  section: { type: "string", multiple: true },
  clause: { type: "string", multiple: true },
  case: { type: "string", multiple: true },
  capability: { type: "string", multiple: true },
  quick: { type: "boolean", default: false },
  shard: { type: "string" },
  ...deliveryOptions,
  "fail-on": { type: "string", default: "gap" },
  "allow-host": { type: "string", multiple: true },
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
  --profile NAME|FILE  what the target is held to where the interface leaves gaps
                       (default: the target file's; spec, reference, openclaw,
                       or a file)
  --baseline FILE      known deviations, each with a reason: these do not turn the run
                       red, but an entry that is no longer true does
  --section N          only cases of clauses in this section of the interface
  --clause ID          only cases of this clause
  --case ID|PATTERN    only this case, or those that a pattern with * and ? matches
  --capability NAME    only cases that need this capability of the target
                       (each may be repeated; a case has to be let through by every
                       kind that is given)
  --quick              leave out what lets real time pass or sends very many requests
  --shard I/N          only the I-th of N parts, for merge; all of the same size
${deliveryUsage}
  --fail-on LEVEL      must, gap (default) or should: which failures turn the run red
  --repeat N           run everything N times, each started target twice; a case
                       that does not come out the same is an error
  --shuffle SEED       in an order that this number makes
  --seed N             what the properties generate from (default: 1)
  --runs N             the properties with N seeds from --seed on, each on a target
                       started anew
  --minutes N          the same with as many seeds as are begun in N minutes
  --workers N          so many seeds at the same time (default: 1)
  --replays DIR        also send the requests of the replay files in DIR again
  --keep DIR           write what the properties find into DIR, as replay files
  --allow-host HOST    let a target listen on another host than this machine
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached,
            4 incomplete, 130 interrupted`,

  async run(args) {
    const { values } = readOptions("run", args, options);
    if (values.target === undefined)
      throw new UsageError("run needs --target FILE (see: webhooks-conformance run --help)");
    const failOn = oneOf("--fail-on", values["fail-on"], failOnLevels);
    const target = await readTarget(values.target);
    refuseForeignHost(target, values["allow-host"] ?? []);
    const profile = await readProfile(
      values.profile ?? target.profile,
      values.profile === undefined ? target.folder : ".",
    );
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
    const seeds = seedsOf(values, depth.seed, chosen, target);
    const delivery = await deliveryOf(values);
    if (values.keep !== undefined) await mustTakeReplays(values.keep);
    const again = runCommand({ target: values.target, profile: values.profile, allowHosts: values["allow-host"] });
    const finish = async (report: Report) => {
      await deliver(report, delivery);
      const kept = values.keep === undefined ? [] : await keepReplays(report, values.keep);
      for (const file of kept) process.stderr.write(`kept ${file}: ${replayCommand(file, again)}\n`);
      return report.verdict.exitCode;
    };
    if (seeds !== undefined) return runManySeeds(seeds, { selection, entries, finish });

    const what = { target, profile, cases: chosen, selection, failOn, baseline: entries, depth };
    const { outcome, interrupted } = await judged((more) => judgeTarget({ ...what, repeat, shuffle, again, ...more }));
    if (!interrupted) return finish(outcome as Report);
    const soFar = brokenOff(outcome, chosen.length);
    if (soFar !== undefined) await finish(soFar);
    return EXIT.interrupted;
  },
};

const NO_REPLAYS_IN_SHARDS =
  "--replays and --shard exclude each other, as merge puts the suite's cases together and no others:\n" +
  "send the files in a run of their own: webhooks-conformance replay FILE... --target FILE";

interface Filters {
  readonly section?: string[] | undefined;
  readonly clause?: string[] | undefined;
  readonly case?: string[] | undefined;
  readonly capability?: string[] | undefined;
  readonly quick: boolean;
  readonly shard?: string | undefined;
}

function selectionOf({ section, clause, case: patterns, capability, quick, shard }: Filters): Selection {
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
