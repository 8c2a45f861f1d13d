/**
 * How many of all broken subjects the properties find without the example cases: without sockets, seed 1, default depth,
 * each subject until the first property finds it. Faults below the handler (configuration files, connections, the process)
 * cannot show there. Usage: deep.ts --catalogue; this file is one worker of it.
 */
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { firstLineOf } from "../conformance/foundation/message-of.ts";
import { readProfile } from "../conformance/interface/profile.ts";
import { directExecutors } from "../conformance/properties/play/direct-executor.ts";
import { properties } from "../conformance/properties/index.ts";
import { search } from "../conformance/properties/search.ts";
import { broken } from "../conformance/proof/broken/index.ts";
import { directSubject } from "../conformance/proof/direct.ts";
import { chosenBy } from "./options.ts";
import { inWorkers, workOff } from "./workers.ts";

interface Answer {
  /** The property that found the subject. */
  readonly found?: string;
  /** Why the subject could not be tried. */
  readonly untried?: string;
}

/** The expensive ones last: a subject is found once. */
const expensive = ["PROPERTY-STATES", "PROPERTY-ORDER"];
const inOrder = properties.toSorted((a, b) => expensive.indexOf(b.id) - expensive.indexOf(a.id)).toReversed();

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
      return { untried: firstLineOf(error) };
    }
  }
  return {};
}

const tell = ({ id }: { id: string }, { found, untried }: Answer) =>
  void process.stdout.write(`${id.padEnd(52)} ${found ?? untried ?? "-"}\n`);

/** Prints a line for each subject whose id holds `only`, and the sum. */
export async function catalogue(only: string): Promise<void> {
  const subjects = chosenBy(only, broken);
  const answers = await inWorkers(fileURLToPath(import.meta.url), ["worker"], subjects, 1, tell);
  const found = answers.filter((answer) => answer.found !== undefined);
  for (const { id } of properties) {
    const own = found.filter((answer) => answer.found === id);
    process.stdout.write(`${String(own.length).padStart(5)} found first by ${id}\n`);
  }
  const untried = answers.filter((answer) => answer.untried !== undefined).length;
  process.stdout.write(
    `found ${found.length} of ${subjects.length}; ${untried} could not be started without a gateway\n`,
  );
}

if (process.argv[2] === "worker" && process.send !== undefined) await workOff(judged);
