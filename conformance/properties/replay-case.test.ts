import { expect, test } from "vitest";
import { storyIn } from "../harness/result.ts";
import { judgeSubject } from "../proof/judge-subject.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { cases } from "../catalogue.ts";
import { products } from "../proof/products/index.ts";
import { conflictForgiven } from "../test-support/search.test-support.ts";
import { createStep, replayOf } from "../test-support/replay.test-support.ts";
import { replayCase } from "./replay-case.ts";
import type { ReplayFile } from "../story/replay-file.ts";
import type { Step } from "../story/story.ts";

const stale: Step = {
  do: "send",
  route: "sibling",
  body: { action: "finish_flow", flowId: { $flow: "f1" }, expectedRevision: { $revision: "f1", at: "stale", by: 1 } },
};
const file = replayOf({
  profile: "reference",
  steps: [
    createStep,
    {
      do: "send",
      route: "route",
      body: { action: "set_waiting", flowId: { $flow: "f1" }, expectedRevision: { $revision: "f1", at: "current" } },
    },
    stale,
    stale,
  ],
});
const judged = async (of: ReplayFile, change = {}) =>
  (await judgeSubject("subject", change, "reference", [replayCase(of, "found/Stale twice.json")])).results[0];

test("a stored story fails on the target that has the fault and passes on one that has not", async () => {
  expect(await judged(file, conflictForgiven)).toMatchObject({
    id: "REPLAY-STALE-TWICE",
    outcome: "fail",
    findings: [{ actual: "200 ok:true", story: { requests: 3 } }],
  });
  expect(await judged(file)).toMatchObject({ outcome: "pass" });
});

test("a story of what other stories left behind breaks again where there are none", async () => {
  const shown = products.find(({ id }) => id === "list_flows shows a flow of another session, always");
  const states = cases.filter(({ id }) => id === "PROPERTY-STATES");
  const [found] = (await judgeSubject("subject", shown?.change ?? {}, "reference", states)).results;
  const story = storyIn(found)?.replay as ReplayFile;
  expect(story.clause).toBe("SESSION-BOUND");
  expect(await judged(story, shown?.change)).toMatchObject({ outcome: "fail" });
  expect(await judged(story)).toMatchObject({ outcome: "pass" });
});

const mistyped = () => replayCase({ ...file, property: "PROPERTY-REVISION" }, "found/a.json");

test("a story of a property that there is not is refused, not played in another way", () => {
  expect(mistyped).toThrow(UsageError);
  expect(mistyped).toThrow(/^found\/a\.json: property is "PROPERTY-REVISION", expected one of: PROPERTY-STATES, /);
});

test("a story that cannot be told is unreached, not passed", async () => {
  const orphaned = { ...file, steps: file.steps.slice(1) };
  expect(await judged(orphaned)).toMatchObject({
    outcome: "unreached",
    reason: "3 of its 3 steps refer to values that the target did not return",
  });
});
