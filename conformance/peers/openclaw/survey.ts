/** `npm run openclaw:survey [RUN ...]`: runs the suite against the peer in each way and keeps the findings. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { reportSchema } from "../../report/report.ts";
import { StartError } from "../../foundation/start-error.ts";
import { findingsSchema, runOf, type Findings } from "./findings.ts";
import { cacheFolder, install, uninstall } from "./install.ts";
import { commandLine, PEER_VERSION } from "./main.ts";
import { writeTarget, type Hosting } from "./targets.ts";

const findingsFile = join(import.meta.dirname, "findings.json");

interface Plan {
  readonly name: string;
  readonly version: string;
  /** `own`: the plugin of this package in the embedded gateway, for comparison. */
  readonly hosting: Hosting | "own";
  readonly profile: string;
}

const now = { version: PEER_VERSION, profile: "reference" } as const;
const plans: readonly Plan[] = [
  { ...now, name: "spec", hosting: "peer", profile: "spec" },
  { ...now, name: "reference", hosting: "peer" },
  { ...now, name: "embedded", hosting: "embedded" },
  { ...now, name: "own", hosting: "own" },
  { ...now, name: "hosted", hosting: "hosted" },
  ...["2026.5.28", "2026.7.1", "2026.8.1", PEER_VERSION].map((version): Plan => {
    return { name: `version ${version}`, version, hosting: "peer", profile: "reference" };
  }),
];

/** The findings so far; none without a file. */
export async function readFindings(): Promise<Findings> {
  if (!existsSync(findingsFile)) return { runs: {}, absent: {} };
  return findingsSchema.parse(JSON.parse(await readFile(findingsFile, "utf8")));
}

/** Exit codes of a complete run: conformant, not conformant, incomplete. */
const JUDGED: readonly number[] = [0, 1, 4];

/** Runs one plan and returns the report's file, in the cache. Throws `StartError` where the target did not start. */
async function reportFor(plan: Plan): Promise<string> {
  const folder = join(cacheFolder, "reports");
  await mkdir(folder, { recursive: true });
  const out = join(folder, `${plan.name.replace(" ", "-")}.json`);
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
      const report = reportSchema.parse(JSON.parse(await readFile(await reportFor(plan), "utf8")));
      findings.runs[plan.name] = runOf(report);
      delete findings.absent[plan.name];
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      findings.absent[plan.name] = error.message.split("\n")[0] ?? "";
    }
    if (plan.version !== PEER_VERSION) await uninstall(plan.version);
    await writeFile(findingsFile, await format(JSON.stringify(findings), { parser: "json", printWidth: 120 }));
  }
}

if (process.argv[1] === import.meta.filename) {
  await survey(process.argv.slice(2));
  process.stderr.write("docs/OPENCLAW.md is made from the findings: npm run pages\n");
}
