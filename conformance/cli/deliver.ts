/** Where reports go, and in which formats: the same for every command that writes some. */
import { constants } from "node:fs";
import { access, open, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeFileWhole } from "../../fixtures/output.ts";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { verdictLine } from "../report/console-summary.ts";
import { consoleText, formatNames, render, type Format } from "../report/formats.ts";
import { githubAnnotations } from "../report/github.ts";
import type { Report } from "../report/report.ts";
import { EXIT, orUsageError } from "./command.ts";
import { brokenOutput, hasColour, styled, tell } from "./print.ts";

export const deliveryOptions = {
  report: { type: "string", multiple: true },
  verbose: { type: "boolean", default: false },
} as const;

/** `github` is no file: its annotations go to the log, its summary to the file that GitHub names. */
type Kind = Format | "github";

interface Asked {
  readonly kind: Kind;
  /** `-` is standard output. */
  readonly file: string;
}

interface Delivery {
  readonly reports: readonly Asked[];
  readonly verbose: boolean;
}

const STDOUT = "-";
/** The file of the summary outside of GitHub. */
const NOWHERE = "";
const SUMMARY = "GITHUB_STEP_SUMMARY";

/** Reads the options. Throws `UsageError` before a run of a minute, not after it, for what can be known before. */
export async function deliveryOf(values: {
  report?: readonly string[] | undefined;
  verbose: boolean;
}): Promise<Delivery> {
  const reports = (values.report ?? []).map(askedFor);
  const places = new Map<string, Asked>();
  for (const one of reports) {
    const isFile = one.file !== STDOUT && one.file !== NOWHERE;
    const place = isFile ? resolve(one.file) : one.file;
    const other = places.get(place);
    if (other !== undefined) throw new UsageError(sameFile(other, one));
    places.set(place, one);
    if (isFile) await mustBeWritable(one.file, nameOf(one));
  }
  return { reports, verbose: values.verbose };
}

function askedFor(text: string): Asked {
  if (text === "github") return { kind: "github", file: process.env[SUMMARY] ?? NOWHERE };
  const [, name = "", file = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === "github") throw new UsageError("--report github takes no file: it writes where GitHub reads");
  const kind = formatNames.find((known) => known === name);
  if (kind !== undefined && file !== "") return { kind, file };
  throw new UsageError(
    `--report is "${text}", expected KIND=FILE with KIND one of: ${formatNames.join(", ")}; or github`,
  );
}

const nameOf = ({ kind, file }: Asked) => (kind === "github" ? `${SUMMARY} ${file}` : `--report ${kind}=${file}`);

function sameFile(one: Asked, other: Asked): string {
  if (one.kind === "github" && other.kind === "github") return "--report github is given twice";
  return `${nameOf(one)} and ${nameOf(other)} go to one place: each report needs a file of its own`;
}

/** Throws `UsageError` where nothing can be written, before a run of a minute. Writes nothing. */
export async function mustBeWritable(file: string, name = `--out ${file}`): Promise<void> {
  await orUsageError(`${name} could not be written`, async () => {
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) throw new Error("it is a folder");
    // With the slash, a file in the folder's place is an error too.
    await access(found === undefined ? `${dirname(file)}/` : file, constants.W_OK);
  });
}

/**
 * Writes the reports, and prints the one for people with the verdict last: on standard output, or where that holds
 * another report, on standard error. Returns the exit code: the verdict's, or 4 where a report could not be written.
 */
export async function deliver(report: Report, { reports, verbose }: Delivery): Promise<number> {
  brokenOutput.code = EXIT.incomplete;
  brokenOutput.said = `${verdictLine(report)}\n`;
  const { written, faults } = await writeAll(report, reports);
  const piped = reports.find(({ kind, file }) => kind !== "github" && file === STDOUT);
  if (piped !== undefined) styled.print(await render(report, piped.kind as Format));
  const stream = piped === undefined ? process.stdout : process.stderr;
  const say = piped === undefined ? styled.print : styled.tell;
  say(await consoleText(report, hasColour(stream), { verbose, files: written }));
  if (reports.some(({ kind }) => kind === "github")) say(githubAnnotations(report));
  for (const fault of faults) tell(`webhooks-conformance: ${fault}\n`);
  return faults.length > 0 ? EXIT.incomplete : report.verdict.exitCode;
}

/** Writes a report that is there already into other forms: only the verdict is printed beside them. */
export async function deliverAgain(
  report: Report,
  delivery: Delivery,
  earlier: readonly Report[] = [],
): Promise<number> {
  const { reports, verbose } = delivery;
  if (reports.length === 0) {
    styled.print(await consoleText(report, hasColour(process.stdout), { verbose }));
    return EXIT.ok;
  }
  const { faults } = await writeAll(report, reports, earlier);
  for (const { kind, file } of reports) {
    if (kind === "github") styled.print(githubAnnotations(report));
    else if (file === STDOUT) styled.print(await render(report, kind, earlier));
  }
  tell(`${safeLine(verdictLine(report))}\n`);
  for (const fault of faults) tell(`webhooks-conformance: ${fault}\n`);
  return faults.length > 0 ? EXIT.incomplete : EXIT.ok;
}

/** Writes what goes to files. One report that cannot be made or written keeps none of the others back. */
async function writeAll(report: Report, asked: readonly Asked[], earlier: readonly Report[] = []) {
  const [written, faults]: [string[], string[]] = [[], []];
  for (const one of asked) {
    const { kind, file } = one;
    if (file === STDOUT || file === NOWHERE) continue;
    try {
      // Behind what other steps have written.
      if (kind === "github") await writeTo(file, `${await render(report, "markdown")}\n`, "a");
      else {
        await writeTo(file, await render(report, kind, earlier));
        written.push(file);
      }
    } catch (error) {
      faults.push(safeLine(`${nameOf(one)} could not be written: ${firstLineOf(error)}`));
    }
  }
  return { written, faults };
}

/** Throws `UsageError` when the file cannot be written. */
export async function deliverText(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) styled.print(text);
  else await orUsageError(`--out ${out} could not be written`, () => writeTo(out, text));
}

async function writeTo(file: string, text: string, flag = "w"): Promise<void> {
  // Opened in this way, a pipe that nobody reads is an error at once; otherwise it would wait without end.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;
  const held = await open(file, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENXIO" ? new Error("it is a pipe that nobody reads", { cause: error }) : error;
  });
  try {
    await writeFile(file, text, { flag });
  } finally {
    await held.close();
  }
}

/** The same for a file with hand-written content: it is replaced whole or left as it is. */
export async function replaceText(text: string, out: string): Promise<void> {
  await orUsageError(`--out ${out} could not be written`, () => writeFileWhole(out, [text]));
}
