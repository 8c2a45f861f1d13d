import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { planOf, type Clocks } from "./plan.ts";
import { readProfile } from "../interface/profile.ts";

const capabilities = new Set(cases.flatMap(({ needs = [] }) => needs)).add("restart");

const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);

async function leftOutBy(quick: boolean, clocks: Clocks): Promise<string[]> {
  const profile = await readProfile("reference", ".");
  const { notApplicable } = planOf(cases, { capabilities, profile, quick, clocks });
  return notApplicable.filter(({ leftOut }) => leftOut === true).map(({ id }) => id);
}

test("of the cases that run alone those that mostly wait, and those that send very many requests, are told apart", async () => {
  const profile = await readProfile("reference", ".");
  const { alone, costly, driven } = planOf(cases, { capabilities, profile, quick: false, clocks: "driven" }).own;
  expect(idsOf(alone.idle)).toContain("SECRET-SNAPSHOT-FILE");
  expect(idsOf(costly.serial)).toContain("PROPERTY-STATES");
  expect(idsOf(alone.serial)).toContain("BODY-15-SECONDS");
  expect(alone.serial.filter((item) => item.idles === true || item.costly === true)).toEqual([]);
  expect([...driven.idle, ...driven.serial]).toEqual([]);
});

test("with both clocks those cases have the driven one that it shows more to, and all others real time", async () => {
  const profile = await readProfile("reference", ".");
  const plan = planOf(cases, { capabilities, profile, quick: false, clocks: "both" });
  const { alone, costly, driven } = plan.own;
  expect(idsOf(driven.serial)).toEqual(expect.arrayContaining(["RATE-WINDOW-60-SECONDS", "PROPERTY-LIMITS"]));
  expect(idsOf(driven.idle)).toContain("SECRET-SNAPSHOT-FILE");
  expect(idsOf(plan.sideBySide)).toContain("BODY-DRIP-15-SECONDS");
  const inRealTime = [...plan.sideBySide, ...alone.idle, ...alone.serial, ...costly.idle, ...costly.serial];
  expect(inRealTime.filter(({ needs, clock }) => clock !== undefined || needs?.includes("clock") === true)).toEqual([]);
});

test("a quick run leaves out floods, and on a real clock what lets time pass", async () => {
  const costly = cases.filter(({ costly }) => costly === true).map(({ id }) => id);
  const long = cases.filter(({ seconds }) => seconds !== undefined).map(({ id }) => id);
  expect(costly).toContain("PROPERTY-STATES");
  expect(long).toContain("RATE-WINDOW-60-SECONDS");
  expect(await leftOutBy(true, "driven")).toEqual(costly);
  expect(new Set(await leftOutBy(true, "real"))).toEqual(new Set([...costly, ...long]));
  expect(await leftOutBy(false, "real")).toEqual([]);
});
