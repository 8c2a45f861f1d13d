/**
 * Proves the suite: every case is failed by the subjects that have its fault, by none that is right, and passed by no
 * stub. Usage: prove.ts [--served] [--only WORD] [--print]; --served starts each subject as a process of its own,
 * --print tells of each what it failed.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "../conformance/catalogue.ts";
import { broken } from "../conformance/proof/broken/index.ts";
import { different } from "../conformance/proof/different/index.ts";
import { judgeStub, judgeSubject, judgeTarget } from "../conformance/proof/judge-subject.ts";
import { pooled } from "../conformance/proof/pool.ts";
import {
  falseAlarmsIn,
  findingsOf,
  killers,
  missedBy,
  passesOf,
  proofPage,
  unexpectedIn,
  type Finding,
} from "../conformance/proof/proof.ts";
import { stubs } from "../conformance/proof/stubs.ts";
import { servedStub, servedTarget } from "../conformance/proof/target.ts";
import { StartError } from "../conformance/foundation/start-error.ts";
import { chosenBy } from "./refuse.ts";

interface Job {
  readonly kind: "broken" | "different" | "stub";
  readonly id: string;
}

interface Done extends Job {
  readonly findings: readonly Finding[];
  /** Of the cases that it has to fail and did not beside all the others: what came of them alone. */
  readonly alone: readonly Finding[];
  /** It never came as far as being judged. */
  readonly unstarted?: string;
}

const page = fileURLToPath(new URL("../docs/PROOF.md", import.meta.url));
/** Runs at the same time in one process: what one waits for, another can use. */
const WIDTH = 2;

const { values } = parseArgs({
  options: {
    served: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    print: { type: "boolean", default: false },
    worker: { type: "boolean", default: false },
  },
});

async function judged({ kind, id }: Job): Promise<Done> {
  try {
    if (kind === "stub") {
      const stub = stubs.find((known) => known.id === id);
      if (stub === undefined) throw new Error(`there is no stub ${id}`);
      const outcome = await (values.served ? judgeTarget(servedStub(id), "spec", cases) : judgeStub(stub, cases));
      return { kind, id, findings: findingsOf(outcome.results), alone: [] };
    }
    const judge = (chosen: typeof cases) => judgeOne({ kind, id }, chosen);
    const subject = broken.find((known) => known.id === id);
    const findings = await judge(
      kind === "broken" ? cases.filter((item) => item.costly !== true || subject?.kills.includes(item.id)) : cases,
    );
    const missed = kind === "broken" && subject ? missedBy(subject, findings).map((finding) => finding.id) : [];
    const alone = missed.length === 0 ? [] : await judge(cases.filter((item) => missed.includes(item.id)));
    return { kind, id, findings, alone };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { kind, id, findings: [], alone: [], unstarted: error.message };
  }
}

async function judgeOne({ kind, id }: Job, chosen: typeof cases): Promise<Finding[]> {
  const profile = kind === "broken" ? "reference" : "spec";
  if (values.served) return findingsOf((await judgeTarget(servedTarget(id), profile, chosen)).results);
  const change = [...broken, ...different].find((known) => known.id === id)?.change ?? {};
  return findingsOf((await judgeSubject(id, change, profile, chosen)).results);
}

/** One process for each core; jobs go to whoever is free. */
async function inProcesses(jobs: readonly Job[], tell: (done: Done) => void): Promise<void> {
  const count = Math.min(availableParallelism(), jobs.length);
  const own = fileURLToPath(import.meta.url);
  const args = ["--worker", ...(values.served ? ["--served"] : [])];
  const workers = Array.from({ length: count }, () =>
    fork(own, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
  let turn = 0;
  let finished = 0;
  await pooled(jobs, count * WIDTH, async (job) => {
    const worker = workers[turn++ % count];
    const done = worker === undefined ? await judged(job) : await ask(worker, job);
    finished += 1;
    clearLine();
    tell(done);
    if (process.stderr.isTTY) process.stderr.write(`${finished}/${jobs.length} ${job.id}`);
  });
  clearLine();
  for (const worker of workers) worker.disconnect();
}

const clearLine = () => void (process.stderr.isTTY && process.stderr.write("\r\u001b[K"));

const redOf = ({ findings }: Done): string[] =>
  findings.filter(({ outcome }) => outcome === "fail" || outcome === "warn").map(({ id }) => id);

function ask(worker: ReturnType<typeof fork>, job: Job): Promise<Done> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: Done) => {
      if (answer.kind !== job.kind || answer.id !== job.id) return;
      settle();
      resolve(answer);
    };
    const onExit = (code: number | null) => {
      settle();
      reject(new Error(`the process that judged ${job.id} ended (${String(code)})`));
    };
    const settle = () => worker.off("message", onMessage).off("exit", onExit);
    worker.on("message", onMessage).on("exit", onExit).send(job);
  });
}

async function work(): Promise<void> {
  process.on("message", (job: Job) => {
    void (async () => process.send?.(await judged(job)))();
  });
  await once(process, "disconnect");
  process.exit(0);
}

const titles = [
  "cases without a killer",
  "subjects not caught",
  "unexpected failures",
  "false alarms",
  "stubs with a required pass",
] as const;
type Title = (typeof titles)[number];

/** What is not as it has to be with one subject. */
function complaintsAbout({ kind, id, findings, alone, unstarted }: Done): [Title, string][] {
  const lines = (title: Title, found: readonly Finding[]) =>
    found.map((one): [Title, string] => [title, `${id}: ${one.outcome} ${one.id} ${one.reason}`]);
  if (kind === "stub") return lines("stubs with a required pass", passesOf(findings));
  if (unstarted !== undefined) return [["subjects not caught", `${id}: ${unstarted}`]];
  const lawful = different.find((known) => known.id === id);
  if (lawful !== undefined) return lines("false alarms", falseAlarmsIn(lawful, findings));
  const subject = broken.find((known) => known.id === id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const missed = missedBy(subject, findings).length > 0 ? missedBy(subject, alone) : [];
  return [...lines("subjects not caught", missed), ...lines("unexpected failures", unexpectedIn(subject, findings))];
}

async function main(): Promise<void> {
  const started = performance.now();
  const jobs = chosenBy<Job>(values.only, [
    ...broken.map(({ id }) => ({ kind: "broken" as const, id })),
    ...different.map(({ id }) => ({ kind: "different" as const, id })),
    ...stubs.map(({ id }) => ({ kind: "stub" as const, id })),
  ]);
  const complaints: [Title, string][] = [];
  if (values.only === "") {
    const unkilled = [...killers()].filter(([, subjects]) => subjects.length === 0);
    complaints.push(...unkilled.map(([id]): [Title, string] => ["cases without a killer", id]));
  }
  await inProcesses(jobs, (done) => {
    const found = complaintsAbout(done);
    complaints.push(...found);
    const told = found.map(([title, line]) => `${title}: ${line}`);
    if (values.print) told.unshift(`${done.id}: ${redOf(done).join(" ") || "nothing"}`);
    process.stdout.write(told.map((line) => `${line}\n`).join(""));
  });
  for (const title of titles) {
    const count = complaints.filter(([of]) => of === title).length;
    process.stdout.write(`${String(count).padStart(4)} ${title}\n`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${jobs.length} subjects, ${cases.length} cases, ${seconds} s\n`);
  const proven = complaints.length === 0;
  if (proven && values.only === "") await writeFile(page, proofPage());
  process.exitCode = proven ? 0 : 1;
}

// `prove | head` closes the pipe early: nothing is left to tell, and the workers end with this process.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

await (values.worker ? work() : main());
