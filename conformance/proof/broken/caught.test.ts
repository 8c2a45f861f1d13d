import { beforeAll, describe, expect, test } from "vitest";
import { casesAt } from "../../catalogue.ts";
import { defaultDepth } from "../../properties/search.ts";
import type { CaseResult } from "../../harness/result.ts";
import { Addresses } from "../../targets/lanes.ts";
import { judgeSubject, referenceFacts } from "../judge-subject.ts";
import { pooled } from "../pool.ts";
import type { Subject } from "../subject.ts";
import { plain } from "./index.ts";

/** A run mostly waits: for sockets, for the ends of windows, for effects that must not happen. */
const WIDTH = 24;

/** Without shrinking: here it only matters that the subject is caught. */
const cases = casesAt({ ...defaultDepth, shrinkMs: 0 });

/** The first subject of each case. The others show that a case sees further faults; `npm run prove` judges all. */
function oneForEachCase(subjects: readonly Subject[]): Subject[] {
  const failed = new Set<string>();
  return subjects.filter(({ kills }) => {
    const isFirst = kills.some((id) => !failed.has(id));
    for (const id of kills) failed.add(id);
    return isFirst;
  });
}

const chosen = oneForEachCase(plain);

describe(`one subject for each case fails its cases (${chosen.length} of ${plain.length}; npm run prove: all)`, () => {
  const results = new Map<string, readonly CaseResult[]>();

  beforeAll(async () => {
    // What a run learns of a target at its start takes 140 requests, and nearly all show what the correct plugin shows.
    const facts = await referenceFacts();
    await pooled(chosen, WIDTH, async ({ id, change, kills, beside = [], blindToAddresses = false }) => {
      const needed = cases.filter((item) => [...kills, ...beside].includes(item.id));
      const known = blindToAddresses ? undefined : { ...facts, addresses: facts.addresses && new Addresses() };
      const judged = await judgeSubject(id, change, "reference", needed, known);
      results.set(
        id,
        judged.results.filter((result) => kills.includes(result.id)),
      );
    });
  }, 300_000);

  test.each(chosen.map((subject) => [subject.id, subject] as const))("%s", (id, { kills }) => {
    const missed = (results.get(id) ?? []).filter(({ outcome }) => outcome !== "fail" && outcome !== "warn");
    expect(missed.map(({ id, outcome, reason }) => ({ id, outcome, reason }))).toEqual([]);
    expect(results.get(id)).toHaveLength(kills.length);
  });
});
