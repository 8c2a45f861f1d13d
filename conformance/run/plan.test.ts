import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { planOf } from "./plan.ts";
import { readProfile } from "../interface/profile.ts";

const capabilities = new Set(cases.flatMap(({ needs = [] }) => needs)).add("restart");

async function leftOutBy(quick: boolean, driven: boolean): Promise<string[]> {
  const profile = await readProfile("reference", ".");
  const { notApplicable } = planOf(cases, { capabilities, profile, quick, driven });
  return notApplicable.filter(({ leftOut }) => leftOut === true).map(({ id }) => id);
}

test("of the cases that run alone those that mostly wait, and those that send very many requests, are told apart", async () => {
  const profile = await readProfile("reference", ".");
  const { alone, idle, costly } = planOf(cases, { capabilities, profile, quick: false, driven: true });
  expect(idle.map(({ id }) => id)).toContain("SECRET-SNAPSHOT-FILE");
  expect(costly.map(({ id }) => id)).toContain("PROPERTY-STATES");
  expect(alone.map(({ id }) => id)).toContain("BODY-15-SECONDS");
  expect(alone.filter((item) => item.idles === true || item.costly === true)).toEqual([]);
});

test("a quick run leaves out floods, and on a real clock what lets time pass", async () => {
  const costly = cases.filter(({ costly }) => costly === true).map(({ id }) => id);
  const long = cases.filter(({ seconds }) => seconds !== undefined).map(({ id }) => id);
  expect(costly).toContain("PROPERTY-STATES");
  expect(long).toContain("RATE-WINDOW-60-SECONDS");
  expect(await leftOutBy(true, true)).toEqual(costly);
  expect(new Set(await leftOutBy(true, false))).toEqual(new Set([...costly, ...long]));
  expect(await leftOutBy(false, false)).toEqual([]);
});
