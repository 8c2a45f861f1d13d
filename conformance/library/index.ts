/**
 * The library. Loading it costs next to nothing: the suite is loaded by the first call.
 * What stands here is what a user may rely on; everything else may move.
 */
import type { ConformanceOptions, ConformanceResult } from "./options.ts";
import type { HandlerSearch, HandlerSearchOptions } from "./search-handler.ts";
import type { Registration } from "./register.ts";
import type { TargetInput } from "./targets.ts";
import type { Profile } from "../interface/profile.ts";
import type { HandlerFactory } from "../targets/handler.ts";

export { StartError } from "../foundation/start-error.ts";
export { UsageError } from "../foundation/usage-error.ts";
export type { ConformanceOptions, ConformanceResult, Progress } from "./options.ts";
export type { RegisterGroup, Registration, RegisterTest, TestContext } from "./register.ts";
export type { HandlerFinding, HandlerSearch, HandlerSearchOptions } from "./search-handler.ts";
export type { HandlerTarget, LaunchTarget, TargetFields, TargetInput } from "./targets.ts";
export type { Profile } from "../interface/profile.ts";
export type { Report, ReportedResult } from "../report/report.ts";
export type { Handler, HandlerFactory, HandlerSetup } from "../targets/handler.ts";
export type { Launch, Launched, LaunchInput } from "../targets/launch.ts";

/**
 * Judges a target and gives the report with its verdict; the target has been stopped then. Rejects with `UsageError`
 * (the target's description or an option is wrong), `StartError` (it could not be started or reached), or the signal's
 * reason.
 */
export async function runConformance(
  target: TargetInput,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  const { run } = await import("./run-conformance.ts");
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
  const { searched } = await import("./search-handler.ts");
  return searched(handler, options);
}

/**
 * A profile, shipped (`spec`, `reference`, `openclaw`) or of a JSON file, whose name is relative to the working folder: for
 * what takes one, such as the fixtures. Rejects with `UsageError`.
 */
export async function readProfile(name: string): Promise<Profile> {
  const profiles = await import("../interface/profile.ts");
  return profiles.readProfile(name, ".");
}

/**
 * Registers each case as a test, named by its id and title, and one that every clause was judged. The run is shared and
 * starts with the first test. Await it where tests may be registered: at the top of a test file. Rejects with
 * `UsageError` for a case id that does not exist.
 */
export async function registerConformance(registration: Registration): Promise<void> {
  const { register } = await import("./register.ts");
  register(registration);
}
