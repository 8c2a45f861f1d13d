import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import type { Case } from "../harness/case.ts";
import { Failure } from "../harness/case-errors.ts";
import { launchedTarget, launchOf } from "../proof/launch.ts";
import { BUDGET, limiting } from "../proof/limit-books.ts";
import type { Server } from "../targets/server.ts";
import type { Target } from "../targets/target-file.ts";
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
  expect(await judged(inProcess(), chosen)).toEqual([
    ["LEAVES-SOMETHING", "pass", undefined],
    ["FINDS-IT", "fail", "passes"],
    ["FAILS-ANYWAY", "fail", "fails"],
  ]);
});

test("a limit that a reload ends is told as that", async () => {
  const change = limiting(() => {
    let times = 0;
    return { registered: () => void (times += 1), budget: () => (times > 1 ? Infinity : BUDGET) };
  });
  const target = launchedTarget("reloaded", launchOf({ ...change, reloads: true }, false));
  const id = "RATE-121-REFUSED";
  const chosen = cases.filter((item) => item.id === id);
  expect(await judged(target, chosen)).toContainEqual([id, "fail", "passes"]);
});

/** The results of these cases by themselves, and what is said of each alone. */
async function judged(target: Target, chosen: readonly Case[]) {
  const selection = { quick: false };
  const profile = await readProfile("spec", ".");
  const asked = { target, profile, selection, entries: undefined, failOn: "must", again: undefined } as const;
  const { signal } = new AbortController();
  const first = await judgeCases(asked, chosen, { onResult: () => {}, signal });
  const { outcome } = await withJudgedAlone(asked, first, signal);
  return outcome.results.map(({ id, outcome: one, judgedAlone }) => [id, one, judgedAlone]);
}
