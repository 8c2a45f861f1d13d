/** What each mode of the proof judges, as jobs: a job is one run of some cases against one subject. */
import { createHash } from "node:crypto";
import { cases } from "../../conformance/catalogue.ts";
import { invariants } from "../../conformance/invariants/index.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different, inGroups } from "../../conformance/proof/different/index.ts";
import { windows } from "../../conformance/proof/different/limits.ts";
import { products } from "../../conformance/proof/products/index.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import type { Different, Subject } from "../../conformance/proof/subject.ts";

export interface Job {
  readonly subject: string;
  /**
   * `bystander`: a lawful subject or a stub; `kills`: a broken subject and the cases that it must fail; `others`: a broken
   * subject and cases that it need not fail; `product`: one that any case may fail, the first that does ends its run.
   */
  readonly part: "bystander" | "kills" | "others" | "product";
  /** The ids, in the order of the catalogue. Invariants that are not among them watch the run all the same. */
  readonly cases: readonly string[];
}

const ids = cases.map(({ id }) => id);
const cheap = new Set(cases.filter(({ costly }) => costly !== true).map(({ id }) => id));

const watching = new Set(invariants.map(({ id }) => id));
/** What an invariant cannot bring about itself: these cases run beside each that has to fail. */
export const situations: readonly string[] = [
  "BODY-SHAPES",
  "FIELD-TYPES",
  "NOT-STORED-REFUSED",
  "GAP-REFUSED-IN-FLIGHT",
  "GAP-REFUSED-RATE",
  "GAP-REFUSED-TIMEOUT",
  "SESSION-MANY-FLOWS",
];

/** The cases that a broken subject must fail, and those that have to run beside them. */
export const ownCases = ({ kills }: Subject): string[] =>
  ids.filter((id) => kills.includes(id) || (situations.includes(id) && kills.some((kill) => watching.has(kill))));

const killsJob = (subject: Subject): Job => ({ subject: subject.id, part: "kills", cases: ownCases(subject) });

function othersJob(subject: Subject): Job {
  const own = ownCases(subject);
  return { subject: subject.id, part: "others", cases: ids.filter((id) => cheap.has(id) && !own.includes(id)) };
}

/** Long jobs in whose time the last short ones are judged. */
const ENDING = 6;

/** Its whole run takes longest, and mostly waits: it begins first. */
const isSlowest = ({ id }: Different): boolean => id.includes("different-answers-after-200-ms");

/** The whole suite against each lawful subject, and each stub, which mostly waits. */
function bystanders(lawful: readonly Different[]): Job[] {
  const slowestFirst = [...lawful.filter(isSlowest), ...lawful.filter((one) => !isSlowest(one))];
  return [...slowestFirst, ...stubs].map(({ id }): Job => ({ subject: id, part: "bystander", cases: ids }));
}

/**
 * The proof that a release needs. Between two long jobs are short ones, many of which wait for a time to pass: it passes
 * while the long ones compute. Behind the last long one are enough for the others of its time.
 */
export function neededJobs(lawful = inGroups): Job[] {
  const [long, short] = [bystanders(lawful), broken.map(killsJob)];
  const between = Math.floor(short.length / (long.length + ENDING));
  const mixed = long.flatMap((job, index) => [job, ...short.slice(index * between, (index + 1) * between)]);
  return [...mixed, ...short.slice(long.length * between)];
}

/** The texts in an order that depends on the seed alone. */
const shuffled = (texts: readonly string[], seed: number): string[] => {
  const placed = texts.map((text) => ({ text, place: createHash("sha256").update(`${seed} ${text}`).digest("hex") }));
  return placed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ text }) => text);
};

/**
 * So many products, as few of one operator as can be, each with the whole suite. The operators of a seed begin where those
 * of the seed before ended, so that a few seeds that follow each other meet all of them.
 */
export function productJobs(count: number, seed: number): Job[] {
  const operators = shuffled([...new Set(products.map(({ operator }) => operator))], 0);
  const first = (seed * count) % operators.length;
  const lists = [...operators.slice(first), ...operators.slice(0, first)].map((operator) => {
    const own = products.filter((product) => product.operator === operator);
    return shuffled(
      own.map(({ id }) => id),
      seed,
    );
  });
  const dealt = lists.flatMap((list) => list.map((subject, round) => ({ subject, round })));
  const chosen = dealt.toSorted((a, b) => a.round - b.round).slice(0, count);
  return chosen.map(({ subject }) => ({ subject, part: "product", cases: ids }));
}

/** The cases that measure a number of section 8: those that have to see each of its sizes. */
const measuring = [...new Set(broken.flatMap(({ id, kills }) => (id.startsWith("sweep-") ? kills : [])))];

/** What these cases have to measure in real time, which mostly is to wait: wrong numbers, and lawful windows. */
export function realJobs(): Job[] {
  const lawful = windows.map(({ id }): Job => ({ subject: id, part: "bystander", cases: measuring }));
  const wrong = broken.filter(
    ({ kills, drivenOnly }) => !drivenOnly && kills.every((kill) => measuring.includes(kill)),
  );
  return [...lawful, ...wrong.map(killsJob)];
}

/** Lawful subjects one by one, and every broken subject also against the cases that it need not fail. */
export const allJobs = (): Job[] => [...broken.map(othersJob), ...neededJobs(different)];
