/**
 * How many of all broken subjects the properties find without the example cases: at handler level, seed 1, default depth,
 * each subject until the first property finds it. Faults below the handler (configuration files, connections, the process)
 * are out of sight here. Usage: deep.ts --catalogue; this file is one worker of it.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { readProfile } from "../conformance/interface/profile.ts";
import { directExecutors } from "../conformance/properties/play/direct-executor.ts";
import { properties } from "../conformance/properties/index.ts";
import { search } from "../conformance/properties/search.ts";
import { broken } from "../conformance/proof/broken/index.ts";
import { directSubject } from "../conformance/proof/direct.ts";
import { pooled } from "../conformance/proof/pool.ts";
import { chosenBy } from "./refuse.ts";

/** What is asked of a worker, and what it answers: the property that found the subject, or why it could not be tried. */
interface Answer {
  readonly found?: string;
  readonly untried?: string;
}

/** Cheap ones first: a subject is found once. */
const dear = ["PROPERTY-STATES", "PROPERTY-ORDER"];
const inOrder = properties.toSorted((a, b) => dear.indexOf(b.id) - dear.indexOf(a.id)).toReversed();

async function judged(id: string): Promise<Answer> {
  const subject = broken.find((one) => one.id === id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const profile = await readProfile("reference", ".");
  const options = { product: "service", stateDir: tmpdir(), timeoutMs: 2000, log: () => {} };
  for (const property of inOrder) {
    const executor = directExecutors(directSubject(subject.change), options);
    try {
      const { found } = await search(property, { profile, executor, depth: { seed: 1 }, confirms: false });
      if (found !== undefined) return { found: property.id };
    } catch (error) {
      return { untried: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
    }
  }
  return {};
}

/** Prints a line for each subject whose id holds `only`, and the sum. */
export async function catalogue(only: string): Promise<void> {
  const subjects = chosenBy(only, broken);
  const workers = Array.from({ length: availableParallelism() }, () =>
    fork(fileURLToPath(import.meta.url), ["worker"]),
  );
  const idle = [...workers];
  const answers = await pooled(subjects, workers.length, async ({ id }) => {
    const worker = idle.pop() as ChildProcess;
    const answer = await ask(worker, id);
    idle.push(worker);
    process.stdout.write(`${id.padEnd(52)} ${answer.found ?? answer.untried ?? "-"}\n`);
    return answer;
  });
  for (const worker of workers) worker.disconnect();
  const found = answers.filter((answer) => answer.found !== undefined);
  for (const { id } of properties) {
    const own = found.filter((answer) => answer.found === id);
    process.stdout.write(`${String(own.length).padStart(5)} found first by ${id}\n`);
  }
  const untried = answers.filter((answer) => answer.untried !== undefined).length;
  process.stdout.write(
    `found ${found.length} of ${subjects.length}; ${untried} could not be brought up without a gateway\n`,
  );
}

async function ask(worker: ChildProcess, id: string): Promise<Answer> {
  const asked = new AbortController();
  const { signal } = asked;
  const ended = once(worker, "exit", { signal }).then(([code]) => {
    throw new Error(`the process that judged ${id} ended (exit code ${code})`);
  });
  worker.send(id);
  try {
    const [answer] = (await Promise.race([once(worker, "message", { signal }), ended])) as [Answer];
    return answer;
  } finally {
    asked.abort();
  }
}

if (process.argv[2] === "worker" && process.send !== undefined) {
  process.on("message", async (id) => process.send?.(await judged(id as string)));
}
