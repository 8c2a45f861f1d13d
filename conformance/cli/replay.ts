import { cases as suite } from "../catalogue.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { profileFor } from "../library/target-input.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import { runContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { EXIT, readOptions, type Command } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";
import { finishReport, interruptible } from "./interrupt.ts";
import { replayCases, scriptFor } from "./replays.ts";
import { allowHostUsage, readAllowedTarget, targetOptions } from "./target.ts";

const options = {
  ...targetOptions,
  profile: { type: "string" },
  script: { type: "boolean", default: false },
  ...deliveryOptions,
} as const;

export const command: Command = {
  summary: "send the requests that once showed a fault again",
  usage: `usage: webhooks-conformance replay FILE... --target FILE [options]
       webhooks-conformance replay FILE --script
  FILE                 replay files, as run --keep writes them
  --target FILE        target file: any target, not only the one with the fault
  --script             send nothing: print the requests as a script for bash and
                       curl, for people without this kit; its head says how to run it
  --profile NAME|FILE  as for run
${deliveryUsage}
${allowHostUsage}
exit codes: 0 fault not shown, 1 fault shown again, 2 usage, 3 target not reached,
            4 not tested, 130 interrupted`,

  async run(args) {
    const { values, positionals } = readOptions("replay", args, options, true);
    if (values.script) {
      const [file, ...others] = positionals;
      if (file === undefined || others.length > 0 || args.length > 2) {
        throw new UsageError("--script takes one FILE and nothing else: webhooks-conformance replay FILE --script");
      }
      process.stdout.write(await scriptFor(file));
      return EXIT.ok;
    }
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
