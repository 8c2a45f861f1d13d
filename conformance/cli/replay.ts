import { cases as suite } from "../catalogue.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { profileFor } from "../library/target-input.ts";
import { runCommand } from "../report/again.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import { runContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { readOptions } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, removeOld } from "./deliver.ts";
import { withLive } from "./early.ts";
import { finishReport, interruptible, judgedOf } from "./interrupt.ts";
import { program } from "./print.ts";
import { replayCases } from "./replays.ts";
import { givenTarget, targetOptions } from "./target.ts";

export const options = {
  ...targetOptions,
  profile: { type: "string" },
  ...deliveryOptions,
  live: { type: "boolean", default: false },
} as const;

export async function command(args: string[]): Promise<number> {
  const { values, positionals } = readOptions("replay", args, options, true);
  if (positionals.length === 0) throw new UsageError("replay needs FILE (see: webhooks-conformance replay --help)");
  const cases = await replayCases(positionals);
  const { target, allowHosts, subject } = await givenTarget("replay", values);
  const profile = await profileFor(target, values.profile);
  const delivery = await deliveryOf(values);
  const again = runCommand({ subject, profile: values.profile, allowHosts, program: program() });
  const selection = { cases: cases.map(({ id }) => id), quick: false };
  await removeOld(delivery);
  const ended = await interruptible(async (shown) => {
    const live = { ...shown, onResult: withLive(shown, values.live, () => context.redact) };
    const context = runContext({ target, profile, cases, keyring: await keyringFor(target), ...live });
    const outcome = await run(context);
    return conclude(draftReport({ ...context, outcome, suite, selection, failOn: "must", again }), undefined);
  });
  return finishReport(ended, judgedOf(cases.length), (report) => deliver(report, delivery));
}
