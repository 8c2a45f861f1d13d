/**
 * The library. Loading it costs next to nothing: the suite is loaded by the first call.
 * What stands here is what a user may rely on; everything else may move.
 */
import type { ConformanceOptions, ConformanceResult } from "./library/options.ts";
import type { HandlerSearch, HandlerSearchOptions } from "./library/search-handler.ts";
import type { Registration } from "./library/register.ts";
import type { TargetInput } from "./library/targets.ts";
import type { Profile } from "./profiles/profile.ts";
import type { HandlerFactory } from "./target/in-process.ts";

export { StartError } from "./target/start-error.ts";
export { UsageError } from "./usage-error.ts";
export type { ConformanceOptions, ConformanceResult, Progress } from "./library/options.ts";
export type { RegisterGroup, Registration, RegisterTest, TestContext } from "./library/register.ts";
export type { HandlerFinding, HandlerSearch, HandlerSearchOptions } from "./library/search-handler.ts";
export type { HandlerTarget, LaunchTarget, TargetFields, TargetInput } from "./library/targets.ts";
export type { Profile } from "./profiles/profile.ts";
export type { Report, ReportedResult } from "./reports/report.ts";
export type { Handler, HandlerFactory, HandlerSetup } from "./target/in-process.ts";
export type { Launch, Launched, LaunchInput } from "./target/launch.ts";

/**
 * Judges a target and gives the report with its verdict; the target has been stopped then. Rejects with `UsageError`
 * (the target's description or an option is wrong), `StartError` (it could not be started or reached), or the signal's
 * reason.
 */
export async function runConformance(
  target: TargetInput,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  const { run } = await import("./library/run-conformance.ts");
  const report = await run(target, options);
  return { report, verdict: report.verdict };
}

/**
 * Looks for faults of a handler with the properties alone: it is called without sockets, and each answer is judged.
 * `handler` makes one for each story. Parsing of HTTP and connections are not exercised, and time is real. Rejects with
 * `UsageError` or the signal's reason.
 */
export async function searchHandler(
  handler: HandlerFactory,
  options: HandlerSearchOptions = {},
): Promise<HandlerSearch> {
  const { searched } = await import("./library/search-handler.ts");
  return searched(handler, options);
}

/**
 * A profile, shipped (`spec`, `reference`, `openclaw`) or of a JSON file, whose name is relative to the working folder: for
 * what takes one, such as the fixtures. Rejects with `UsageError`.
 */
export async function readProfile(name: string): Promise<Profile> {
  const profiles = await import("./profiles/profile.ts");
  return profiles.readProfile(name, ".");
}

/**
 * Registers each case as a test, named by its id and title, and one that every clause was judged. The run is shared and
 * starts with the first test. Await it where tests may be registered: at the top of a test file. Rejects with
 * `UsageError` for a case id that does not exist.
 */
export async function registerConformance(registration: Registration): Promise<void> {
  const { register } = await import("./library/register.ts");
  register(registration);
}
