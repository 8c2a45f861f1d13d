/**
 * The public library: everything that is not exported here may change in any release.
 * Importing it is cheap, since the first call loads the suite.
 */
import type { ConformanceOptions, ConformanceResult } from "./run-conformance.ts";
import type { Registration } from "./register.ts";
import type { TargetInput } from "./target-input.ts";
import type { Profile } from "../interface/profile.ts";

export { StartError } from "../foundation/start-error.ts";
export { UsageError } from "../foundation/usage-error.ts";
export type { ConformanceOptions, ConformanceResult, Progress } from "./run-conformance.ts";
export type { RegisterGroup, Registration, RegisterTest, TestContext } from "./register.ts";
export type { HandlerTarget, LaunchTarget, PluginTarget, TargetFields, TargetInput } from "./target-input.ts";
export type { Profile } from "../interface/profile.ts";
export type { Report, ReportedResult } from "../report/report.ts";
export type { Handler, HandlerFactory, HandlerSetup } from "../targets/in-process.ts";
export type { Launch, Launched, LaunchInput } from "../targets/launch.ts";

/**
 * Judges a target, stops it, and resolves with the report and its verdict. Rejects with `UsageError` (the target's
 * description or an option is wrong), `StartError` (the target could not be started or reached), or the signal's reason.
 */
export async function runConformance(
  target: TargetInput,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  const { reportOn } = await import("./run-conformance.ts");
  const report = await reportOn(target, options);
  return { report, verdict: report.verdict };
}

/**
 * Reads a profile for functions that take one, such as those of the fixtures: a shipped one (`spec`, `reference`,
 * `openclaw`), or a JSON file relative to the working folder. Rejects with `UsageError`.
 */
export async function readProfile(name: string): Promise<Profile> {
  const profiles = await import("../interface/profile.ts");
  return profiles.readProfile(name, ".");
}

/**
 * Registers each case as a test, named by its id and title, and one test that every clause was judged. All tests share
 * one run, which starts with the first of them. Await the call where tests may be registered: at the top of a test file.
 * Rejects with `UsageError` for a case id that does not exist.
 */
export async function registerConformance(registration: Registration): Promise<void> {
  const { register } = await import("./register.ts");
  register(registration);
}
