import { beforeAll, describe, expect, test } from "vitest";
import { casesAt } from "../catalogue.ts";
import { defaultDepth } from "../properties/search.ts";
import type { CaseResult } from "../harness/result.ts";
import { judgeSubject } from "./judge-subject.ts";
import { pooled } from "./pool.ts";
import type { Subject } from "./subject.ts";

/** A run mostly waits: for sockets, for the ends of windows, for effects that must not happen. */
const WIDTH = 16;

/** Without shrinking: here it only matters that the subject is caught. */
const cases = casesAt({ ...defaultDepth, shrinkMs: 0 });

/** Runs each subject against just the cases that it has to fail. */
export function mustBeCaught(subjects: readonly Subject[]): void {
  describe("each subject fails its cases", () => {
    const results = new Map<string, readonly CaseResult[]>();

    beforeAll(async () => {
      await pooled(subjects, WIDTH, async ({ id, change, kills, beside = [] }) => {
        const chosen = cases.filter((item) => [...kills, ...beside].includes(item.id));
        const judged = await judgeSubject(id, change, "reference", chosen);
        results.set(
          id,
          judged.results.filter((result) => kills.includes(result.id)),
        );
      });
    }, 300_000);

    test.each(subjects.map((subject) => [subject.id, subject] as const))("%s", (id, { kills }) => {
      const missed = (results.get(id) ?? []).filter(({ outcome }) => outcome !== "fail" && outcome !== "warn");
      expect(missed.map(({ id, outcome, reason }) => ({ id, outcome, reason }))).toEqual([]);
      expect(results.get(id)).toHaveLength(kills.length);
    });
  });
}
