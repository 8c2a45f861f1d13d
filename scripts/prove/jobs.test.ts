import { describe, expect, test } from "vitest";
import { cases } from "../../conformance/catalogue.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different } from "../../conformance/proof/different/index.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import { allJobs, neededJobs, ownCases, type Job } from "./jobs.ts";

const everySubject = stubs.length + different.length + broken.length;
const subjectsOf = (jobs: readonly Job[]) => new Set(jobs.map(({ subject }) => subject));
describe("the whole proof", () => {
  test("runs every lawful subject and stub with the whole suite, every broken subject with its own cases", () => {
    const jobs = neededJobs();
    expect(subjectsOf(jobs).size).toBe(everySubject);
    expect(jobs).toHaveLength(everySubject);
    const whole = jobs.filter(({ part }) => part === "bystander");
    expect(whole).toHaveLength(stubs.length + different.length);
    expect(whole.every((job) => job.cases.length === cases.length)).toBe(true);
    for (const subject of broken) {
      const own = jobs.find((job) => job.subject === subject.id)?.cases;
      expect(own).toEqual(expect.arrayContaining([...subject.kills]));
    }
  });

  test("with --all runs broken subjects with the other cases too, except for the costly ones", () => {
    const others = allJobs().filter(({ part }) => part === "others");
    expect(others).toHaveLength(broken.length);
    const cheap = cases.filter(({ costly }) => costly !== true).map(({ id }) => id);
    for (const [index, job] of others.entries()) {
      const own = new Set(ownCases(broken[index] ?? { id: "", bug: "", kills: [], change: {} }));
      const judged = new Set([...job.cases, ...own]);
      expect(cheap.filter((id) => !judged.has(id))).toEqual([]);
      expect(job.cases.filter((id) => own.has(id))).toEqual([]);
    }
  });
});
