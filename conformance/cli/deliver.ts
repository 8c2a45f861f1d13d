/** Where reports go, and in which formats: the same for every command that writes some. */
import { constants } from "node:fs";
import { access, appendFile, rm, stat, truncate } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeFileWhole } from "../../fixtures/output.ts";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { verdictLine } from "../report/console-summary.ts";
import { consoleText, formatNames, render, type ReportFormat } from "../report/formats.ts";
import { githubAnnotations } from "../report/github.ts";
import type { Report } from "../report/report.ts";
import { EXIT, orUsageError } from "./command.ts";
import { brokenOutput, hasColour, styled, tell } from "./print.ts";

export const deliveryOptions = {
  report: { type: "string", multiple: true },
  verbose: { type: "boolean", default: false },
} as const;

/** `github` is no file: its annotations go to the log, its summary to the file that GitHub names. */
type Kind = ReportFormat | "github";

interface Asked {
  readonly kind: Kind;
  /** A path; `-` stands for standard output. */
  readonly file: string;
}

type Delivery = Awaited<ReturnType<typeof deliveryOf>>;

const STDOUT = "-";
/** Where the job summary is written when GITHUB_STEP_SUMMARY names no file. */
const NOWHERE = "";
const SUMMARY = "GITHUB_STEP_SUMMARY";

const isFile = ({ file }: Asked) => file !== STDOUT && file !== NOWHERE;

/** Reads the options. Throws `UsageError` before a run of a minute, not after it, for what can be known before. */
export async function deliveryOf(values: {
  report?: readonly string[] | undefined;
  log?: string | undefined;
  verbose: boolean;
}) {
  const reports: readonly Asked[] = (values.report ?? []).map(askedFor);
  const places = reports.map((asked) => (isFile(asked) ? resolve(asked.file) : asked.file));
  const log = values.log === undefined ? undefined : resolve(values.log);
  for (const [index, asked] of reports.entries()) {
    if (places[index] === log)
      throw new UsageError(`--log ${values.log} and ${nameOf(asked)} go to one place: each needs a file of its own`);
    const first = reports[places.indexOf(places[index] ?? "")];
    if (first !== undefined && first !== asked)
      throw new UsageError(
        `${nameOf(first)} and ${nameOf(asked)} go to one place: each report needs a file of its own`,
      );
    if (isFile(asked)) await mustBeWritable(asked.file, nameOf(asked));
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

const nameOf = ({ kind, file }: Asked) => (kind === "github" ? "--report github" : `--report ${kind}=${file}`);

/** Throws `UsageError` where nothing can be written, before a run of a minute. Writes nothing. */
export async function mustBeWritable(file: string, name = `--out ${file}`): Promise<void> {
  await orUsageError(`${name} could not be written`, async () => {
    const there = await stat(file).catch(() => undefined);
    if (there?.isDirectory()) throw new Error("it is a folder");
    // With the slash, a file in the folder's place is an error too.
    await access(there === undefined ? `${dirname(file)}/` : file, constants.W_OK);
  });
}

/** Removes the reports of an earlier run: where this one ends without any, they would pass for its own. Not what it reads. */
export async function removeOld({ reports }: Delivery, read: readonly string[] = []): Promise<void> {
  const kept = read.map((file) => resolve(file));
  for (const { kind, file } of reports) {
    if (kind === "github" || kept.includes(resolve(file))) continue;
    if ((await stat(file).catch(() => undefined))?.isFile() !== true) continue;
    // A file that is mounted by itself, or lies in a folder of somebody else, stays, but empty.
    await rm(file).catch(() => truncate(file));
  }
}

/**
 * Writes the reports, and prints the one for people with the verdict last: on standard output, or where that holds
 * another report, on standard error. Returns the exit code: the verdict's, or 4 where something could not be written, be
 * it before (`faults`).
 */
export async function deliver(report: Report, { reports, verbose }: Delivery, before: string[] = []): Promise<number> {
  brokenOutput.code = EXIT.incomplete;
  brokenOutput.said = `${verdictLine(unwritten(report))}\n`;
  const { written, faults, isPiped } = await writeAll(report, reports);
  faults.unshift(...before);
  const [stream, say] = isPiped ? [process.stderr, styled.tell] : [process.stdout, styled.print];
  const ended = faults.length > 0 ? unwritten(report) : report;
  say(await consoleText(ended, hasColour(stream), { verbose, files: written, columns: stream.columns }));
  if (reports.some(({ kind }) => kind === "github")) say(githubAnnotations(ended));
  tell(faults.join(""));
  return ended.verdict.exitCode;
}

/** The same report of a run that lost a part of its output, which ends with 4 unless a signal ended it. */
function unwritten(report: Report): Report {
  const { verdict } = report;
  if (verdict.judgement === "interrupted") return report;
  const judgement = verdict.judgement === "conformant" ? "incomplete" : verdict.judgement;
  return { ...report, verdict: { ...verdict, judgement, exitCode: EXIT.incomplete } };
}

/** Writes a report that is there already into other forms: only the verdict is printed beside them. */
export async function deliverAgain(report: Report, { reports, verbose }: Delivery) {
  if (reports.length === 0) {
    styled.print(await consoleText(report, hasColour(process.stdout), { verbose, columns: process.stdout.columns }));
    return EXIT.ok;
  }
  const { faults } = await writeAll(report, reports);
  if (reports.some(({ kind }) => kind === "github")) styled.print(githubAnnotations(report));
  tell(`${safeLine(verdictLine(report))}\n${faults.join("")}`);
  return faults.length > 0 ? EXIT.incomplete : EXIT.ok;
}

/** Writes to files and to standard output. One report that cannot be made or written keeps none of the others back. */
async function writeAll(report: Report, asked: readonly Asked[]) {
  const [written, faults]: [string[], string[]] = [[], []];
  for (const one of asked.filter(({ file }) => file !== NOWHERE)) {
    const { kind, file } = one;
    try {
      // Behind what other steps have written.
      if (kind === "github") await appendFile(file, `${await render(report, "markdown")}\n`);
      else if (file === STDOUT) await styled.printWhole(await render(report, kind));
      else {
        await writeFileWhole(file, [await render(report, kind)]);
        written.push(file);
      }
    } catch (error) {
      const why = safeLine(`${nameOf(one)} could not be written: ${firstLineOf(error)}`);
      faults.push(`webhooks-conformance: ${why}\n`);
    }
  }
  return { written, faults, isPiped: asked.some(({ kind, file }) => kind !== "github" && file === STDOUT) };
}

/** Throws `UsageError` when the file cannot be written. */
export async function deliverText(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) styled.print(text);
  else await orUsageError(`${out} could not be written`, () => writeFileWhole(out, [text]));
}
