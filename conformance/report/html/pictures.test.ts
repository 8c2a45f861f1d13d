/** What the pictures say, by the texts in them. */
import { describe, expect, test } from "vitest";
import type { StepAnswer } from "../../harness/outcome.ts";
import { sentenceOf } from "../../story/sentences.ts";
import type { Story } from "../../story/story.ts";
import { attribute, elementsOf, wordsOf } from "../../test-support/page.test-support.ts";
import { covering, reportWith, resultOf } from "../../test-support/report.test-support.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../../story/replay-file.ts";
import { renderHtml } from "./report-page.ts";
import { storyText } from "../story-text.ts";

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

describe("a story", () => {
  test("has a picture that names what it shows, beside the whole text", () => {
    const page = pageWith({ id: "PROPERTY-STATES", story: finishedTwice });
    const pictures = elementsOf(page).flatMap((one) =>
      one.tagName === "svg" ? (attribute(one, "aria-label") ?? "") : [],
    );
    expect(pictures).toContain("The story as a sequence of 4 steps; the text below says the same.");
    for (const line of storyText(finishedTwice)) expect(wordsOf(page)).toContain(line);
  });
});
