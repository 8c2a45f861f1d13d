import { expect, test } from "vitest";
import { Failure } from "../harness/case-errors.ts";
import type { Server } from "../targets/server.ts";
import { readProfile } from "../interface/profile.ts";
import { caseOf, inProcess } from "../test-support/gateway.test-support.ts";
import { withJudgedAlone } from "./judged-alone.ts";
import { judgeCases } from "./judging.ts";

const fails = (actual: string) => Promise.reject(new Failure("a 200", actual));

test("of the first failures the report says whether they are there without the other cases' requests", async () => {
  const used = new Set<Server>();
  const chosen = [
    caseOf("LEAVES-SOMETHING", { run: async ({ server }) => void used.add(server) }),
    caseOf("FINDS-IT", {
      clauses: ["AUTH-REQUIRED"],
      run: async ({ server }) => (used.has(server) ? fails("a 500") : undefined),
    }),
    caseOf("FAILS-ANYWAY", { clauses: ["METHOD-POST"], run: () => fails("a 404") }),
  ];
  const profile = await readProfile("spec", ".");
  const target = inProcess();
  const asked = {
    target,
    profile,
    selection: { quick: false },
    entries: undefined,
    failOn: "must",
    again: undefined,
  } as const;
  const { signal } = new AbortController();
  const judged = await judgeCases(asked, chosen, { onResult: () => {}, signal });
  const { outcome } = await withJudgedAlone(asked, judged, signal);
  expect(outcome.results.map(({ id, outcome: one, judgedAlone }) => [id, one, judgedAlone])).toEqual([
    ["LEAVES-SOMETHING", "pass", undefined],
    ["FINDS-IT", "fail", "passes"],
    ["FAILS-ANYWAY", "fail", "fails"],
  ]);
});
