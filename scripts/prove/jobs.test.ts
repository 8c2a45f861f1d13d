import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../../conformance/catalogue.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different } from "../../conformance/proof/different/index.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import { allJobs, changedJobs, keysOf, neededJobs, ownCases, type Job } from "./jobs.ts";
import { readSources, type Sources } from "./sources.ts";
import { openStore, type Store } from "./store.ts";

let sources: Sources;
let folder: string;
let store: Store;
beforeAll(async () => {
  sources = await readSources();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prove-jobs-"));
  store = openStore(join(folder, "right"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function keep(jobs: readonly Job[]): void {
  for (const job of jobs) store.add(sources.subjects[job.subject] ?? "", keysOf(job, [], sources));
}

function wholeRun(): void {
  keep(neededJobs());
  store.rememberWholeRun(sources);
}

const everySubject = stubs.length + different.length + broken.length;
const subjectsOf = (jobs: readonly Job[]) => new Set(jobs.map(({ subject }) => subject));
const pairsOf = (jobs: readonly Job[]) =>
  jobs.flatMap((job) => job.cases.map((id) => `${job.subject} ${id}`)).toSorted();

/** What is judged when one key has changed since a whole run. */
function afterChange(of: "subjects" | "cases", id: string) {
  wholeRun();
  return changedJobs({ ...sources, [of]: { ...sources[of], [id]: "changed" } }, store).jobs;
}

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

describe("what --changed judges", () => {
  test("is nothing after a whole run in which all came out right", () => {
    wholeRun();
    const { jobs, kept } = changedJobs(sources, store);
    expect(jobs).toEqual([]);
    expect(kept).toBe(neededJobs().reduce((sum, job) => sum + job.cases.length, 0));
  });

  test("is the needed proof without a store, each pair once", () => {
    const { jobs, kept, without } = changedJobs(sources, store);
    expect(pairsOf(jobs)).toEqual(pairsOf(neededJobs()));
    expect(kept).toBe(0);
    expect(without).toMatch(/whole run/);
  });

  test("is a changed case with every subject", () => {
    const jobs = afterChange("cases", "METHOD-GET");
    expect(subjectsOf(jobs).size).toBe(everySubject);
    const others = jobs.filter(({ part }) => part !== "kills");
    expect(others.filter((job) => job.cases.join() !== "METHOD-GET")).toEqual([]);
    const killed = jobs.filter(({ part }) => part === "kills").map(({ subject }) => subject);
    expect(killed).toEqual(broken.filter((one) => ownCases(one).includes("METHOD-GET")).map(({ id }) => id));
  });

  test("is a changed broken subject with all that --all runs it with, and nothing else", () => {
    const id = broken[0]?.id ?? "";
    const all = allJobs().filter(({ subject }) => subject === id);
    expect(afterChange("subjects", id)).toEqual(all.toReversed());
  });

  test("is a changed lawful subject with the whole suite, in slices", () => {
    const id = different[0]?.id ?? "";
    const jobs = afterChange("subjects", id);
    expect(subjectsOf(jobs)).toEqual(new Set([id]));
    expect(jobs.flatMap((job) => job.cases).toSorted()).toEqual(cases.map((one) => one.id).toSorted());
    expect(jobs.length).toBe(Math.ceil(cases.length / 40));
  });

  test("holds what came out wrong, until it comes out right", () => {
    const wrong = different[0]?.id ?? "";
    keep(neededJobs().filter(({ subject }) => subject !== wrong));
    expect(subjectsOf(changedJobs(sources, store).jobs)).toEqual(new Set([wrong]));
  });

  test("of a broken subject's other cases a red one is never taken from the store", () => {
    const job = allJobs().find(({ part }) => part === "others");
    const [red = "", green = ""] = job?.cases ?? [];
    const keys = job === undefined ? [] : keysOf(job, [red], sources);
    expect(keys).toContain(sources.cases[green]);
    expect(keys).not.toContain(sources.cases[red]);
  });
});
