import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { beyondBudgets } from "./estimate.ts";
import { planOf, type Clocks } from "./plan.ts";
import { readProfile } from "../interface/profile.ts";

const capabilities = new Set(cases.flatMap(({ needs = [] }) => needs)).add("restart");

const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);

async function leftOutBy(quick: boolean, clocks: Clocks): Promise<string[]> {
  const profile = await readProfile("reference", ".");
  const { notApplicable } = planOf(cases, { capabilities, profile, quick, clocks });
  return notApplicable.filter(({ leftOut }) => leftOut === true).map(({ id }) => id);
}

test("of the cases that run alone those that send very many requests are told apart", async () => {
  const profile = await readProfile("reference", ".");
  const { alone, costly, driven } = planOf(cases, { capabilities, profile, quick: false, clocks: "driven" }).groups;
  expect(idsOf(costly)).toContain("PROPERTY-STATES");
  expect(idsOf(alone)).toEqual(expect.arrayContaining(["BODY-15-SECONDS", "SECRET-SNAPSHOT-FILE"]));
  expect(alone.filter((item) => item.costly === true)).toEqual([]);
  expect(driven).toEqual([]);
});

test("with both clocks those cases have the driven one that it shows more to, and all others real time", async () => {
  const profile = await readProfile("reference", ".");
  const { groups } = planOf(cases, { capabilities, profile, quick: false, clocks: "both" });
  const { shared, alone, costly, driven } = groups;
  expect(idsOf(driven)).toEqual(
    expect.arrayContaining(["RATE-WINDOW-60-SECONDS", "PROPERTY-LIMITS", "SECRET-SNAPSHOT-FILE"]),
  );
  expect(idsOf(shared)).toContain("BODY-DRIP-15-SECONDS");
  const inRealTime = [...shared, ...alone, ...costly];
  expect(inRealTime.filter(({ needs, clock }) => clock !== undefined || needs?.includes("clock") === true)).toEqual([]);
});

test("a quick run leaves out floods, and on a real clock what lets time pass; on a driven one it measures the window", async () => {
  const costly = idsOf(cases.filter(({ costly }) => costly === true));
  const floods = idsOf(cases.filter((item) => item.costly === true && item.isQuickIfDriven !== true));
  const long = cases.filter(({ seconds }) => seconds !== undefined).map(({ id }) => id);
  expect(costly).toContain("PROPERTY-STATES");
  expect(long).toContain("RATE-WINDOW-60-SECONDS");
  expect(floods).not.toContain("RATE-WINDOW-60-SECONDS");
  expect(await leftOutBy(true, "driven")).toEqual(floods);
  expect(new Set(await leftOutBy(true, "real"))).toEqual(new Set([...costly, ...long]));
  expect(await leftOutBy(false, "real")).toEqual([]);
});

test("where one budget serves all addresses, the cases about limits are judged, and most others are too many", async () => {
  const beyond = idsOf([...beyondBudgets(cases)]);
  expect(beyond).toEqual(expect.arrayContaining(["STATES-SET-WAITING", "REVISION-STALE"]));
  expect(beyond.filter((id) => id.startsWith("RATE-KEY-"))).toEqual([]);
});
