import { open, writeFile } from "node:fs/promises";
import { cases } from "../cases/index.ts";
import type { Case } from "../case.ts";
import { readBaseline } from "../baseline/read.ts";
import { judgeTarget, type JudgementOptions } from "../judgement.ts";
import { readProfile } from "../profiles/profile.ts";
import { painter, renderConsole } from "../reports/console.ts";
import { progress } from "../reports/progress.ts";
import { readTarget, UsageError, type Target } from "../target/target-file.ts";
import { failOnLevels } from "../verdict.ts";
import { EXIT, oneOf, readOptions, wholeNumber, type Command } from "./command.ts";
import { nearest } from "../nearest.ts";

const options = {
  target: { type: "string" },
  profile: { type: "string" },
  baseline: { type: "string" },
  case: { type: "string", multiple: true },
  quick: { type: "boolean", default: false },
  format: { type: "string", default: "console" },
  out: { type: "string" },
  "fail-on": { type: "string", default: "gap" },
  "allow-host": { type: "string", multiple: true },
  repeat: { type: "string", default: "1" },
  shuffle: { type: "string" },
} as const;

export const command: Command = {
  summary: "judge a target",
  usage: `usage: webhooks-conformance run --target FILE [options]
  --target FILE        target file (.json, .js, .mjs or .ts)
  --profile NAME|FILE  what the target is held to where the interface leaves gaps
                       (default: the target file's; spec, reference, or a file)
  --baseline FILE      known deviations, each with a reason: these do not turn the run
                       red, but an entry that is no longer true does
  --case ID            only this case; may be repeated
  --quick              leave out what lets real time pass
  --format FORMAT      console (default) or json
  --out FILE           write the report there instead of standard output
  --fail-on LEVEL      must, gap (default) or should: which failures turn the run red
  --repeat N           run everything N times, each started target twice; a case
                       that does not come out the same is an error
  --shuffle SEED       in an order that this number makes
  --allow-host HOST    let a target listen on another host than this machine
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached, 4 incomplete`,

  async run(args) {
    const { values } = readOptions("run", args, options);
    if (values.target === undefined)
      throw new UsageError("run needs --target FILE (see: webhooks-conformance run --help)");
    const format = oneOf("--format", values.format, ["console", "json"]);
    const failOn = oneOf("--fail-on", values["fail-on"], failOnLevels);
    const target = await readTarget(values.target);
    refuseForeignHost(target, values["allow-host"] ?? []);
    const profile = await readProfile(
      values.profile ?? target.profile,
      values.profile === undefined ? target.folder : ".",
    );
    const chosen = chooseCases(values.case);
    const repeat = wholeNumber("--repeat", values.repeat, 1);
    const seed = values.shuffle === undefined ? undefined : wholeNumber("--shuffle", values.shuffle, 0);
    const known = { caseIds: cases.map(({ id }) => id), profile: profile.name };
    const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline, known);
    if (values.out !== undefined) await mustBeWritable(values.out);

    const selection = { ...(values.case && { cases: values.case }), quick: values.quick };
    const what = { target, profile, cases: chosen, selection, failOn, baseline: baseline?.entries };
    const again = `webhooks-conformance run --target ${values.target}`;
    const report = await judged((more) => judgeTarget({ ...what, repeat, shuffle: seed, again, ...more }));
    if (report === "interrupted") return EXIT.interrupted;
    const colour = values.out === undefined && process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
    const text = format === "json" ? `${JSON.stringify(report, null, 2)}\n` : renderConsole(report, painter(colour));
    await deliver(text, values.out);
    return report.verdict.exitCode;
  },
};

/** SIGHUP comes when the terminal is closed. */
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs with progress; Ctrl-C and its like stop the target first. */
export async function judged<T>(
  start: (more: Pick<JudgementOptions, "signal" | "onResult">) => Promise<T>,
): Promise<T | "interrupted"> {
  const interrupt = new AbortController();
  const interrupted = new Promise<"interrupted">((resolve) => {
    interrupt.signal.addEventListener("abort", () => resolve("interrupted"));
  });
  const onSignal = () => interrupt.abort();
  for (const signal of ENDINGS) process.on(signal, onSignal);
  const shown = progress(process.stderr.isTTY, (text) => process.stderr.write(text));
  const running = start({ signal: interrupt.signal, onResult: shown.onResult });
  try {
    const outcome = await Promise.race([running, interrupted]);
    if (outcome === "interrupted") {
      process.stderr.write("interrupted: stopping the target\n");
      // Cases under way end on their own deadline; the target must not outlive this line.
      setTimeout(() => process.exit(EXIT.interrupted), 2000).unref();
      await running.catch(() => undefined);
    }
    return outcome;
  } finally {
    shown.end();
    for (const signal of ENDINGS) process.off(signal, onSignal);
  }
}

export function chooseCases(ids: readonly string[] | undefined): readonly Case[] {
  if (ids === undefined) return cases;
  const known = cases.map(({ id }) => id);
  for (const id of ids) {
    if (!known.includes(id))
      throw new UsageError(`there is no case "${id}"; nearest: ${nearest(id, known).join(", ")}`);
  }
  return cases.filter(({ id }) => ids.includes(id));
}

/** A suite that floods and stalls must not be pointed at another machine by mistake. */
export function refuseForeignHost(target: Target, allowed: readonly string[]): void {
  const named = [
    ["baseUrl", target.baseUrl] as const,
    ["control", target.control?.replace("{controlPort}", "80")] as const,
  ];
  for (const [field, url] of named) {
    if (url === undefined) continue;
    const { hostname } = new URL(url);
    if (hostname === "localhost" || /^127(\.\d+){3}$/.test(hostname) || allowed.includes(hostname)) continue;
    throw new UsageError(
      hostname === "[::1]"
        ? `${field} names [::1]; the suite sends from IPv4 addresses: let the target listen on 127.0.0.1 and name that`
        : `${field} names ${hostname}, which is not this machine; the suite floods and stalls its target.\n` +
            `If you may do that there: --allow-host ${hostname} (in the library: allowHosts)`,
    );
  }
}

/** Told before a run of a minute, not after it. What stands in the file stays until there is a report. */
export async function mustBeWritable(file: string): Promise<void> {
  await orUsageError(file, async () => (await open(file, "a")).close());
}

export async function deliver(text: string, file: string | undefined): Promise<void> {
  if (file === undefined) process.stdout.write(text);
  else await orUsageError(file, () => writeFile(file, text));
}

async function orUsageError(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new UsageError(
      `--out ${file} could not be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
