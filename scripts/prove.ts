/**
 * Proves the suite: every case is failed by the subjects that have its fault, by none that is right, and passed by no
 * stub. Usage: prove.ts [--served] [--only WORD] [--print]; --served starts each subject as a process of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "../conformance/cases/index.ts";
import { broken } from "../conformance/subjects/broken/index.ts";
import { different } from "../conformance/subjects/different/index.ts";
import { judgeStub, judgeSubject, judgeTarget } from "../conformance/subjects/judge-subject.ts";
import { pooled } from "../conformance/subjects/pool.ts";
import {
  falseAlarmsIn,
  findingsOf,
  killers,
  missedBy,
  passesOf,
  proofPage,
  unexpectedIn,
  type Finding,
} from "../conformance/subjects/proof.ts";
import { stubs } from "../conformance/subjects/stubs.ts";
import { servedStub, servedTarget } from "../conformance/subjects/target.ts";
import { StartError } from "../conformance/target/start-error.ts";

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

const page = fileURLToPath(new URL("../conformance/PROOF.md", import.meta.url));
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
async function inProcesses(jobs: readonly Job[]): Promise<Done[]> {
  const count = Math.min(availableParallelism(), jobs.length);
  const own = fileURLToPath(import.meta.url);
  const args = ["--worker", ...(values.served ? ["--served"] : [])];
  const workers = Array.from({ length: count }, () =>
    fork(own, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
  let turn = 0;
  let finished = 0;
  const done = await pooled(jobs, count * WIDTH, async (job) => {
    const worker = workers[turn++ % count];
    const answer = worker === undefined ? await judged(job) : await ask(worker, job);
    finished += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${finished}/${jobs.length} ${job.id}`);
    return answer;
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  for (const worker of workers) worker.disconnect();
  return done;
}

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

const subjectOf = (id: string) => broken.find((known) => known.id === id);

/** The five lists that have to be empty. */
function complaintsOf(done: readonly Done[]): Map<string, string[]> {
  const lines = (kind: Job["kind"], of: (job: Done) => readonly Finding[]) =>
    done
      .filter((job) => job.kind === kind)
      .flatMap((job) => of(job).map(({ id, outcome, reason }) => `${job.id}: ${outcome} ${id} ${reason}`));
  const whole = values.only === "";
  const unkilled = [...killers()].filter(([, subjects]) => subjects.length === 0).map(([id]) => id);
  const unstarted = done
    .filter(({ kind, unstarted }) => kind !== "stub" && unstarted !== undefined)
    .map(({ id, unstarted }) => `${id}: ${unstarted}`);
  return new Map([
    ["cases without a killer", whole ? unkilled : []],
    [
      "subjects not caught",
      [
        ...unstarted,
        ...lines("broken", ({ id, findings, alone }) => {
          const subject = subjectOf(id);
          return subject && missedBy(subject, findings).length > 0 ? missedBy(subject, alone) : [];
        }),
      ],
    ],
    [
      "unexpected failures",
      lines("broken", ({ id, findings }) => {
        const subject = subjectOf(id);
        return subject ? unexpectedIn(subject, findings) : [];
      }),
    ],
    [
      "false alarms",
      lines("different", ({ id, findings }) => {
        const subject = different.find((known) => known.id === id);
        return subject ? falseAlarmsIn(subject, findings) : [];
      }),
    ],
    ["stubs with a required pass", lines("stub", ({ findings }) => passesOf(findings))],
  ]);
}

async function main(): Promise<void> {
  const started = performance.now();
  const jobs: Job[] = [
    ...broken.map(({ id }) => ({ kind: "broken" as const, id })),
    ...different.map(({ id }) => ({ kind: "different" as const, id })),
    ...stubs.map(({ id }) => ({ kind: "stub" as const, id })),
  ].filter(({ id }) => id.includes(values.only));
  const done = await inProcesses(jobs);
  if (values.print) {
    for (const { id, findings } of done) {
      const red = findings.filter(({ outcome }) => outcome === "fail" || outcome === "warn").map((it) => it.id);
      process.stdout.write(`${id}: ${red.join(" ") || "nothing"}\n`);
    }
  }
  const complaints = complaintsOf(done);
  for (const [title, found] of complaints) {
    process.stdout.write(`${String(found.length).padStart(4)} ${title}\n`);
    for (const line of found) process.stdout.write(`       ${line}\n`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${jobs.length} subjects, ${cases.length} cases, ${seconds} s\n`);
  const proven = [...complaints.values()].every((found) => found.length === 0);
  if (proven && values.only === "") await writeFile(page, proofPage());
  process.exitCode = proven ? 0 : 1;
}

await (values.worker ? work() : main());
