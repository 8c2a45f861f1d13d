/**
 * Tests the property cases without the examples. Usage: deep.ts [--seeds N] [--only WORD] [--catalogue] [--different]
 * By default: each deep fault with each seed, and how many requests are left after shrinking, without the set-up.
 * --different: no lawful subject may be blamed. --catalogue: how many of all broken subjects the properties find.
 * WORD: part of a subject's id, by default also of the case that has to find it.
 */
import { parseArgs } from "node:util";
import { propertyCases } from "../conformance/properties/index.ts";
import type { CaseResult } from "../conformance/harness/result.ts";
import { deep } from "../conformance/proof/broken/properties/deep.ts";
import { different } from "../conformance/proof/different/index.ts";
import { judgeSubject } from "../conformance/proof/judge-subject.ts";
import type { Change } from "../conformance/proof/subject.ts";
import { catalogue } from "./deep-catalogue.ts";
import { chosenBy, wholeNumber } from "./options.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    catalogue: { type: "boolean", default: false },
    different: { type: "boolean", default: false },
  },
});

const seeds = wholeNumber("--seeds", values.seeds);

const judged = async (
  id: string,
  change: Change,
  profile: "reference" | "spec",
  seed: number,
  wanted?: readonly string[],
) => {
  const cases = propertyCases({ seed }).filter((item) => wanted?.includes(item.id) ?? true);
  return (await judgeSubject(id, change, profile, cases)).results;
};

/** Requests without the set-up; `-`: not found. */
function lengthOf({ outcome, story }: CaseResult): string {
  if (outcome !== "fail") return outcome === "pass" ? "-" : outcome;
  return story?.replay === undefined ? "flaky" : String(story.requests);
}

/** The longest story that a person understands at a glance. */
const FEW = 6;

async function deepTable(seeds: number): Promise<boolean> {
  let all = true;
  const long: string[] = [];
  const chosen = chosenBy(values.only, deep, ({ id, kills }) => [id, ...kills]);
  for (const { id, change, kills } of chosen) {
    const row: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const results = await judged(id, change, "reference", seed, kills);
      row.push(results.map(lengthOf).join("/"));
      if (results.some(({ story }) => (story?.requests ?? 0) > FEW) && !long.includes(id)) long.push(id);
      all &&= results.every(({ outcome }) => outcome === "fail");
    }
    process.stdout.write(`${id.padEnd(36)} ${row.map((cell) => cell.padStart(4)).join("")}\n`);
  }
  process.stdout.write(`${chosen.length} faults, ${seeds} seeds: ${all ? "each found with each" : "not all found"}\n`);
  process.stdout.write(`of more than ${FEW} requests: ${long.join(", ") || "none"}\n`);
  return all;
}

async function falseAlarms(): Promise<boolean> {
  let alarms = 0;
  for (const { id, change } of chosenBy(values.only, different)) {
    const bad = (await judged(id, change, "spec", 1)).filter(
      ({ outcome }) => outcome !== "pass" && outcome !== "not-applicable",
    );
    alarms += bad.length;
    if (bad.length === 0) process.stdout.write(`${id}: no fault found\n`);
    for (const result of bad) {
      process.stdout.write(`${id}: ${result.outcome} ${result.id} ${result.reason}\n`);
      for (const line of result.story?.lines ?? []) process.stdout.write(`    ${line}\n`);
    }
  }
  process.stdout.write(`${alarms} false alarms\n`);
  return alarms === 0;
}

if (values.catalogue) await catalogue(values.only);
else process.exitCode = (await (values.different ? falseAlarms() : deepTable(seeds))) ? 0 : 1;
