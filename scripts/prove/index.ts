/**
 * Proves the suite: every case is failed by the subjects that have its fault, by none that is right, and passed by no
 * stub. `--help` lists the modes; CONTRIBUTING.md says what each proves.
 */
import { knownMiss, products } from "../../conformance/proof/products/index.ts";
import { flag, given, refuse, text, positiveNumber } from "../options.ts";
import { allJobs, neededJobs, productJobs, realJobs, type Job } from "./jobs.ts";
import { judgeJob, titles, type Complaint, type JudgedJob } from "./judge.ts";
import { inWorkers, workOff } from "./workers.ts";

/** Products that the proof of a release judges, half a minute of two cores, and that of a night. */
const [SAMPLE, LARGE_SAMPLE] = [6, 30];

const help = `usage: npm run prove -- [options]
  (none)           every broken subject with the cases that must catch it, the lawful
                   subjects in groups and each stub with the whole suite, and ${SAMPLE}
                   products (a way to break something, where a condition holds): what a
                   release needs
  --all            the same with ${LARGE_SAMPLE} products and each lawful subject alone, and every
                   broken subject with the rest of the suite: prints which cases fail on
                   it besides
  --only WORD      only subjects whose id holds WORD; of the others only the cases whose id does
  --real           instead: the numbers of section 8, measured in real time; a few minutes
  --products N     instead: so many products, or all of them; prints the share that is caught
  --seed N         another seed for the properties (default 1) and the products (with
                   --all the day)
  --shard N/M      part N of M: together they judge what one run without it judges
exit codes: 0 nothing is wrong, 1 something is, 2 usage
`;

const { values: options } = given({
  all: flag,
  real: flag,
  only: text(),
  products: text(),
  seed: text(),
  shard: text("1/1"),
  help: flag,
  worker: flag,
});
const seed = positiveNumber("--seed", options.seed || "1");
/** Every night draws others; what a release needs is the same every day. */
const drawn = options.all && options.seed === "" ? Math.floor(Date.now() / 86_400_000) : seed;

const clearLine = () => void (process.stderr.isTTY && process.stderr.write("\r\u001b[K"));

/** Judges the jobs, and prints what is wrong as it is found. */
async function judgeAll(jobs: readonly Job[]): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  const caught = new Map<string, [caught: number, of: number]>();
  let judged = 0;
  const tell = ({ subject, part }: Job, { complaints: found, red }: JudgedJob) => {
    complaints.push(...found);
    if (part === "product") {
      const operator = products.find(({ id }) => id === subject)?.operator ?? subject;
      const [before, of] = caught.get(operator) ?? [0, 0];
      caught.set(operator, [before + Math.sign(red.length), of + 1]);
      const reason = red.length === 0 ? knownMiss(subject) : undefined;
      if (reason !== undefined) process.stdout.write(`missed, as is known: ${subject} (${reason})\n`);
    }
    judged += 1;
    clearLine();
    if (part === "others" && red.length > 0) process.stdout.write(`${subject} also fails ${red.join(", ")}\n`);
    process.stdout.write(found.map(({ title, line }) => `${title}: ${line}\n`).join(""));
    if (process.stderr.isTTY) process.stderr.write(`${judged}/${jobs.length} ${subject}`);
  };
  await inWorkers(jobs, options.real ? 8 : 5, tell);
  clearLine();
  if (caught.size > 0) process.stdout.write(`caught of the products that seed ${drawn} draws:\n`);
  for (const [operator, [hits, of]] of caught) process.stdout.write(`${hits} of ${of}  ${operator}\n`);
  return complaints;
}

/** The jobs of subjects whose id holds the word; of the other jobs those cases whose id does, with all that a kill needs. */
function about(word: string, jobs: readonly Job[]): Job[] {
  const chosen = jobs.flatMap((job) => {
    const cases = job.part === "product" ? [] : job.cases.filter((id) => id.includes(word));
    if (job.subject.includes(word) || (job.part === "kills" && cases.length > 0)) return [job];
    return cases.length > 0 ? [{ ...job, cases }] : [];
  });
  return chosen.length > 0 ? chosen : refuse(`--only is "${word}": no subject's id and no case's id holds it`);
}

/** The whole proof, or a part of it. */
async function prove(): Promise<void> {
  const started = performance.now();
  const { only, shard } = options;
  const [, number = 1, of = 1] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(shard) ?? []).map(Number);
  if (shard !== `${number}/${of}` || number > of)
    refuse(`--shard is "${shard}", expected N/M with N from 1 to M, as in 1/4`);
  const { products: count } = options;
  const wanted =
    count === "all"
      ? products.length
      : positiveNumber("--products", count || String(options.all ? LARGE_SAMPLE : SAMPLE));
  const sample = productJobs(wanted, drawn);
  const whole = () => [...sample, ...(options.all ? allJobs() : neededJobs())];
  const every = count === "" ? (options.real ? realJobs() : whole()) : sample;
  const chosen = only === "" ? every : about(only, every);
  // Every m-th job, so that each shard gets a like share of each kind.
  const jobs = chosen.filter((_, index) => index % of === number - 1);
  const complaints = await judgeAll(jobs);
  for (const title of titles) {
    const count = complaints.filter((complaint) => complaint.title === title).length;
    process.stdout.write(`${String(count).padStart(4)} ${title}\n`);
  }
  const subjects = new Set(jobs.map(({ subject }) => subject)).size;
  const pairs = jobs.reduce((sum, job) => sum + job.cases.length, 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${subjects} subjects, ${pairs} pairs of a subject and a case, ${seconds} s\n`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

// `prove | head` closes the pipe early: nothing is left to tell, and the workers end with this process.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

if (options.help) process.stdout.write(help);
else if (options.worker) workOff((job: Job) => judgeJob(job, seed, options.real));
else await prove();
