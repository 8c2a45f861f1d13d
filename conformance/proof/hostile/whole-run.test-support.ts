/** Runs the command line against one subject, each a process of its own, and measures the run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatNames, render } from "../../report/formats.ts";
import { reportSchema, type Report } from "../../report/report.ts";
import { servedTarget } from "../target.ts";

export interface WholeRun {
  readonly exitCode: number | null;
  readonly seconds: number;
  /** Peak memory of the runner, without the target. */
  readonly maxRssMb: number;
  /** Undefined when the target was never judged (exit 3). */
  readonly report: Report | undefined;
  /** Everything that the runner printed or wrote, by name. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Processes and files of the run that are still there. */
  readonly left: readonly string[];
}

/** The runner prints this line when it ends; it is removed from the captured output. */
const MEASURE =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('\\nmaxrss '+process.resourceUsage().maxRSS))";

/** The built command line. */
const runner = join(import.meta.dirname, "../../../dist/conformance/cli/main.js");

/** `requestTimeoutMs` as in a target file; `more`: options of the command. */
export async function wholeRun(id: string, requestTimeoutMs: number, more: readonly string[]): Promise<WholeRun> {
  const folder = await mkdtemp(join(tmpdir(), `hostile-${id}-`));
  try {
    const target = servedTarget(id);
    const [file, out, state] = [join(folder, "target.json"), join(folder, "report.json"), join(folder, "state")];
    await mkdir(state);
    const start = { ...target.start, readyTimeoutMs: 60_000 };
    await writeFile(file, JSON.stringify({ ...target, start, requestTimeoutMs }));
    const args = ["--import", MEASURE, runner, "run", "--target", file, "--report", `json=${out}`, ...more];
    const started = performance.now();
    const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: state } });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    const [exitCode] = (await once(child, "close")) as [number | null];
    const seconds = (performance.now() - started) / 1000;
    const left = [
      ...(await processesNaming(state)),
      ...(await readdir(state)).filter((name) => name.startsWith("webhooks-")),
    ];
    const maxRssMb = Number(/maxrss (\d+)$/.exec(stderr)?.[1]) / 1024;
    const json = [0, 1, 4].includes(exitCode ?? -1) ? await readFile(out, "utf8") : undefined;
    const report = json === undefined ? undefined : reportSchema.parse(JSON.parse(json));
    const outputs = new Map([
      ["standard output", stdout],
      ["standard error", stderr],
    ]);
    if (json !== undefined) outputs.set("written report", json);
    if (report !== undefined) for (const format of formatNames) outputs.set(format, await render(report, format));
    return { exitCode, seconds, maxRssMb, report, outputs, left };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Linux only; empty on other systems. */
async function processesNaming(text: string): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes(text)).map((line) => `process ${line.replaceAll("\0", " ")}`);
}
