/**
 * Proves the suite: every case is failed by the subjects that have its fault, by none that is right, and passed by no
 * stub. `--help` lists the modes; CONTRIBUTING.md says what each proves.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { alsoFails, alsoFailsFile, updated } from "../../conformance/proof/also-fails.ts";
import { refuse, wholeNumber } from "../options.ts";
import { allJobs, changedJobs, keysOf, neededJobs, pairsIn, type Job } from "./jobs.ts";
import { casesWithoutSubject, judgeJob, titles, type Complaint, type Judged } from "./judge.ts";
import { readSources, type Sources } from "./sources.ts";
import { openStore, type Store } from "./store.ts";
import { inWorkers, workOff } from "./workers.ts";

const help = `usage: npm run prove -- [options]
  (none)           every broken subject with the cases that must catch it, every lawful
                   subject and stub with the whole suite: what a release needs
  --all            the same, and every broken subject with the rest of the suite
  --only WORD      only subjects whose id holds WORD; of the others only the cases whose id does
  --changed        what a change since the last run may affect, for about a minute
  --update         as --all, and writes down which cases else each broken subject fails
  --seed N         another seed for the properties (default 1)
  --shard N/M      part N of M: together they judge what one run without it judges
exit codes: 0 nothing is wrong, 1 something is, 2 usage
`;

/** Runs at a time in one process: a whole suite keeps it busy, a few cases mostly wait. */
const [WIDTH, WIDTH_OF_FEW] = [2, 4];
/** `--changed` starts no further run after this time, ms. */
const CHANGED_MS = 45_000;
const folder = join(import.meta.dirname, "..", "..", ".cache", "prove");

