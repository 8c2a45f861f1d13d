/**
 * `npm run abroad -- [--only WORD,WORD] [--each N] [--jobs N] [--quick]`: judges the subjects of
 * conformance/proof/abroad, or every Nth, as users do: a started process, the real clock, no control port, the profile
 * `spec`. Lists the faults that no case catches or warns of, the lawful variants that are blamed or end in an error, and
 * what could not be judged; exit code 1 when there is one.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { reportSchema, type Report } from "../conformance/report/report.ts";
import { chosenBy, flag, given, text, wholeNumber } from "./options.ts";
import { pooled } from "./pool.ts";

const values = given({ only: text(), each: text("1"), jobs: text("6"), quick: flag });
const run = promisify(execFile);
const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [start, runner] = [file("conformance/proof/abroad/start.py"), file("dist/conformance/cli/main.js")];
const example = z
  .looseObject({ start: z.looseObject({}) })
  .parse(JSON.parse(await readFile(file("conformance/examples/python/target.json"), "utf8")));
const subject = z.object({ id: z.string(), section: z.string(), says: z.string(), lawful: z.boolean() });
const listed = z.array(subject).parse(JSON.parse((await run("python3", [start, "--list"])).stdout));

/** The report on a subject; a text when there is none. */
async function judged(id: string, options: readonly string[]): Promise<Report | string> {
  const folder = await mkdtemp(join(tmpdir(), "abroad-"));
  const [target, report] = [join(folder, "target.json"), join(folder, "report.json")];
  const command = ["python3", start, id, "--config", "{config}", "--port", "{port}"];
  const written = { ...example, name: id, control: undefined, start: { ...example.start, command } };
  await writeFile(target, JSON.stringify(written));
  const words = ["run", "--target", target, "--profile", "spec", "--report", `json=${report}`, ...options];
  try {
    // A red run ends with an exit code; without a report it is told below.
    await run(process.execPath, [runner, ...words], { maxBuffer: 2 ** 26 }).catch(() => undefined);
    return reportSchema.parse(JSON.parse(await readFile(report, "utf8")));
  } catch (error) {
    return String(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const warned = (report: Report | string | undefined) =>
  typeof report === "object" && report.results.some(({ outcome }) => outcome === "warn");
const failed = (report: Report | string | undefined) =>
  typeof report === "object" && report.results.some(({ outcome }) => outcome === "fail");
const quick = values.quick ? ["--quick"] : [];
const each = wholeNumber("--each", values.each);
const named = new Set(values.only.split(",").flatMap((word) => chosenBy(word, listed, ({ id }) => id)));
const chosen = [...named].filter((_, index) => index % each === 0);
const began = performance.now();
let onlyWarned = 0;
const bySection = new Map<string, [number, number]>();
await pooled(chosen, wholeNumber("--jobs", values.jobs), async ({ id, section, says, lawful }) => {
  // One failure is enough to catch a fault, and its own section's cases come first: most of them need no more.
  const narrow = lawful ? undefined : await judged(id, [...quick, "--bail", "1", "--section", section]);
  const report = failed(narrow) ? narrow : await judged(id, [...quick, ...(lawful ? [] : ["--bail", "1"])]);
  const results = typeof report === "object" ? report.results : [];
  const said = (...outcomes: string[]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).map((one) => `${one.outcome} ${one.id}`);
  // The right example has no warnings.
  const isWarned = !lawful && !failed(report) && warned(report);
  const caught = failed(report) || isWarned;
  if (isWarned) onlyWarned += 1;
  if (!lawful) {
    const [hits, of] = bySection.get(section) ?? [0, 0];
    bySection.set(section, [hits + (caught ? 1 : 0), of + 1]);
  }
  const hints = said("error", "warn", "unreached");
  const right = typeof report === "object" && (lawful ? !caught && said("error").length === 0 : caught);
  if (right) return;
  process.exitCode = 1;
  const why = typeof report === "string" ? report : [...said("fail"), ...hints].slice(0, 6).join(", ");
  const how = typeof report === "string" ? "not judged" : lawful ? (caught ? "blamed" : "in error") : "missed";
  process.stdout.write(`${how} ${id}: ${says} (section ${section}; ${why})\n`);
});
for (const [section, [hits, of]] of [...bySection].toSorted(([a], [b]) => a.localeCompare(b))) {
  process.stdout.write(`section ${section}: ${hits} of ${of} caught\n`);
}
process.stdout.write(
  `${chosen.length} subjects, ${onlyWarned} caught by a warning alone, in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
);
