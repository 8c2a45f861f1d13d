/** Works off one job of the proof: runs its cases against its subject, and says what is wrong with the outcomes. */
import { casesAt } from "../../conformance/catalogue.ts";
import { StartError } from "../../conformance/foundation/start-error.ts";
import type { Case } from "../../conformance/harness/case.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different, inGroups } from "../../conformance/proof/different/index.ts";
import { judgeStub, judgeSubject } from "../../conformance/proof/judge-subject.ts";
import { knownMiss, products } from "../../conformance/proof/products/index.ts";
import {
  crashesIn,
  falseAlarmsIn,
  missedBy,
  caseOutcomesOf,
  redIn,
  requiredPassesIn,
  type CaseOutcome,
} from "../../conformance/proof/proof.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import type { Job } from "./jobs.ts";

export const titles = [
  "subjects not caught",
  "products not caught",
  "false alarms",
  "stubs with a required pass",
  "faults of the suite",
] as const;

export interface Complaint {
  readonly title: (typeof titles)[number];
  readonly line: string;
}

export interface JudgedJob {
  /** The cases that failed or warned. */
  readonly red: readonly string[];
  readonly complaints: readonly Complaint[];
}

/** `seed`: of the properties' requests; `real`: no clock is driven. */
export async function judgeJob(job: Job, seed: number, real = false): Promise<JudgedJob> {
  const { subject: id, part, cases: ids } = job;
  if (part === "product") return judgeProduct(id, casesAt(seed));
  const [stub, lawful, subject] = [named(stubs, id), named([...different, ...inGroups], id), named(broken, id)];
  const run = (chosen: readonly Case[]) => {
    if (stub !== undefined) return judgeStub(stub, chosen);
    if (lawful !== undefined)
      return judgeSubject(id, lawful.change, lawful.profile ?? "spec", chosen, { realTime: real });
    if (subject !== undefined) return judgeSubject(id, subject.change, "reference", chosen, { realTime: real });
    throw new Error(`there is no subject ${id}`);
  };
  const judge = async (chosen: readonly string[]): Promise<CaseOutcome[]> =>
    caseOutcomesOf((await run(casesAt(seed).filter((item) => chosen.includes(item.id)))).results);
  const mustFail = part === "kills" ? subject : undefined;
  let outcomes: CaseOutcome[];
  try {
    // An invariant that only watched proves nothing by what it has not seen.
    outcomes = (await judge(ids)).filter((outcome) => ids.includes(outcome.id) || redIn([outcome]).length > 0);
    // A busy machine lets a case run out of time: what it has to decide it decides once more.
    const unsure = lawful ? outcomes.filter(isOpen) : mustFail ? missedBy(mustFail, outcomes) : [];
    const repeated = unsure.filter((outcome) => crashesIn([outcome]).length === 0).map((outcome) => outcome.id);
    const again = repeated.length === 0 ? [] : await judge(mustFail ? ids : repeated);
    outcomes = outcomes.map((first) => (repeated.includes(first.id) ? (named(again, first.id) ?? first) : first));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const title = lawful ? "false alarms" : "subjects not caught";
    // Some stubs are not even started.
    return { red: [], complaints: stub ? [] : [{ title, line: `${id}: not started: ${error.message}` }] };
  }
  const crashes = crashesIn(outcomes);
  const rest = outcomes.filter((outcome) => !crashes.includes(outcome));
  const complain = (title: Complaint["title"], wrong: readonly CaseOutcome[] = []): Complaint[] =>
    wrong.map((one) => ({ title, line: `${id}: ${one.outcome} ${one.id} ${one.reason}` }));
  const complaints = [
    ...complain("subjects not caught", mustFail && missedBy(mustFail, rest)),
    ...complain("false alarms", lawful && falseAlarmsIn(lawful, rest)),
    ...complain("stubs with a required pass", stub && requiredPassesIn(rest)),
    ...complain("faults of the suite", crashes),
  ];
  return { red: redIn(outcomes).map((outcome) => outcome.id), complaints };
}

/** By the interface alone, as most users do: any case may fail it, and the first that does ends the run. */
async function judgeProduct(id: string, cases: readonly Case[]): Promise<JudgedJob> {
  const change = named(products, id)?.change ?? {};
  const judge = async () =>
    caseOutcomesOf((await judgeSubject("product", change, "spec", cases, { bail: true })).results);
  const first = await judge();
  // As above: a busy machine.
  const outcomes = first.some(isOpen) && !first.some(hasFailed) ? await judge() : first;
  const red = outcomes.filter(hasFailed).map((outcome) => outcome.id);
  const open = outcomes.filter((outcome) => outcome.outcome === "warn" || isOpen(outcome)).slice(0, 3);
  const why = open.map((one) => `; ${one.outcome} ${one.id} ${one.reason}`).join("");
  const complaints = [
    ...crashesIn(outcomes).map(
      ({ id: at, reason }) => ({ title: "faults of the suite", line: `${id}: ${at} ${reason}` }) as const,
    ),
    ...(red.length > 0 || knownMiss(id) !== undefined
      ? []
      : [{ title: "products not caught", line: `${id}: no case failed${why}` } as const]),
  ];
  return { red, complaints };
}

const named = <Item extends { readonly id: string }>(list: readonly Item[], id: string): Item | undefined =>
  list.find((item) => item.id === id);

const hasFailed = ({ outcome }: CaseOutcome): boolean => outcome === "fail";
const isOpen = ({ outcome }: CaseOutcome): boolean => outcome === "unreached" || outcome === "error";
