/**
 * Proves the suite: every case is failed by the subjects that have its fault, by none that is right, and passed by no
 * stub. Usage: prove.ts [--served] [--only WORD] [--print] [--update]; --served starts each subject as a process of its
 * own, --print shows which cases each turned red, --update rewrites conformance/proof/also-fails.json.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { cases } from "../conformance/catalogue.ts";
import { StartError } from "../conformance/foundation/start-error.ts";
import { alsoFails, alsoFailsFile, updated } from "../conformance/proof/also-fails.ts";
import { broken } from "../conformance/proof/broken/index.ts";
import { different } from "../conformance/proof/different/index.ts";
import { judgeStub, judgeSubject, runSuite } from "../conformance/proof/judge-subject.ts";
import {
  crashesIn,
  falseAlarmsIn,
  missedBy,
  outcomesOf,
  redIn,
  requiredPassesIn,
  subjectsByCase,
  unexpectedIn,
  type CaseOutcome,
} from "../conformance/proof/proof.ts";
import { stubs } from "../conformance/proof/stubs.ts";
import { servedStub, servedTarget } from "../conformance/proof/target.ts";
import { chosenBy } from "./options.ts";
import { inWorkers, workOff } from "./workers.ts";

interface Judged {
  readonly outcomes: readonly CaseOutcome[];
  /** The cases that it had to fail and did not, run once more without the others. */
  readonly again: readonly CaseOutcome[];
  /** Why the target never started. */
  readonly unstarted?: string;
}

/** Subjects at a time in one process: each mostly waits. */
const WIDTH = 2;

const { values } = parseArgs({
  options: {
    served: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    print: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
    worker: { type: "boolean", default: false },
  },
});

async function judged(id: string): Promise<Judged> {
  try {
    const stub = stubs.find((known) => known.id === id);
    if (stub !== undefined) {
      const { results } = await (values.served ? runSuite(servedStub(id), "spec", cases) : judgeStub(stub, cases));
      return { outcomes: outcomesOf(results), again: [] };
    }
    const subject = broken.find((known) => known.id === id);
    if (subject === undefined) return { outcomes: await outcomesFor(id, cases), again: [] };
    const needed = [...subject.kills, ...(subject.beside ?? [])];
    const first = await outcomesFor(
      id,
      cases.filter((item) => item.costly !== true || needed.includes(item.id)),
    );
    const missed = [...missedBy(subject, first).map((one) => one.id), ...(subject.beside ?? [])];
    const chosen = cases.filter((item) => missed.includes(item.id));
    return { outcomes: first, again: missedBy(subject, first).length === 0 ? [] : await outcomesFor(id, chosen) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { outcomes: [], again: [], unstarted: error.message };
  }
}

async function outcomesFor(id: string, chosen: typeof cases): Promise<CaseOutcome[]> {
  const lawful = different.find((known) => known.id === id);
  const change = (lawful ?? broken.find((known) => known.id === id))?.change;
  if (change === undefined) throw new Error(`there is no subject ${id}`);
  const profile = lawful === undefined ? "reference" : (lawful.profile ?? "spec");
  const run = values.served ? runSuite(servedTarget(id), profile, chosen) : judgeSubject(id, change, profile, chosen);
  return outcomesOf((await run).results);
}

const titles = [
  "cases without a subject that fails them",
  "subjects not caught",
  "unexpected failures",
  "false alarms",
  "stubs with a required pass",
  "faults of the suite",
] as const;
type Title = (typeof titles)[number];

/** What is not as it has to be with one subject. */
function complaintsAbout(id: string, judged: Judged): [Title, string][] {
  const crashes = crashesIn(judged.outcomes);
  const others = { ...judged, outcomes: judged.outcomes.filter((one) => !crashes.includes(one)) };
  return [...linesOf("faults of the suite", id, crashes), ...otherComplaints(id, others)];
}

const linesOf = (title: Title, id: string, found: readonly CaseOutcome[]) =>
  found.map((one): [Title, string] => [title, `${id}: ${one.outcome} ${one.id} ${one.reason}`]);

function otherComplaints(id: string, { outcomes, again, unstarted }: Judged): [Title, string][] {
  const lines = (title: Title, found: readonly CaseOutcome[]) => linesOf(title, id, found);
  if (stubs.some((known) => known.id === id)) return lines("stubs with a required pass", requiredPassesIn(outcomes));
  if (unstarted !== undefined) return [["subjects not caught", `${id}: ${unstarted}`]];
  const lawful = different.find((known) => known.id === id);
  if (lawful !== undefined) return lines("false alarms", falseAlarmsIn(lawful, outcomes));
  const subject = broken.find((known) => known.id === id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const unexpected = values.update ? [] : unexpectedIn(subject, outcomes);
  return [...lines("subjects not caught", missedBy(subject, again)), ...lines("unexpected failures", unexpected)];
}

const clearLine = () => void (process.stderr.isTTY && process.stderr.write("\r\u001b[K"));

async function main(): Promise<void> {
  const started = performance.now();
  const jobs = chosenBy(values.only, [...broken, ...different, ...stubs]);
  const complaints: [Title, string][] = [];
  if (values.only === "") {
    const without = [...subjectsByCase()].filter(([, subjects]) => subjects.length === 0);
    complaints.push(...without.map(([id]): [Title, string] => ["cases without a subject that fails them", id]));
  }
  const seen = new Map<string, string[]>();
  let finished = 0;
  const tell = ({ id }: { id: string }, one: Judged) => {
    finished += 1;
    const red = redIn(one.outcomes).map((outcome) => outcome.id);
    seen.set(id, red);
    const found = complaintsAbout(id, one);
    complaints.push(...found);
    const lines = found.map(([title, line]) => `${title}: ${line}`);
    if (values.print) lines.unshift(`${id}: ${red.join(" ") || "nothing"}`);
    clearLine();
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
    if (process.stderr.isTTY) process.stderr.write(`${finished}/${jobs.length} ${id}`);
  };
  const args = ["--worker", ...(values.served ? ["--served"] : []), ...(values.update ? ["--update"] : [])];
  await inWorkers<Judged>(fileURLToPath(import.meta.url), args, jobs, WIDTH, tell);
  clearLine();
  if (values.update) {
    const text = JSON.stringify(updated(alsoFails, seen));
    await writeFile(alsoFailsFile, await format(text, { parser: "json", printWidth: 120 }));
  }
  for (const title of titles) {
    const count = complaints.filter(([of]) => of === title).length;
    process.stdout.write(`${String(count).padStart(4)} ${title}\n`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${jobs.length} subjects, ${cases.length} cases, ${seconds} s\n`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

// `prove | head` closes the pipe early: nothing is left to tell, and the workers end with this process.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

await (values.worker ? workOff(judged) : main());
