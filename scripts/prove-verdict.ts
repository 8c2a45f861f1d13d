/** What is wrong with the outcomes of the proof's jobs, and the lines that say so. */
import { broken } from "../conformance/proof/broken/index.ts";
import { different } from "../conformance/proof/different/index.ts";
import {
  crashesIn,
  falseAlarmsIn,
  missedBy,
  requiredPassesIn,
  subjectsByCase,
  unexpectedIn,
  type CaseOutcome,
} from "../conformance/proof/proof.ts";
import { stubs } from "../conformance/proof/stubs.ts";
import type { Judged } from "./prove-judge.ts";
import type { Job } from "./prove-jobs.ts";

export const titles = [
  "cases without a subject that fails them",
  "subjects not caught",
  "unexpected failures",
  "false alarms",
  "stubs with a required pass",
  "faults of the suite",
] as const;
type Title = (typeof titles)[number];

export interface Complaint {
  readonly title: Title;
  readonly line: string;
}

/** Cases that no subject is declared to fail. */
export function casesWithoutSubject(): Complaint[] {
  const without = [...subjectsByCase()].filter(([, subjects]) => subjects.length === 0);
  return without.map(([line]) => ({ title: "cases without a subject that fails them", line }));
}

/** What is not as it has to be in one job. `updating`: unexpected failures are written down instead. */
export function complaintsAbout(job: Job, judged: Judged, updating = false): Complaint[] {
  const crashes = crashesIn(judged.outcomes);
  const outcomes = judged.outcomes.filter((one) => !crashes.includes(one));
  return [
    ...complaints("faults of the suite", job.subject, crashes),
    ...otherComplaints(job, { ...judged, outcomes }, updating),
  ];
}

const complaints = (title: Title, id: string, found: readonly CaseOutcome[]): Complaint[] =>
  found.map((one) => ({ title, line: `${id}: ${one.outcome} ${one.id} ${one.reason}` }));

function otherComplaints({ subject: id }: Job, { outcomes, again, unstarted }: Judged, updating: boolean): Complaint[] {
  if (stubs.some((known) => known.id === id)) {
    return complaints("stubs with a required pass", id, requiredPassesIn(outcomes));
  }
  const lawful = different.find((known) => known.id === id);
  if (unstarted !== undefined) {
    return [{ title: lawful === undefined ? "subjects not caught" : "false alarms", line: `${id}: ${unstarted}` }];
  }
  if (lawful !== undefined) return complaints("false alarms", id, falseAlarmsIn(lawful, outcomes));
  const subject = broken.find((known) => known.id === id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const unexpected = updating ? [] : unexpectedIn(subject, outcomes);
  return [
    ...complaints("subjects not caught", id, missedBy(subject, again)),
    ...complaints("unexpected failures", id, unexpected),
  ];
}

/** The closing lines: how often each fault was found. */
export function summaryOf(found: readonly Complaint[]): string {
  const lines = titles.map((title) => {
    const count = found.filter((one) => one.title === title).length;
    return `${String(count).padStart(4)} ${title}\n`;
  });
  return lines.join("");
}
