/**
 * `npm run openclaw:survey [-- RUN ...]`: runs the suite against the peer in each way and keeps the findings, and the
 * matrix of the peer's versions. With `runtime`: what the peer's runtime answers to a plugin that checks nothing.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { StartError } from "../../foundation/start-error.ts";
import { renderComparison } from "../../report/comparisons.ts";
import { readReport } from "../../report/read.ts";
import { findingsSchema, runOf, type Findings } from "./findings.ts";
import { cacheFolder, install, uninstall } from "./install.ts";
import { commandLine, PEER_VERSION } from "./main.ts";
import { surveyRuntime, writeTarget, type Hosting } from "./targets.ts";

const findingsFile = join(import.meta.dirname, "findings.json");
/** The name of the survey of the peer's runtime, beside those of the runs. */
const RUNTIME = "runtime";
const runtimeFile = join(import.meta.dirname, "runtime.json");
const versionsFile = join(import.meta.dirname, "versions.md");

interface Plan {
  readonly name: string;
  readonly version: string;
  /** `own`: the plugin of this package in the embedded gateway, for comparison. */
  readonly hosting: Hosting | "own";
  readonly profile: string;
}

const now = { version: PEER_VERSION, profile: "reference" } as const;
const reference: Plan = { ...now, name: "reference", hosting: "peer" };
const earlier = ["2026.5.28", "2026.7.1", "2026.8.1"].map((version): Plan => {
  return { ...reference, name: `version ${version}`, version };
});
/** The columns of the matrix. */
const versions: readonly Plan[] = [...earlier, reference];
const plans: readonly Plan[] = [
  { ...now, name: "spec", hosting: "peer", profile: "spec" },
  reference,
  { ...now, name: "embedded", hosting: "embedded" },
  { ...now, name: "own", hosting: "own" },
  { ...now, name: "hosted", hosting: "hosted" },
  ...earlier,
];

/** The findings so far; none without a file. */
export async function readFindings(): Promise<Findings> {
  if (!existsSync(findingsFile)) return { runs: {}, absent: {} };
  return findingsSchema.parse(JSON.parse(await readFile(findingsFile, "utf8")));
}

/** The matrix of the versions, as Markdown; undefined without one. */
export async function readVersions(): Promise<string | undefined> {
  return existsSync(versionsFile) ? readFile(versionsFile, "utf8") : undefined;
}

/** Exit codes of a complete run: conformant, not conformant, incomplete. */
const JUDGED: readonly number[] = [0, 1, 4];

const reports = join(cacheFolder, "reports");
const reportOf = ({ name }: Plan): string => join(reports, `${name.replace(" ", "-")}.json`);

/** The reports of the peer's versions that are in the cache, oldest version first. */
export const versionReports = (): string[] => versions.map(reportOf).filter((file) => existsSync(file));

/** Runs one plan and returns the report's file, in the cache. Throws `StartError` where the target did not start. */
async function reportFor(plan: Plan): Promise<string> {
  await mkdir(reports, { recursive: true });
  const out = reportOf(plan);
  // Otherwise an earlier run's report could be mistaken for this one's.
  await rm(out, { force: true });
  const target =
    plan.hosting === "own"
      ? join(import.meta.dirname, "..", "..", "examples", "embedded.json")
      : await writeTarget(plan.hosting, plan.version, await install(plan.version));
  const code = await commandLine(["run", "--target", target, "--profile", plan.profile, "--report", `json=${out}`]);
  if (code === 3) throw new StartError("it did not start");
  if (!JUDGED.includes(code)) throw new Error(`${plan.name}: the run ended with exit code ${code}, and judged nothing`);
  return out;
}

async function survey(names: readonly string[]): Promise<void> {
  const findings = await readFindings();
  for (const plan of plans.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stderr.write(`${plan.name}\n`);
    try {
      const report = await readReport(await reportFor(plan));
      if (plan.version === PEER_VERSION) findings.runs[plan.name] = runOf(report);
      delete findings.absent[plan.name];
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      findings.absent[plan.name] = error.message.split("\n")[0] ?? "";
    }
    if (plan.version !== PEER_VERSION) await uninstall(plan.version);
    await writeFile(findingsFile, await format(JSON.stringify(findings), { parser: "json", printWidth: 120 }));
  }
  if (names.length === 0 || names.includes(RUNTIME)) {
    const answers = await surveyRuntime(PEER_VERSION, await install(PEER_VERSION));
    await writeFile(runtimeFile, await format(JSON.stringify(answers), { parser: "json", printWidth: 120 }));
  }
  await compareVersions();
}

/** Columns of several suites would show differences between the suites. */
async function compareVersions(): Promise<void> {
  const found = await Promise.all(versionReports().map(readReport));
  const suites = new Set(found.map(({ suite }) => JSON.stringify(suite)));
  if (found.length < 2 || suites.size > 1) {
    process.stderr.write(
      `no matrix: ${found.length} reports of ${suites.size} suites; run the survey of every version\n`,
    );
    return;
  }
  const text = renderComparison("markdown", found, "section", true);
  await writeFile(versionsFile, await format(text, { parser: "markdown", printWidth: 120 }));
}

if (process.argv[1] === import.meta.filename) {
  await survey(process.argv.slice(2));
}
