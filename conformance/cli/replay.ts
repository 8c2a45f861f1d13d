import { judgeTarget } from "../library/judge-target.ts";
import { readProfile } from "../interface/profile.ts";
import { refuseForeignHost } from "../targets/foreign-host.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readTarget } from "../targets/target-file.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";
import { replayCases } from "./replays.ts";
import { brokenOff, judged } from "./judged.ts";

const options = {
  target: { type: "string" },
  profile: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  ...deliveryOptions,
} as const;

export const command: Command = {
  summary: "send the requests again that once showed a fault",
  usage: `usage: webhooks-conformance replay FILE... --target FILE [options]
  FILE                 replay files, as run --keep writes them
  --target FILE        target file: any target, not only the one that showed it
  --profile NAME|FILE  as for run
${deliveryUsage}
  --allow-host HOST    let a target listen on another host than this machine
exit codes: 0 nothing shown, 1 shown again, 2 usage, 3 target not reached,
            4 not put to the test`,

  async run(args) {
    const { values, positionals } = readOptions("replay", args, options, true);
    if (positionals.length === 0 || values.target === undefined) {
      throw new UsageError("replay needs FILE and --target FILE (see: webhooks-conformance replay --help)");
    }
    const cases = await replayCases(positionals);
    const target = await readTarget(values.target);
    refuseForeignHost(target, values["allow-host"] ?? []);
    const folder = values.profile === undefined ? target.folder : ".";
    const profile = await readProfile(values.profile ?? target.profile, folder);
    const delivery = await deliveryOf(values);
    const selection = { cases: cases.map(({ id }) => id), quick: false };
    const { outcome, interrupted } = await judged((more) =>
      judgeTarget({ target, profile, cases, selection, failOn: "must", ...more }),
    );
    const report = interrupted ? brokenOff(outcome, cases.length) : outcome;
    if (report !== undefined) await deliver(report, delivery);
    return interrupted || report === undefined ? EXIT.interrupted : report.verdict.exitCode;
  },
};
