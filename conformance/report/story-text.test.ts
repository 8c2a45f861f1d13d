/** A story as text: every step with its number and answers, and where it broke. */
import { expect, test } from "vitest";
import { storyText } from "./story-text.ts";

const ok = { answer: "200 ok:true" };
const replay = {} as never;

test("steps are numbered, what came stands behind each, and the last is where it broke", () => {
  const steps = [
    { what: "create_flow", answers: [ok] },
    { what: "1000 ms pass", answers: [] },
    {
      what: "a right request",
      answers: [
        { ...ok, times: 119 },
        { answer: "429 ok:false", times: 1 },
      ],
    },
  ];
  expect(storyText({ note: "seed 1, run 0", steps, requests: 1, replay })).toEqual([
    "seed 1, run 0",
    "  1. create_flow -> 200 ok:true",
    "  2. 1000 ms pass",
    "  3. a right request -> 119 x 200 ok:true, 1 x 429 ok:false   <- here",
  ]);
});

test("requests at the same time have a line each, which shows when they were under way", () => {
  const answers = [
    { ...ok, revision: 2, sent: { what: "finish_flow", from: 0, to: 0.5 } },
    { answer: "409 ok:false", sent: { what: "fail_flow", from: 0.25, to: 1 } },
  ];
  expect(storyText({ steps: [{ what: "2 requests at once", answers }], requests: 2, replay })).toEqual([
    "  1. 2 requests at once   <- here",
    "     |============             | finish_flow -> 200 ok:true, revision 2",
    "     |      ================== | fail_flow -> 409 ok:false",
  ]);
});

test("where the target answered otherwise each time no step is the wrong one", () => {
  const steps = [{ what: "get_flow", answers: [ok], secondAnswers: [{ answer: "404 ok:false" }] }];
  expect(storyText({ steps, requests: 1 })).toEqual(["  1. get_flow -> 200 ok:true; the second time 404 ok:false"]);
});
