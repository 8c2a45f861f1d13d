import { beforeAll, describe, expect, test } from "vitest";
import { casesAt } from "../catalogue.ts";
import { defaultDepth } from "../properties/search.ts";
import type { CaseResult } from "../harness/result.ts";
import { Addresses } from "../targets/lanes.ts";
import { judgeSubject, referenceFacts } from "./judge-subject.ts";
import { pooled } from "./pool.ts";
import type { Subject } from "./subject.ts";

/** A run mostly waits: for sockets, for the ends of windows, for effects that must not happen. */
const WIDTH = 16;

/** Without shrinking: here it only matters that the subject is caught. */
const cases = casesAt({ ...defaultDepth, shrinkMs: 0 });

/**
 * The first subject of each case: together they make every case fail that any of the list makes fail. The others show
 * that a case sees further faults, and are judged by `npm run prove`.
 */
export function oneForEachCase(subjects: readonly Subject[]): Subject[] {
  const failed = new Set<string>();
  return subjects.filter(({ kills }) => {
    const isFirst = kills.some((id) => !failed.has(id));
    for (const id of kills) failed.add(id);
    return isFirst;
  });
}

/**
 * Runs the first subject of each case against just the cases that it has to fail. What a run learns of a target at its
 * start takes 140 requests, and nearly all show what the correct plugin shows: there it is learned once.
 */
export function mustBeCaught(subjects: readonly Subject[]): void {
  const chosen = oneForEachCase(subjects);
  const title = `one subject for each case fails its cases (${chosen.length} of ${subjects.length}; npm run prove: all)`;
  describe(title, () => {
    const results = new Map<string, readonly CaseResult[]>();

    beforeAll(async () => {
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
}
