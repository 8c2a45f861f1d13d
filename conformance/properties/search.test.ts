import { expect, test } from "vitest";
import { cases } from "../cases/index.ts";
import { judgeSubject } from "../subjects/judge-subject.ts";
import { deep } from "../subjects/broken/deep.ts";
import { states } from "./states.ts";
import { wishesOf } from "./search.ts";
import { parseReplay } from "./replay-file.ts";

test("the same seed and run ask for the same, others for something else", () => {
  const wishes = wishesOf(states, 7, 3);
  expect(wishesOf(states, 7, 3)).toEqual(wishes);
  expect(wishesOf(states, 7, 4)).not.toEqual(wishes);
  expect(wishesOf(states, 8, 3)).not.toEqual(wishes);
});

test("a failure tells its requests, and how they are played again", async () => {
  const subject = deep.find(({ id }) => id === "deep-conflict-forgiven");
  if (subject === undefined) throw new Error("there is no such subject");
  const chosen = cases.filter(({ id }) => id === "PROPERTY-REVISIONS");
  const [result] = (await judgeSubject(subject.id, subject.change, "reference", chosen)).results;
  expect(result).toMatchObject({ outcome: "fail", story: { requests: 3 } });
  expect(result?.story?.lines.join("\n")).toMatch(
    /seed 1, run \d+\n {2}1\. .*create_flow.*\n.*\n.*409 ok:false revision_conflict\n.*200 ok:true {3}<- here\n/,
  );
  const { replay } = result?.story ?? {};
  expect(parseReplay(JSON.stringify(replay), "replay")).toEqual(replay);
}, 60_000);
