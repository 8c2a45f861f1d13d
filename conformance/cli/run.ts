import { cases, casesAt } from "../cases/index.ts";
import { readBaseline } from "../baseline/read.ts";
import { judgeTarget, type JudgementOptions } from "../judgement.ts";
import { propertyCases } from "../properties/index.ts";
import type { Depth } from "../properties/search.ts";
import { readProfile } from "../profiles/profile.ts";
import { progress } from "../reports/progress.ts";
import type { Selection } from "../reports/report.ts";
import { selectCases } from "../selection.ts";
import { refuseForeignHost } from "../target/foreign-host.ts";
import { readTarget, UsageError } from "../target/target-file.ts";
import { failOnLevels } from "../verdict.ts";
import { EXIT, oneOf, readOptions, wholeNumber, type Command } from "./command.ts";
import { keepReplays, replayCases, replaysIn } from "./replays.ts";
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
  replays: { type: "string" },
  keep: { type: "string" },
} as const;

export const command: Command = {
  summary: "judge a target",
  usage: `usage: webhooks-conformance run --target FILE [options]
  --target FILE        target file (.json, .js, .mjs or .ts)
  --profile NAME|FILE  what the target is held to where the interface leaves gaps
                       (default: the target file's; spec, reference, or a file)
  --baseline FILE      known deviations, each with a reason: these do not turn the run
                       red, but an entry that is no longer true does
  --section N          only cases of clauses in this section of the interface
  --clause ID          only cases of this clause
  --case ID|PATTERN    only this case, or those that a pattern with * and ? matches
  --capability NAME    only cases that need this capability of the target
                       (each may be repeated; a case has to be let through by every
                       kind that is given)
  --quick              leave out what lets real time pass
  --shard I/N          only the I-th of N parts, for merge; all of the same size
${deliveryUsage}
  --fail-on LEVEL      must, gap (default) or should: which failures turn the run red
  --repeat N           run everything N times, each started target twice; a case
                       that does not come out the same is an error
  --shuffle SEED       in an order that this number makes
  --seed N             what the properties generate from (default: 1)
  --runs N             N times as many runs of each property
  --minutes N          properties go on for N minutes, all of them together
  --replays DIR        also send the requests of the replay files there again
  --keep DIR           write what the properties find there, as replay files
  --allow-host HOST    let a target listen on another host than this machine
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached, 4 incomplete`,

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
    const replays = values.replays === undefined ? [] : await replayCases(await replaysIn(values.replays));
    const chosen = [...selectCases(casesAt(depthOf(values)), selection), ...replays];
    const repeat = wholeNumber("--repeat", values.repeat, 1);
    const seed = values.shuffle === undefined ? undefined : wholeNumber("--shuffle", values.shuffle, 0);
    const known = { caseIds: cases.map(({ id }) => id), profile: profile.name };
    const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline, known);
    const delivery = await deliveryOf(values);

    const what = { target, profile, cases: chosen, selection, failOn, baseline: baseline?.entries };
    const heldTo = values.profile === undefined ? "" : ` --profile ${values.profile}`;
    const again = `webhooks-conformance run --target ${values.target}${heldTo}`;
    const report = await judged((more) => judgeTarget({ ...what, repeat, shuffle: seed, again, ...more }));
    if (report === "interrupted") return EXIT.interrupted;
    await deliver(report, delivery);
    const kept = values.keep === undefined ? [] : await keepReplays(report, values.keep);
    for (const file of kept) process.stderr.write(`kept ${file}: webhooks-conformance replay ${file} --target FILE\n`);
    return report.verdict.exitCode;
  },
};

/** How deep the properties look. */
function depthOf({ seed, runs, minutes }: { seed: string; runs: string; minutes?: string | undefined }): Depth {
  const depth = { seed: wholeNumber("--seed", seed, 0), times: wholeNumber("--runs", runs, 1) };
  if (minutes === undefined) return depth;
  return { ...depth, forMs: (wholeNumber("--minutes", minutes, 1) * 60_000) / propertyCases().length };
}

/** SIGHUP comes when the terminal is closed. */
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs with progress; Ctrl-C and its like stop the target first. */
export async function judged<T>(
  start: (more: Pick<JudgementOptions, "signal" | "onResult">) => Promise<T>,
): Promise<T | "interrupted"> {
  const interrupt = new AbortController();
  const interrupted = new Promise<"interrupted">((resolve) => {
    interrupt.signal.addEventListener("abort", () => resolve("interrupted"));
  });
  const onSignal = () => interrupt.abort();
  for (const signal of ENDINGS) process.on(signal, onSignal);
  const shown = progress(process.stderr.isTTY, (text) => process.stderr.write(text));
  const running = start({ signal: interrupt.signal, onResult: shown.onResult });
  try {
    const outcome = await Promise.race([running, interrupted]);
    if (outcome === "interrupted") {
      process.stderr.write("interrupted: stopping the target\n");
      // Cases under way end on their own deadline; the target must not outlive this line.
      setTimeout(() => process.exit(EXIT.interrupted), 2000).unref();
      await running.catch(() => undefined);
    }
    return outcome;
  } finally {
    shown.end();
    for (const signal of ENDINGS) process.off(signal, onSignal);
  }
}

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
