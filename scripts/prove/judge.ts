/** Works off one job of the proof: runs its cases against its subject, and says what is wrong with the outcomes. */
import { casesAt } from "../../conformance/catalogue.ts";
import { StartError } from "../../conformance/foundation/start-error.ts";
import type { Case } from "../../conformance/harness/case.ts";
import { invariants } from "../../conformance/invariants/index.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different } from "../../conformance/proof/different/index.ts";
import { judgeStub, judgeSubject } from "../../conformance/proof/judge-subject.ts";
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
} from "../../conformance/proof/proof.ts";
import { stubs, type Stub } from "../../conformance/proof/stubs.ts";
import type { Different, Subject } from "../../conformance/proof/subject.ts";
import type { RunOutcome } from "../../conformance/run/run.ts";
import type { Job } from "./jobs.ts";

export const titles = [
  "cases without a subject that fails them",
  "subjects not caught",
  "unexpected failures",
  "false alarms",
  "stubs with a required pass",
  "faults of the suite",
] as const;

export interface Complaint {
  readonly title: (typeof titles)[number];
  readonly line: string;
}

export interface Judged {
  /** The cases that failed or warned. */
  readonly red: readonly string[];
  readonly complaints: readonly Complaint[];
}

/** Cases that no subject is declared to fail. */
export function casesWithoutSubject(): Complaint[] {
  const without = [...subjectsByCase()].filter(([, subjects]) => subjects.length === 0);
  return without.map(([line]) => ({ title: "cases without a subject that fails them", line }));
}

/** `seed`: of the properties' requests. */
export async function judgeJob({ subject: id, part, cases: ids }: Job, seed: number): Promise<Judged> {
  const [stub, lawful, subject] = [named(stubs, id), named(different, id), named(broken, id)];
  const judge = async (chosen: readonly string[]): Promise<CaseOutcome[]> => {
    const judged = chosenCases(chosen, part, seed);
    return outcomesOf((await runOn({ stub, lawful, subject }, judged)).results);
  };
  let outcomes: CaseOutcome[] = [];
  const unstarted: CaseOutcome[] = [];
  try {
    // An invariant that only watched proves nothing by what it has not seen.
    outcomes = (await judge(ids)).filter((one) => ids.includes(one.id) || redIn([one]).length > 0);
    // A busy machine lets a case run out of time: what it has to decide it decides once more, with few others.
    const unsure = lawful ? outcomes.filter(isOpen) : subject && part === "kills" ? missedBy(subject, outcomes) : [];
    const once = unsure.filter((one) => !crashesIn([one]).includes(one)).map((one) => one.id);
    const again = once.length === 0 ? [] : await judge([...once, ...(subject?.beside ?? [])]);
    outcomes = outcomes.map((one) => (once.includes(one.id) ? (named(again, one.id) ?? one) : one));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    unstarted.push({ id: "no case", outcome: "error", level: "must", reason: error.message });
  }
  const crashes = crashesIn(outcomes);
  const rest = outcomes.filter((one) => !crashes.includes(one));
  const complain = (title: Complaint["title"], found: readonly CaseOutcome[] = []): Complaint[] =>
    found.map((one) => ({ title, line: `${id}: ${one.outcome} ${one.id} ${one.reason}` }));
  return {
    red: redIn(outcomes).map((one) => one.id),
    complaints: [
      ...complain("faults of the suite", crashes),
      ...complain("stubs with a required pass", stub && requiredPassesIn(rest)),
      ...complain("false alarms", lawful && [...unstarted, ...falseAlarmsIn(lawful, rest)]),
      ...complain(
        "subjects not caught",
        subject && [...unstarted, ...(part === "kills" ? missedBy(subject, rest) : [])],
      ),
      ...complain("unexpected failures", subject && unexpectedIn(subject, rest)),
    ],
  };
}

const named = <Item extends { readonly id: string }>(list: readonly Item[], id: string): Item | undefined =>
  list.find((item) => item.id === id);

const isOpen = ({ outcome }: CaseOutcome): boolean => outcome === "unreached" || outcome === "error";

/** The cases; the invariants that are not among them watch without requests of their own. */
function chosenCases(ids: readonly string[], part: Job["part"], seed: number): Case[] {
  const chosen = casesAt({ seed }).filter((item) => ids.includes(item.id));
  // A broken subject fails its own cases for its fault; what else watches them is no part of that proof.
  if (part === "kills") return chosen;
  const silent = invariants.filter((item) => !ids.includes(item.id));
  return [...chosen, ...silent.map((item) => ({ ...item, run: async () => {} }))];
}

interface Known {
  readonly stub: Stub | undefined;
  readonly lawful: Different | undefined;
  readonly subject: Subject | undefined;
}

async function runOn({ stub, lawful, subject }: Known, chosen: readonly Case[]): Promise<RunOutcome> {
  if (stub !== undefined) return judgeStub(stub, chosen);
  if (lawful !== undefined) return judgeSubject(lawful.id, lawful.change, lawful.profile ?? "spec", chosen);
  if (subject !== undefined) return judgeSubject(subject.id, subject.change, "reference", chosen);
  throw new Error("there is no such subject");
}
