/** Judges one subject in this process. */
import type { Case } from "../case.ts";
import { readProfile } from "../profiles/profile.ts";
import { run, type RunOutcome } from "../run.ts";
import { keyringFor } from "../target/keyring.ts";
import type { Target } from "../target/target-file.ts";
import { subjectTarget } from "./launch.ts";
import type { Change } from "./subject.ts";

export type ProfileName = "spec" | "reference";

export async function judgeSubject(
  id: string,
  change: Change,
  profile: ProfileName,
  cases: readonly Case[],
): Promise<RunOutcome> {
  return judgeTarget(subjectTarget(id, change), profile, cases);
}

export async function judgeTarget(
  target: Target,
  profileName: ProfileName,
  cases: readonly Case[],
): Promise<RunOutcome> {
  const profile = await readProfile(profileName, ".");
  return run({ target, profile, cases, keyring: await keyringFor(target), quick: false });
}
