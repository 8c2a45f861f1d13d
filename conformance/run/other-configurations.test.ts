import { expect, test } from "vitest";
import type { Case } from "../harness/case.ts";
import { Failure, NotApplicable } from "../harness/case-errors.ts";
import { inProcessTarget, launchOfHandler } from "../targets/in-process.ts";
import { badRoutes } from "../targets/variants.ts";
import { caseOf, judged } from "../test-support/gateway.test-support.ts";
import { handler } from "../test-support/handler.test-support.ts";

const { noSecret, noSessionKey } = badRoutes;

/** Judges cases of three other configurations; `refuses`: whether the target refuses a configuration with these routes. */
async function judgedWith(run: Case["run"], refuses: (routes: readonly string[]) => boolean = () => false) {
  const starts: string[][] = [];
  const target = inProcessTarget(
    { name: "mine" },
    launchOfHandler(async (setup) => {
      const bad = Object.keys(setup.config.routes).filter((id) => id === noSecret.id || id === noSessionKey.id);
      if (!("lane-01" in setup.config.routes)) starts.push(bad);
      if (refuses(bad)) throw new Error("a bad route");
      return handler(setup);
    }, "webhooks"),
  );
  const cases = [
    caseOf("ONE", { variant: "noSecret", run }),
    caseOf("OTHER", { variant: "noSessionKey", run }),
    caseOf("GOOD", { variant: "pairedFields", run }),
  ];
  const { results } = await judged(target, cases);
  return { starts, outcomes: Object.fromEntries(results.map(({ id, outcome }) => [id, outcome])) };
}

const posts: Case["run"] = async (trial) => void (await trial.post({ action: "list_flows" }, trial.special("probe")));

test("one start serves all, where every case passes there", async () => {
  const { starts, outcomes } = await judgedWith(posts);
  expect(outcomes).toEqual({ ONE: "pass", OTHER: "pass", GOOD: "pass" });
  expect(starts).toEqual([[noSessionKey.id, noSecret.id]]);
});

test("each has a start of its own at a target that refuses them all for the sake of one", async () => {
  const { starts, outcomes } = await judgedWith(posts, (bad) => bad.includes(noSecret.id));
  expect(outcomes).toEqual({ ONE: "pass", OTHER: "pass", GOOD: "pass" });
  expect(starts).toEqual([[noSessionKey.id, noSecret.id], [noSecret.id], [noSessionKey.id], []]);
});

test("what does not pass beside the others counts only where it stands alone", async () => {
  const { starts, outcomes } = await judgedWith(async (trial) => {
    const routes = trial.instance.configuration.routes;
    if (routes.has(noSecret.id) && routes.has(noSessionKey.id)) throw new Failure("one bad route", "two");
    if (routes.has(noSecret.id)) throw new NotApplicable("not here");
    if (routes.has(noSessionKey.id)) throw new Failure("a refusal", "200");
  });
  expect(outcomes).toEqual({ ONE: "not-applicable", OTHER: "fail", GOOD: "pass" });
  expect(starts).toEqual([[noSessionKey.id, noSecret.id], [noSecret.id], [noSessionKey.id], []]);
});
