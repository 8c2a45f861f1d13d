/** How a page shows a story. */
import { expect, test } from "vitest";
import type { StepAnswer } from "../../harness/outcome.ts";
import { sentenceOf } from "../../story/sentences.ts";
import type { Story } from "../../story/story.ts";
import { attribute, elementsOf, textIn, type Element } from "../../test-support/page.test-support.ts";
import { covering, reportWith, resultOf } from "../../test-support/report.test-support.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../../story/replay-file.ts";
import { renderHtml } from "./report-page.ts";

type Given = NonNullable<Parameters<typeof resultOf>[0]>;

const pageWith = (given: Given) =>
  renderHtml(reportWith([...covering(), resultOf({ outcome: "fail", expected: "y", actual: "x", ...given })]));

function storyOf(steps: Story, answers: StepAnswer[][]) {
  const replay = {
    format: REPLAY_FORMAT,
    property: "PROPERTY-STATES",
    clause: "STATE-RESUME-ONLY",
    expected: "y",
    actual: "x",
    seed: 1,
    run: 0,
    profile: "spec",
    target: "a gateway",
    steps: [...steps],
  } satisfies ReplayFile;
  const told = steps.map((step, index) => ({ what: sentenceOf(step), answers: answers[index] ?? [] }));
  return { steps: told, requests: steps.length, replay };
}

const about = { flowId: { $flow: "f1" } };
const finishedTwice = storyOf(
  [
    { do: "send", route: "route", as: "f1", body: { action: "create_flow" } },
    { do: "send", route: "route", body: { action: "set_waiting", ...about, blockedSummary: "x" } },
    { do: "send", route: "route", body: { action: "finish_flow", ...about } },
    { do: "send", route: "route", body: { action: "resume_flow", ...about } },
  ],
  Array.from({ length: 4 }, () => [{ answer: "200 ok:true" }]),
);

const steps = (page: string) =>
  elementsOf(page)
    .filter(({ tagName, parentNode }) => tagName === "tr" && (parentNode as Element).tagName === "tbody")
    .filter((row) => attribute((row.parentNode as Element).parentNode as Element, "class") === "story");

test("a story is a table of its steps with their answers; the last is where it broke", () => {
  const rows = steps(pageWith({ id: "PROPERTY-STATES", story: finishedTwice }));
  expect(rows.map((row) => textIn(row).replaceAll(/\s+/g, " ").trim())).toEqual([
    "1create_flow (gives f1)200 ok:true",
    '2set_waiting flowId=f1 blockedSummary="x"200 ok:true',
    "3finish_flow flowId=f1200 ok:true",
    "4resume_flow flowId=f1200 ok:true ← here",
  ]);
  expect(rows.map((row) => attribute(row, "class"))).toEqual([undefined, undefined, undefined, "o-fail here"]);
});

test("requests at the same time have a row each, with a bar that says when they were under way", () => {
  const sent = { what: "fail_flow", from: 0.25, to: 1 };
  const story = { steps: [{ what: "2 requests at once", answers: [{ answer: "409 ok:false", sent }] }], requests: 1 };
  const page = pageWith({ id: "PROPERTY-RACES", story });
  expect(steps(page).map(textIn)).toEqual([
    "12 requests at once",
    expect.stringMatching(/^\s*fail_flow\s*409 ok:false/),
  ]);
  expect(elementsOf(page).map((one) => attribute(one, "aria-label"))).toContain(
    "Under way from 25 to 100 percent of the time that all took.",
  );
});
