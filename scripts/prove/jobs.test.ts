import { expect, test } from "vitest";
import { cases } from "../../conformance/catalogue.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different, inGroups } from "../../conformance/proof/different/index.ts";
import { products } from "../../conformance/proof/products/index.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import { allJobs, neededJobs, ownCases, productJobs, realJobs, situations } from "./jobs.ts";

test("the needed proof runs lawful subjects and stubs with the whole suite, broken subjects with their own cases", () => {
  const whole = [...inGroups, ...stubs].map(({ id }) => [id, cases.map((item) => item.id)] as const);
  const own = new Map(broken.map((subject) => [subject.id, ownCases(subject)]));
  const jobs = neededJobs();
  expect(jobs).toHaveLength(whole.length + own.size);
  expect(new Map(jobs.map((job) => [job.subject, job.cases]))).toEqual(new Map([...whole, ...own]));
  for (const { id, kills } of broken) expect(own.get(id)).toEqual(expect.arrayContaining([...kills]));
});

test("each lawful subject has its place in one group, and --all judges it alone", () => {
  const ids = different.map(({ id }) => id);
  expect(inGroups.flatMap(({ id }) => id.split("+")).toSorted()).toEqual(ids.toSorted());
  expect(inGroups.length).toBeLessThan(ids.length / 5 + 2);
  const alone = allJobs().filter(({ part, subject }) => part === "bystander" && ids.includes(subject));
  expect(alone.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
});

test("--all runs each broken subject with the other cases too, except for the costly ones", () => {
  const others = allJobs().filter(({ part }) => part === "others");
  expect(others.map(({ subject }) => subject)).toEqual(broken.map(({ id }) => id));
  for (const [index, subject] of broken.entries()) {
    const own = ownCases(subject);
    const wanted = cases.filter(({ id, costly }) => costly !== true && !own.includes(id));
    expect(others[index]?.cases).toEqual(wanted.map(({ id }) => id));
  }
});

test("the cases that run beside invariants exist", () => {
  expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining([...situations]));
});

test("--real measures wrong numbers and lawful windows, but for what a real clock does not show", () => {
  const measured = realJobs().map(({ subject }) => subject);
  expect(measured.filter((id) => id.startsWith("different-")).length).toBeGreaterThan(0);
  expect(measured).toContain("sweep-requests-in-a-window-plus-1-unit");
  expect(measured).toContain("sweep-window-plus-10-per-cent");
  expect(measured).not.toContain("a-window-ends-ten-milliseconds-early");
});

test("the seeds of four nights draw products of every operator", () => {
  const operatorOf = new Map(products.map(({ id, operator }) => [id, operator]));
  const drawn = [1, 2, 3, 4].flatMap((night) => productJobs(30, 20_000 + night));
  expect(new Set(drawn.map(({ subject }) => operatorOf.get(subject)))).toEqual(new Set(operatorOf.values()));
});
