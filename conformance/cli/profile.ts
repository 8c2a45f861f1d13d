import { safeJson } from "../foundation/safe-text.ts";
import { learn, type LearnedProfile } from "../doctor/learn.ts";
import { profileFor } from "../library/target-input.ts";
import { wrap } from "../report/wrap.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT, readOptions } from "./command.ts";
import { deliverText, mustBeWritable } from "./deliver.ts";
import { interruptible } from "./interrupt.ts";
import { tell } from "./print.ts";
import { givenTarget, targetOptions } from "./target.ts";

export const options = { ...targetOptions, out: { type: "string" } } as const;

export async function command([verb, ...args]: string[]): Promise<number> {
  if (verb !== "learn")
    throw new UsageError("profile has one command: profile learn (see: webhooks-conformance profile --help)");
  const { values } = readOptions("profile", args, options);
  const { target } = await givenTarget("profile learn", values);
  const profile = await profileFor(target, undefined);
  const keyring = await keyringFor(target);
  if (values.out !== undefined) await mustBeWritable(values.out);
  const { outcome: learned, interrupted } = await interruptible(
    (live) => learn({ target, profile, keyring, ...live }),
    told,
  );
  if (interrupted !== undefined || learned === undefined) return interrupted ?? EXIT.incomplete;
  const { fields, gaps } = learned.profile;
  const observed = { name: target.name, description: `Observed on ${target.name}; review it.`, fields, gaps };
  await deliverText(`${safeJson(observed)}\n`, values.out);
  tell(summary(learned));
  return EXIT.ok;
}

/** Failures are not counted: a value that is tried need not be the target's. */
const told = (done: number, total: number): string => `${done}/${total} trials`;

function summary({ profile, leftOut }: LearnedProfile): string {
  const lines = leftOut.flatMap(({ gap, reason }) => wrap(`${gap}: ${reason}`, "  ", 4));
  return `${[`${Object.keys(profile.gaps).length} gaps observed, ${leftOut.length} left out`, ...lines].join("\n")}\n`;
}
