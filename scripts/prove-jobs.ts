/** What each mode of the proof judges, as jobs: a job is one run of some cases against one subject. */
import { cases } from "../conformance/catalogue.ts";
import { invariants } from "../conformance/invariants/index.ts";
import { broken } from "../conformance/proof/broken/index.ts";
import { different } from "../conformance/proof/different/index.ts";
import type { Subject } from "../conformance/proof/subject.ts";
import { stubs } from "../conformance/proof/stubs.ts";
import { hashOf, type Sources } from "./prove-sources.ts";
import type { Store } from "./prove-store.ts";

export interface Job {
  readonly id: string;
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
const watching = new Set(invariants.map(({ id }) => id));
const bystanders = [...stubs, ...different];
/** Cases in one run of a bystander when there is not time for all. */
const SLICE = 40;
/** The same of cases that send hundreds of requests. */
const COSTLY_SLICE = 4;

/** The cases that a broken subject must fail, and those that have to run beside them. */
export const ownCases = ({ kills, beside = [] }: Subject): string[] =>
  ids.filter((id) => kills.includes(id) || beside.includes(id));

const othersOf = (subject: Subject): string[] => {
  const own = ownCases(subject);
  return ids.filter((id) => cheap.has(id) && !own.includes(id));
};

const killsJob = (subject: Subject): Job => {
  return { id: `${subject.id} kills`, subject: subject.id, part: "kills", cases: ownCases(subject) };
};
const othersJob = (subject: Subject, chosen: readonly string[]): Job => {
  return { id: `${subject.id} others`, subject: subject.id, part: "others", cases: chosen };
};

const whole = ({ id }: { id: string }): Job => ({ id, subject: id, part: "bystander", cases: ids });

/** The proof that a release needs. A stub mostly waits, so there is one after every few lawful subjects. */
export function neededJobs(): Job[] {
  const every = Math.max(1, Math.floor(different.length / stubs.length));
  const mixed = different.flatMap((one, index) => {
    const stub = index % every === 0 ? stubs[index / every] : undefined;
    return stub === undefined ? [one] : [stub, one];
  });
  return [...mixed.map(whole), ...broken.map(killsJob)];
}

/** The same, and every broken subject against the cases that it need not fail. */
export function allJobs(): Job[] {
  return [...broken.map((subject) => othersJob(subject, othersOf(subject))), ...neededJobs()];
}

/** The keys that a job adds to the store when nothing is wrong; `red`: the cases that failed. */
export function keysOf({ part, cases: chosen }: Job, red: readonly string[], sources: Sources): string[] {
  if (part === "kills") return [keyOfKills(chosen, sources)];
  // Whether a red case of a broken subject is listed may change: it is judged again.
  return chosen.filter((id) => part === "bystander" || !red.includes(id)).map((id) => sources.cases[id] ?? "");
}

/** A broken subject's own cases are judged in one run, always all of them. */
const keyOfKills = (chosen: readonly string[], sources: Sources): string =>
  hashOf("kills", ...chosen.map((id) => sources.cases[id] ?? ""));

export interface ChangedJobs {
  /** The most telling first. */
  readonly jobs: readonly Job[];
  /** Pairs of the needed proof that came out right before and of which nothing has changed. */
  readonly kept: number;
  /** Why the broken subjects are not judged against cases that they need not fail. */
  readonly without?: string;
}

/** What has to be judged again: of the needed proof what is not in the store, and what changed since the last whole run. */
export function changedJobs(sources: Sources, store: Store): ChangedJobs {
  const isRight = (subject: string, id: string) => store.right(subject).has(sources.cases[id] ?? "");
  const killers = broken.filter((subject) => {
    return !store.right(subject.id).has(keyOfKills(ownCases(subject), sources));
  });
  const open = bystanders.map(({ id }) => ({ id, left: ids.filter((one) => !isRight(id, one)) }));
  const needed = [...killers.map(killsJob), ...slices(open)];
  const all = bystanders.length * ids.length + broken.reduce((sum, subject) => sum + ownCases(subject).length, 0);
  const kept = all - pairsIn(needed);

  const last = store.lastWholeRun();
  if (last === undefined) return { jobs: needed, kept, without: "no whole run is kept to compare with" };
  if (last.shared !== sources.shared) return { jobs: needed, kept, without: "what all pairs share has changed" };
  const others = broken.flatMap((subject) => {
    const isNew = last.subjects[subject.id] !== sources.subjects[subject.id];
    const chosen = othersOf(subject).filter((id) => {
      return (isNew || last.cases[id] !== sources.cases[id]) && !isRight(subject.id, id);
    });
    return chosen.length === 0 ? [] : [othersJob(subject, chosen)];
  });
  return { jobs: [...needed, ...others], kept };
}

export const pairsIn = (jobs: readonly Job[]): number => jobs.reduce((sum, job) => sum + job.cases.length, 0);

/**
 * Short runs instead of whole ones, in rounds: in each round every bystander is judged with another slice, so that early
 * on each subject and each case was judged at least once.
 */
function slices(open: readonly { readonly id: string; readonly left: readonly string[] }[]): Job[] {
  const rounds: Job[][] = [];
  for (const [index, { id, left }] of open.entries()) {
    const light = sliced(
      left.filter((one) => cheap.has(one)),
      SLICE,
    );
    const turned = light.map((_, turn) => light[(index + turn) % light.length] ?? []);
    for (const [round, chosen] of [
      ...turned,
      ...sliced(
        left.filter((one) => !cheap.has(one)),
        COSTLY_SLICE,
      ),
    ].entries()) {
      (rounds[round] ??= []).push({ id: `${id} ${round}`, subject: id, part: "bystander", cases: chosen });
    }
  }
  return rounds.flat();
}

/** The invariants stay together, so that they share their tour. */
function sliced(chosen: readonly string[], size: number): string[][] {
  const invariant = chosen.filter((id) => watching.has(id));
  const rest = chosen.filter((id) => !watching.has(id));
  const count = Math.ceil(rest.length / size) || (invariant.length > 0 ? 1 : 0);
  const found = Array.from({ length: count }, (_, slice) => rest.filter((_id, index) => index % count === slice));
  return found.map((slice, index) => (index === 0 ? [...slice, ...invariant] : slice));
}
