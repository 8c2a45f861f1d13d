import { cases as suite } from "../catalogue.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { profileFor } from "../library/target-input.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import { runContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { readOptions, type Command } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";
import { finishReport, interruptible } from "./interrupt.ts";
import { replayCases } from "./replays.ts";
import { allowHostUsage, readAllowedTarget, targetOptions } from "./target.ts";

const options = {
  ...targetOptions,
  profile: { type: "string" },
  ...deliveryOptions,
} as const;

export const command: Command = {
  summary: "send the requests that once showed a fault again",
  usage: `usage: webhooks-conformance replay FILE... --target FILE [options]
  FILE                 replay files, as run --keep writes them
  --target FILE        target file: any target, not only the one with the fault
  --profile NAME|FILE  as for run
${deliveryUsage}
${allowHostUsage}
exit codes: 0 fault not shown, 1 fault shown again, 2 usage, 3 target not reached,
            4 not tested, 128 + N ended by signal N (130: Ctrl-C)`,

  async run(args) {
    const { values, positionals } = readOptions("replay", args, options, true);
    if (positionals.length === 0 || values.target === undefined) {
      throw new UsageError("replay needs FILE and --target FILE (see: webhooks-conformance replay --help)");
    }
    const cases = await replayCases(positionals);
    const target = await readAllowedTarget(values.target, values["allow-host"]);
    const profile = await profileFor(target, values.profile);
    const delivery = await deliveryOf(values);
    const selection = { cases: cases.map(({ id }) => id), quick: false };
    const ended = await interruptible(async (live) => {
      const context = runContext({ target, profile, cases, keyring: await keyringFor(target), ...live });
      const outcome = await run(context);
      return conclude(draftReport({ ...context, outcome, suite, selection, failOn: "must" }), undefined);
    });
    return finishReport(ended, cases.length, async (report) => {
      await deliver(report, delivery);
      return report.verdict.exitCode;
    });
  },
};
