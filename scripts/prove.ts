/**
 * Proves the suite: every case is failed by the subjects that have its fault, by none that is right, and passed by no
 * stub. Usage: prove.ts [--all] [--only WORD] [--print] [--update] [--served] [--shard N/M], or prove.ts --changed, or
 * prove.ts --merge FILE...; docs/DEVELOPMENT.md says what each mode proves.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { alsoFails, alsoFailsFile, updated } from "../conformance/proof/also-fails.ts";
import { redIn } from "../conformance/proof/proof.ts";
import { refuse } from "./options.ts";
import { allJobs, changedJobs, keysOf, neededJobs, pairsIn, type Job } from "./prove-jobs.ts";
import { judgeJob, type Judged } from "./prove-judge.ts";
import { merged, readShard, shardOf, shareOf, type ShardResult } from "./prove-shards.ts";
import { hashOf, readSources, type Sources } from "./prove-sources.ts";
import { openStore, type Store } from "./prove-store.ts";
import { casesWithoutSubject, complaintsAbout, summaryOf, type Complaint } from "./prove-verdict.ts";
import { inWorkers, workOff } from "./workers.ts";

/** Runs at a time in one process: a whole suite keeps it busy, a few cases mostly wait. */
const WIDTH = 2;
const WIDTH_OF_FEW = 4;
/** `--changed` starts no further run after this time, ms. */
const CHANGED_MS = 45_000;
const folder = join(import.meta.dirname, "..", ".cache", "prove");

