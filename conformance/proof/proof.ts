/** What is proven, and what a whole run of the suite against every subject says of it. */
import { cases } from "../catalogue.ts";
import type { CaseResult, Outcome } from "../harness/result.ts";
import { broken } from "./broken/index.ts";
import type { Different, Subject } from "./subject.ts";

/** The subjects that each case has to find, in the order of the catalogues. */
export function killers(): ReadonlyMap<string, readonly string[]> {
  return new Map(cases.map(({ id }) => [id, broken.filter(({ kills }) => kills.includes(id)).map((it) => it.id)]));
}

/** The page that says which subjects make a case fail: made from the catalogues alone. */
export function proofPage(): string {
  const lines = [...killers()].map(([id, subjects]) => `- \`${id}\`: ${subjects.join(", ")}`);
  return [
    "# Every case can fail",
    "",
    "Each case of the suite with the broken subjects (`conformance/proof/broken/`) that are declared to make it fail;",
    "`npm test` runs each of them against those cases. `npm run prove` runs the rest of the suite against them as well (but",
    "for the costly cases), the whole suite against the subjects that are right and yet different and against the seven",
    "stubs, and says what is not as declared.",
    "",
    `${cases.length} cases, ${broken.length} broken subjects.`,
    "",
    ...lines,
    "",
  ].join("\n");
}

/** As much of a result as is sent from one process to another. */
export interface Finding {
  readonly id: string;
  readonly outcome: Outcome;
  readonly level: CaseResult["level"];
  readonly reason: string;
}

export function findingsOf(results: readonly CaseResult[]): Finding[] {
  return results.map(({ id, outcome, level, reason = "" }) => ({ id, outcome, level, reason: reason.slice(0, 300) }));
}

const isRed = ({ outcome }: Finding): boolean => outcome === "fail" || outcome === "warn";

/** Cases that the subject has to fail and did not. */
export function missedBy({ kills }: Subject, findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => kills.includes(finding.id) && !isRed(finding));
}

/** Cases that the subject failed and that nobody declared. */
export function unexpectedIn({ kills, alsoFails = [] }: Subject, findings: readonly Finding[]): Finding[] {
  if (alsoFails === "any") return [];
  return findings.filter((finding) => isRed(finding) && ![...kills, ...alsoFails].includes(finding.id));
}

/** Results that a subject which is right must not get: nothing may fail, and nothing may stay open. */
export function falseAlarmsIn({ warns = [] }: Different, findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => {
    const declared = finding.outcome === "warn" && warns.includes(finding.id);
    return !declared && ["fail", "warn", "unreached", "error"].includes(finding.outcome);
  });
}

/** Required passes of a stub: none may be. */
export function passesOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ outcome, level }) => outcome === "pass" && level === "must");
}
