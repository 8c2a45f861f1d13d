/** Judges subjects and stubs in this process. */
import type { Case } from "../harness/case.ts";
import type { CaseResult } from "../harness/result.ts";
import { readProfile } from "../interface/profile.ts";
import { runContext } from "../run/context.ts";
import { run, type RunOutcome } from "../run/run.ts";
import type { Launch } from "../targets/launch.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import type { Target } from "../targets/target-file.ts";
import { launchedTarget, launchOf } from "./launch.ts";
import { startStub, type Stub } from "./stubs.ts";
import type { Change } from "./subject.ts";

/** What is proved must not depend on how busy the machine is, ms. */
const MOST_MS = 3_600_000;

/** A stub answers at once or never. */
const STUB_TIMEOUT_MS = 2000;

type ProfileName = "spec" | "reference";

export async function runSuite(
  target: Target,
  profileName: ProfileName,
  cases: readonly Case[],
  bail = false,
): Promise<RunOutcome> {
  const profile = await readProfile(profileName, ".");
  const ending = new AbortController();
  const onResult = ({ outcome }: CaseResult) => void (bail && outcome === "fail" && ending.abort());
  const keyring = await keyringFor(target);
  // That a case fails is enough.
  const settings = { mostFindings: 1, maxMs: MOST_MS, onResult, signal: ending.signal };
  return run(runContext({ target, profile, cases, keyring, ...settings }));
}

/** `realTime`: the subject's clock is the system's. `bail`: the run ends with the first failure. */
export async function judgeSubject(
  id: string,
  change: Change,
  profile: ProfileName,
  cases: readonly Case[],
  { realTime = false, bail = false } = {},
): Promise<RunOutcome> {
  return runSuite(launchedTarget(id, launchOf(change, realTime)), profile, cases, bail);
}

export async function judgeStub(stub: Stub, cases: readonly Case[]): Promise<RunOutcome> {
  // A stub that never answers with an envelope uses all of it.
  const readyTimeoutMs = typeof stub.answer === "function" ? 2000 : 600;
  const start = { command: ["launched in process"], readyTimeoutMs };
  const launch: Launch = async () => ({ ...(await startStub(stub, 0, 0)), ending: undefined, stderrTail: "" });
  return runSuite(launchedTarget(stub.id, launch, { requestTimeoutMs: STUB_TIMEOUT_MS, start }), "spec", cases);
}
