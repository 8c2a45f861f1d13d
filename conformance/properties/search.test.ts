import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { storyIn } from "../harness/result.ts";
import { judgeSubject } from "../proof/judge-subject.ts";
import { statesProperty } from "./definitions/flows.ts";
import { intentsOf } from "./search.ts";
import { HarnessError } from "../http/harness-error.ts";
import { conflictForgiven, searched } from "../test-support/search.test-support.ts";
import { checkReplay } from "../story/replay-file.ts";

test("the same seed and run ask for the same, others for something else", () => {
  const intents = intentsOf(statesProperty, 7, 3);
  expect(intentsOf(statesProperty, 7, 3)).toEqual(intents);
  expect(intentsOf(statesProperty, 7, 4)).not.toEqual(intents);
  expect(intentsOf(statesProperty, 8, 3)).not.toEqual(intents);
});

test("a target that ends for good in a story is not told as a single request that it does not answer", async () => {
  let left = 60;
  const found = await searched({}, "PROPERTY-RACES", {
    around: (executors) => async () => {
      const own = await executors();
      const send: typeof own.send = async (request, client) =>
        left-- > 0 ? own.send(request, client) : { request, from: "127.1.0.1", fault: "connection refused" };
      return { ...own, send };
    },
  });
  expect(found).toMatchObject({
    stopped: "the target no longer answers",
    first: { departure: { clause: "PATH-SERVED" } },
  });
  expect(found?.shrunk).toBeUndefined();
  expect(found?.first.exchange?.fault).toBe("connection refused");
  expect(found?.first.story.length).toBeGreaterThan(1);
});

test("what breaks is told although nothing more can be played", async () => {
  let left = 8;
  const found = await searched(conflictForgiven, "PROPERTY-REVISIONS", {
    around: (executors) => async () => {
      if (left-- <= 0) throw new HarnessError("the control port does not answer");
      return executors();
    },
  });
  expect(found).toMatchObject({
    first: { departure: { clause: "REVISION-UNCHANGED" } },
    stopped: "the control port does not answer",
  });
});

test("a fault that needs a history is found and made small, the same each time; a failure tells how it is played again", async () => {
  const found = await searched(conflictForgiven, "PROPERTY-REVISIONS");
  expect(found?.shrunk?.departure.clause).toBe("REVISION-UNCHANGED");
  expect(found?.shrunk?.story.length).toBe(3);
  const chosen = cases.filter(({ id }) => id === "PROPERTY-REVISIONS");
  const [result] = (await judgeSubject("forgiving", conflictForgiven, "reference", chosen)).results;
  expect(result).toMatchObject({ outcome: "fail", findings: [{ story: { requests: 2 } }] });
  const { note, steps, replay } = storyIn(result) ?? {};
  expect(note).toMatch(/^seed 1, run \d+$/);
  expect(steps?.map(({ action, answers }) => `${action} ${answers[0]?.answer}`)).toEqual([
    "create_flow 200 ok:true",
    "set_waiting 409 ok:false revision_conflict",
    "set_waiting 200 ok:true",
  ]);
  expect(replay?.steps).toEqual(found?.shrunk?.story);
  expect(checkReplay(JSON.parse(JSON.stringify(replay)), "replay")).toEqual(replay);
});