function readOptions() {
  try {
    const no = { type: "boolean", default: false } as const;
    const text = { type: "string", default: "" } as const;
    const own = { all: no, changed: no, served: no, print: no, update: no, merge: no, worker: no };
    return parseArgs({ options: { ...own, only: text, shard: text }, allowPositionals: true });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { values, positionals } = readOptions();

interface Outcome {
  readonly complaints: Complaint[];
  /** The cases that each subject turned red, by subject. */
  readonly seen: ReadonlyMap<string, readonly string[]>;
  readonly judged: readonly Job[];
  readonly seconds: number;
}

/** Judges the jobs and prints what is wrong as it is found. */
async function judgeAll(
  jobs: readonly Job[],
  after: (job: Job, red: string[], right: boolean) => void,
  { width = WIDTH, maxMs }: { width?: number; maxMs?: number } = {},
) {
  const started = performance.now();
  const found: Complaint[] = [];
  const seen = new Map<string, string[]>();
  const done: Job[] = [];
  const tell = (job: Job, one: Judged) => {
    done.push(job);
    const red = redIn(one.outcomes).map(({ id }) => id);
    seen.set(job.subject, [...(seen.get(job.subject) ?? []), ...red]);
    const complaints = complaintsAbout(job, one, values.update);
    found.push(...complaints);
    after(job, red, complaints.length === 0);
    const lines = complaints.map(({ title, line }) => `${title}: ${line}`);
    if (values.print) lines.unshift(`${job.id}: ${red.join(" ") || "nothing"}`);
    clearLine();
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
    if (process.stderr.isTTY) process.stderr.write(`${done.length}/${jobs.length} ${job.id}`);
  };
  const args = ["--worker", ...(values.served ? ["--served"] : [])];
  if (jobs.length > 0) await inWorkers<Judged, Job>(fileURLToPath(import.meta.url), args, jobs, width, tell, maxMs);
  clearLine();
  const seconds = Math.round((performance.now() - started) / 1000);
  return { complaints: found, seen, judged: done, seconds } satisfies Outcome;
}

const clearLine = () => void (process.stderr.isTTY && process.stderr.write("\r\u001b[K"));

/** Prints the verdict; `end`: the last line. */
function close(complaints: readonly Complaint[], end: string): void {
  process.stdout.write(`${summaryOf(complaints)}${end}\n`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

/** The jobs of subjects whose id holds the word; of the other jobs those cases whose id does, with all that a kill needs. */
function about(word: string, jobs: readonly Job[]): Job[] {
  const chosen = jobs.flatMap((job) => {
    const cases = job.cases.filter((id) => id.includes(word));
    if (job.subject.includes(word) || (job.part === "kills" && cases.length > 0)) return [job];
    return cases.length > 0 ? [{ ...job, cases }] : [];
  });
  return chosen.length > 0 ? chosen : refuse(`--only is "${word}": no subject's id and no case's id holds it`);
}

const sizeOf = (jobs: readonly Job[]): string =>
  `${new Set(jobs.map(({ subject }) => subject)).size} subjects, ${pairsIn(jobs)} pairs of a subject and a case`;

/** The whole proof, or a part of it: nothing is taken from the store, and what came out right is kept there. */
async function prove(): Promise<void> {
  const all = values.all || values.update;
  const shard = values.shard === "" ? undefined : shardOf(values.shard);
  if (values.shard !== "" && shard === undefined) refuse(`--shard is "${values.shard}", expected N/M as in 1/4`);
  if (shard !== undefined && values.update) refuse("--update writes one list: it cannot be given with --shard");
  const subjects = all ? allJobs() : neededJobs();
  const chosen = values.only === "" ? subjects : about(values.only, subjects);
  const jobs = shard === undefined ? chosen : shareOf(chosen, shard);
  const [sources, store] = await opened();
  const isPart = values.only !== "" || shard !== undefined;
  const keep = (job: Job, red: string[], right: boolean) => {
    if (values.served || values.update) return;
    if (right) store.add(job.subject, keysOf(job, red, sources));
    else store.forget(job.subject);
  };
  const { complaints, seen, seconds } = await judgeAll(jobs, keep);
  if (values.only === "" && (shard === undefined || shard.number === 1)) complaints.push(...casesWithoutSubject());
  if (values.update) {
    const text = JSON.stringify(updated(alsoFails, seen));
    await writeFile(alsoFailsFile, await format(text, { parser: "json", printWidth: 120 }));
  }
  if (shard !== undefined) {
    const mode = all ? "all" : "needed";
    const counts = { jobs: jobs.length, pairs: pairsIn(jobs), seconds };
    const result: ShardResult = {
      version: 1,
      mode,
      shard,
      sources: hashOf(JSON.stringify(sources)),
      ...counts,
      complaints,
    };
    const file = join(folder, "shards", `${shard.number}-of-${shard.of}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(result, null, 2));
    process.stdout.write(`shard ${values.shard} is in ${file}\n`);
  }
  if (!isPart && !values.served && !values.update) store.rememberWholeRun();
  close(complaints, `${sizeOf(jobs)}, ${seconds} s`);
}

/** What may come out otherwise than when it was last judged, for as long as there is time. */
async function proveChanged(): Promise<void> {
  const others = ["all", "served", "update", "only", "shard"] as const;
  const other = others.find((name) => values[name] !== false && values[name] !== "");
  if (other !== undefined) refuse(`--changed chooses by itself what to judge: it cannot be given with --${other}`);
  const [sources, store] = await opened();
  const { jobs, kept, without } = changedJobs(sources, store);
  const keep = (job: Job, red: string[], right: boolean) => {
    if (right) store.add(job.subject, keysOf(job, red, sources));
  };
  const { complaints, judged, seconds } = await judgeAll(jobs, keep, { width: WIDTH_OF_FEW, maxMs: CHANGED_MS });
  const left = jobs.filter((job) => !judged.includes(job));
  const lines = [
    `judged: ${sizeOf(judged)}; from the store: ${kept} pairs`,
    ...(left.length === 0
      ? []
      : [`not judged, the time was over: ${sizeOf(left)}; the same command goes on with them`]),
    ...(without === undefined ? [] : [`broken subjects were judged against their own cases only: ${without}`]),
    "not judged: how the cases of one run affect each other; `npm run prove` judges that and takes nothing from the store",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  close([...casesWithoutSubject(), ...complaints], `${seconds} s`);
}

async function opened(): Promise<[Sources, Store]> {
  const sources = await readSources();
  return [sources, openStore(folder, sources, (sentence) => void process.stderr.write(`${sentence}\n`))];
}

function mergeShards(): void {
  try {
    const { complaints, jobs, pairs } = merged(positionals.map(readShard));
    process.stdout.write(complaints.map(({ title, line }) => `${title}: ${line}\n`).join(""));
    close(complaints, `${positionals.length} shards, ${jobs} runs, ${pairs} pairs of a subject and a case`);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

// `prove | head` closes the pipe early: nothing is left to tell, and the workers end with this process.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

if (values.worker) await workOff<Judged>((_id, job) => judgeJob(job as Job, values.served));
else if (!values.merge && positionals.length > 0)
  refuse(`"${positionals[0]}" is no option; files are named after --merge`);
else if (values.merge) mergeShards();
else await (values.changed ? proveChanged() : prove());