function readOptions() {
  try {
    const no = { type: "boolean", default: false } as const;
    const text = { type: "string", default: "" } as const;
    const seed = { type: "string", default: "1" } as const;
    const shard = { type: "string", default: "1/1" } as const;
    const flags = { all: no, changed: no, update: no, help: no, worker: no };
    return parseArgs({ options: { ...flags, only: text, shard, seed } });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { values } = readOptions();
const seed = wholeNumber("--seed", values.seed);

interface Outcome {
  readonly complaints: Complaint[];
  /** The cases that each subject turned red, by subject. */
  readonly seen: ReadonlyMap<string, readonly string[]>;
  readonly judged: readonly Job[];
  readonly seconds: number;
}

const clearLine = () => void (process.stderr.isTTY && process.stderr.write("\r\u001b[K"));

/** Judges the jobs and prints what is wrong as it is found. */
async function judgeAll(
  jobs: readonly Job[],
  after: (job: Job, judged: Judged) => void,
  { width = WIDTH, maxMs = Number.POSITIVE_INFINITY } = {},
): Promise<Outcome> {
  const started = performance.now();
  const complaints: Complaint[] = [];
  const seen = new Map<string, string[]>();
  const judged: Job[] = [];
  const tell = (job: Job, { red, complaints: all }: Judged) => {
    // What --update writes down is expected from now on.
    const found = all.filter(({ title }) => !values.update || title !== "unexpected failures");
    judged.push(job);
    seen.set(job.subject, [...(seen.get(job.subject) ?? []), ...red]);
    complaints.push(...found);
    after(job, { red, complaints: found });
    clearLine();
    process.stdout.write(linesOf(found));
    if (process.stderr.isTTY) process.stderr.write(`${judged.length}/${jobs.length} ${job.subject}`);
  };
  const args = ["--worker", "--seed", values.seed];
  await inWorkers(jobs, { file: fileURLToPath(import.meta.url), args, width, maxMs }, tell);
  clearLine();
  return { complaints, seen, judged, seconds: Math.round((performance.now() - started) / 1000) };
}

const linesOf = (found: readonly Complaint[]): string => found.map(({ title, line }) => `${title}: ${line}\n`).join("");

/** Prints the verdict; `end`: the last line. */
function close(complaints: readonly Complaint[], end: string): void {
  for (const title of titles) {
    const count = complaints.filter((one) => one.title === title).length;
    process.stdout.write(`${String(count).padStart(4)} ${title}\n`);
  }
  process.stdout.write(`${end}\n`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

const sizeOf = (jobs: readonly Job[]): string =>
  `${new Set(jobs.map(({ subject }) => subject)).size} subjects, ${pairsIn(jobs)} pairs of a subject and a case`;

/** The jobs of subjects whose id holds the word; of the other jobs those cases whose id does, with all that a kill needs. */
function about(word: string, jobs: readonly Job[]): Job[] {
  const chosen = jobs.flatMap((job) => {
    const cases = job.cases.filter((id) => id.includes(word));
    if (job.subject.includes(word) || (job.part === "kills" && cases.length > 0)) return [job];
    return cases.length > 0 ? [{ ...job, cases }] : [];
  });
  return chosen.length > 0 ? chosen : refuse(`--only is "${word}": no subject's id and no case's id holds it`);
}

/** The whole proof, or a part of it: nothing is taken from the store, and what came out right is kept there. */
async function prove(): Promise<void> {
  const all = values.all || values.update;
  const [, number = 1, of = 1] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(values.shard) ?? []).map(Number);
  if (values.shard !== `${number}/${of}` || number > of)
    refuse(`--shard is "${values.shard}", expected N/M with N from 1 to M, as in 1/4`);
  if (of > 1 && values.update) refuse("--update writes one list: it cannot be given with --shard");
  const every = all ? allJobs() : neededJobs();
  const chosen = values.only === "" ? every : about(values.only, every);
  // Every m-th job, so that each shard gets a like share of each kind.
  const jobs = chosen.filter((_, index) => index % of === number - 1);
  const [sources, store] = await opened();
  const isKept = !values.update && seed === 1;
  const { complaints, seen, seconds } = await judgeAll(jobs, (job, { red, complaints: found }) => {
    if (isKept && found.length === 0) store.add(job.subject, keysOf(job, red, sources));
    else if (isKept) store.forget(job.subject);
  });
  if (values.only === "" && number === 1) complaints.push(...casesWithoutSubject());
  if (values.update) {
    const text = JSON.stringify(updated(alsoFails, seen));
    await writeFile(alsoFailsFile, await format(text, { parser: "json", printWidth: 120 }));
  }
  if (isKept && values.only === "" && of === 1) store.rememberWholeRun();
  close(complaints, `${sizeOf(jobs)}, ${seconds} s`);
}

/** What may come out otherwise than when it was last judged, for as long as there is time. */
async function proveChanged(): Promise<void> {
  const given = process.argv.slice(2).filter((word) => word.startsWith("--") && word !== "--changed");
  if (given.length > 0) refuse(`--changed chooses by itself what to judge: it cannot be given with ${given.join(" ")}`);
  const [sources, store] = await opened();
  const { jobs, kept, without } = changedJobs(sources, store);
  const keep = (job: Job, { red, complaints: found }: Judged) => {
    if (found.length === 0) store.add(job.subject, keysOf(job, red, sources));
  };
  const { complaints, judged, seconds } = await judgeAll(jobs, keep, { width: WIDTH_OF_FEW, maxMs: CHANGED_MS });
  const left = jobs.filter((job) => !judged.includes(job));
  const lines = [
    `judged: ${sizeOf(judged)}; from the store: ${kept} pairs`,
    left.length > 0 && `not judged, the time was over: ${sizeOf(left)}; the same command goes on with them`,
    without && `broken subjects were judged against their own cases only: ${without}`,
    "not judged: how the cases of one run affect each other; `npm run prove` judges that and takes nothing from the store",
  ];
  process.stdout.write(lines.flatMap((line) => (line ? [`${line}\n`] : [])).join(""));
  close([...casesWithoutSubject(), ...complaints], `${seconds} s`);
}

async function opened(): Promise<[Sources, Store]> {
  const sources = await readSources();
  return [sources, openStore(folder, sources, (sentence) => void process.stderr.write(`${sentence}\n`))];
}

// `prove | head` closes the pipe early: nothing is left to tell, and the workers end with this process.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

if (values.help) process.stdout.write(help);
else if (values.worker) workOff((job: Job) => judgeJob(job, seed));
else await (values.changed ? proveChanged() : prove());
