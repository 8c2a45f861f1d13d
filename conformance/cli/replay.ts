import { UsageError } from "../foundation/usage-error.ts";
import { profileFor } from "../library/target-input.ts";
import { runCommand } from "../report/again.ts";
import { readOptions } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, removeOld } from "./deliver.ts";
import { withLive } from "./early.ts";
import { finishReport, interruptible, judgedOf } from "./interrupt.ts";
import { judgeCases, reportOf } from "../library/judging.ts";
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
  const asked = { target, profile, selection, entries: undefined, failOn: "must", again } as const;
  await removeOld(delivery);
  const ended = await interruptible(async (shown) =>
    reportOf(asked, await judgeCases(asked, cases, { ...shown, onResult: withLive(shown, values.live) })),
  );
  return finishReport(ended, judgedOf(cases.length), (report) => deliver(report, delivery));
}
