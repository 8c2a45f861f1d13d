/** Works off one job of the proof: runs its cases against its subject. */
import { cases } from "../conformance/catalogue.ts";
import { StartError } from "../conformance/foundation/start-error.ts";
import type { Case } from "../conformance/harness/case.ts";
import { invariants } from "../conformance/invariants/index.ts";
import { broken } from "../conformance/proof/broken/index.ts";
import { different } from "../conformance/proof/different/index.ts";
import { judgeStub, judgeSubject, runSuite } from "../conformance/proof/judge-subject.ts";
import { crashesIn, missedBy, outcomesOf, redIn, type CaseOutcome } from "../conformance/proof/proof.ts";
import { stubs } from "../conformance/proof/stubs.ts";
import { servedStub, servedTarget } from "../conformance/proof/target.ts";
import type { Job } from "./prove-jobs.ts";

export interface Judged {
  readonly outcomes: readonly CaseOutcome[];
  /** The cases that it had to fail and did not, run once more. */
  readonly again: readonly CaseOutcome[];
  /** Why the target never started. */
  readonly unstarted?: string;
}

/** `served`: the subject is a process of its own. */
export async function judgeJob({ subject: id, part, cases: ids }: Job, served: boolean): Promise<Judged> {
  try {
    const all = await outcomesFor(id, chosenCases(ids, part), served);
    // An invariant that only watched proves nothing by what it has not seen.
    const outcomes = all.filter((one) => ids.includes(one.id) || redIn([one]).length > 0);
    if (part === "bystander") return { outcomes: await decided(id, outcomes, served), again: [] };
    const subject = part === "kills" ? broken.find((known) => known.id === id) : undefined;
    const missed = subject === undefined ? [] : missedBy(subject, outcomes).map((one) => one.id);
    if (subject === undefined || missed.length === 0) return { outcomes, again: [] };
    const once = [...missed, ...(subject.beside ?? [])];
    return { outcomes, again: await outcomesFor(id, chosenCases(once, part), served) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { outcomes: [], again: [], unstarted: error.message };
  }
}

const isOpen = ({ outcome }: CaseOutcome) => outcome === "unreached" || outcome === "error";

/** A machine that is busy lets a lawful subject's cases run out of time: those that came to no end run once more, alone. */
async function decided(id: string, outcomes: readonly CaseOutcome[], served: boolean): Promise<CaseOutcome[]> {
  const open = outcomes.filter((one) => isOpen(one) && !crashesIn([one]).includes(one)).map((one) => one.id);
  // Nothing that a stub answers has to decide a case.
  if (open.length === 0 || stubs.some((known) => known.id === id)) return [...outcomes];
  const again = await outcomesFor(id, chosenCases(open, "bystander"), served);
  return outcomes.map((one) => (open.includes(one.id) ? (again.find((other) => other.id === one.id) ?? one) : one));
}

/** The cases; the invariants that are not among them watch without requests of their own. */
function chosenCases(ids: readonly string[], part: Job["part"]): Case[] {
  const chosen = cases.filter((item) => ids.includes(item.id));
  // A broken subject fails its own cases for its fault; what else watches them is no part of that proof.
  if (part === "kills") return chosen;
  const silent = invariants.filter((item) => !ids.includes(item.id));
  return [...chosen, ...silent.map((item) => ({ ...item, run: async () => {} }))];
}

async function outcomesFor(id: string, chosen: readonly Case[], served: boolean): Promise<CaseOutcome[]> {
  const stub = stubs.find((known) => known.id === id);
  if (stub !== undefined) {
    const run = served ? runSuite(servedStub(id), "spec", chosen) : judgeStub(stub, chosen);
    return outcomesOf((await run).results);
  }
  const lawful = different.find((known) => known.id === id);
  const change = (lawful ?? broken.find((known) => known.id === id))?.change;
  if (change === undefined) throw new Error(`there is no subject ${id}`);
  const profile = lawful === undefined ? "reference" : (lawful.profile ?? "spec");
  const run = served ? runSuite(servedTarget(id), profile, chosen) : judgeSubject(id, change, profile, chosen);
  return outcomesOf((await run).results);
}
