/** What each mode of the proof judges, as jobs: a job is one run of some cases against one subject. */
import { cases } from "../../conformance/catalogue.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different } from "../../conformance/proof/different/index.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import type { Subject } from "../../conformance/proof/subject.ts";
import { hashOf, type Sources } from "./sources.ts";
import type { Store } from "./store.ts";

export interface Job {
  readonly subject: string;
  /**
   * `bystander`: a lawful subject or a stub; `kills`: a broken subject and the cases that it must fail; `others`: a broken
   * subject and cases that it need not fail.
   */
  readonly part: "bystander" | "kills" | "others";
  /** The ids, in the order of the catalogue. Invariants that are not among them watch the run all the same. */
  readonly cases: readonly string[];
}

const ids = cases.map(({ id }) => id);
const cheap = new Set(cases.filter(({ costly }) => costly !== true).map(({ id }) => id));
/** Cases in one run of a bystander when there is not time for all. */
const SLICE = 40;

/** The cases that a broken subject must fail, and those that have to run beside them. */
export const ownCases = ({ kills, beside = [] }: Subject): string[] =>
  ids.filter((id) => kills.includes(id) || beside.includes(id));

const killsJob = (subject: Subject): Job => ({ subject: subject.id, part: "kills", cases: ownCases(subject) });

function othersJob(subject: Subject): Job {
  const own = ownCases(subject);
  return { subject: subject.id, part: "others", cases: ids.filter((id) => cheap.has(id) && !own.includes(id)) };
}

/** A stub mostly waits, so there is one after every few lawful subjects. */
const bystanders: readonly string[] = different.flatMap(({ id }, index) => {
  const every = Math.max(1, Math.floor(different.length / stubs.length));
  const stub = index % every === 0 ? stubs[index / every] : undefined;
  return stub === undefined ? [id] : [stub.id, id];
});

/** The proof that a release needs. */
export function neededJobs(): Job[] {
  const whole = bystanders.map((subject): Job => ({ subject, part: "bystander", cases: ids }));
  return [...whole, ...broken.map(killsJob)];
}

/** The same, and every broken subject against the cases that it need not fail. */
export const allJobs = (): Job[] => [...broken.map(othersJob), ...neededJobs()];

/** The keys that a job adds to the store when nothing is wrong; `red`: the cases that failed. */
export function keysOf({ part, cases: chosen }: Job, red: readonly string[], sources: Sources): string[] {
  if (part === "kills") return [keyOfKills(chosen, sources)];
  // Whether a red case of a broken subject is listed may change: it is judged again.
  return chosen.filter((id) => part === "bystander" || !red.includes(id)).map((id) => sources.cases[id] ?? "");
}

/** A broken subject's own cases are judged in one run, always all of them. */
const keyOfKills = (chosen: readonly string[], sources: Sources): string =>
  hashOf("kills", ...chosen.map((id) => sources.cases[id] ?? ""));

interface ChangedJobs {
  /** The most telling first. */
  readonly jobs: readonly Job[];
  /** Pairs of the needed proof that came out right before and of which nothing has changed. */
  readonly kept: number;
  /** Why the broken subjects are not judged against cases that they need not fail. */
  readonly without?: string;
}

/** What has to be judged again: of the needed proof what is not in the store, and what changed since the last whole run. */
export function changedJobs(sources: Sources, store: Store): ChangedJobs {
  const isWrong = ({ subject }: Pick<Job, "subject">, key = "") =>
    !store.right(sources.subjects[subject] ?? "").has(key);
  const needed = neededJobs();
  const killers = needed.filter((job) => job.part === "kills" && isWrong(job, keyOfKills(job.cases, sources)));
  const slices = needed
    .filter(({ part }) => part === "bystander")
    .flatMap((job, place) => {
      const open = ids.filter((id) => isWrong(job, sources.cases[id]));
      const count = Math.ceil(open.length / SLICE);
      return Array.from({ length: count }, (_, slice) => ({
        job: { ...job, cases: open.slice(slice * SLICE, (slice + 1) * SLICE) },
        // In turns, so that early on each subject and each case was judged at least once.
        turn: (slice + place) % count,
      }));
    });
  const jobs: Job[] = [...killers, ...slices.toSorted((a, b) => a.turn - b.turn).map(({ job }) => job)];
  const kept = pairsIn(needed) - pairsIn(jobs);

  const last = store.lastWholeRun();
  if (last.size === 0) return { jobs, kept, without: "no whole run is kept to compare with" };
  if (!last.has(sources.shared)) return { jobs, kept, without: "what all pairs share has changed" };
  const isNew = (key = "") => !last.has(key);
  const others = broken.map(othersJob).map((job) => {
    const isNewSubject = isNew(sources.subjects[job.subject]);
    const open = job.cases.filter(
      (id) => (isNewSubject || isNew(sources.cases[id])) && isWrong(job, sources.cases[id]),
    );
    return { ...job, cases: open };
  });
  return { jobs: [...jobs, ...others.filter((job) => job.cases.length > 0)], kept };
}

export const pairsIn = (jobs: readonly Job[]): number => jobs.reduce((sum, job) => sum + job.cases.length, 0);
