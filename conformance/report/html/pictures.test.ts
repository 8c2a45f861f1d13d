/** What the pictures say, by the texts in them. */
import { describe, expect, test } from "vitest";
import type { Story } from "../../story/story.ts";
import { attribute, elementsOf, wordsOf } from "../../test-support/page.test-support.ts";
import { covering, reportWith, resultOf } from "../../test-support/report.test-support.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../../story/replay-file.ts";
import { renderHtml } from "./report-page.ts";
import { storyLines } from "./story-lines.ts";
import { walkOf } from "./story-walk.ts";

type Given = NonNullable<Parameters<typeof resultOf>[0]>;

const pageWith = (given: Given) =>
  renderHtml(reportWith([...covering(), resultOf({ outcome: "fail", expected: "y", actual: "x", ...given })]));
const saidIn = (given: Given) => wordsOf(pageWith(given)).replaceAll(/\s+/g, " ");

function storyOf(steps: Story, lines: string[]) {
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
  return { lines, requests: steps.length, replay };
}

const about = { flowId: { $flow: "f1" } };
const finishedTwice = storyOf(
  [
    { do: "send", route: "route", as: "f1", body: { action: "create_flow" } },
    { do: "send", route: "route", body: { action: "set_waiting", ...about, blockedSummary: "x" } },
    { do: "send", route: "route", body: { action: "finish_flow", ...about } },
    { do: "send", route: "route", body: { action: "resume_flow", ...about } },
  ],
  [
    "seed 1, run 0",
    "  1. create_flow (gives f1) -> 200 ok:true",
    "  2. set_waiting flowId=f1 -> 200 ok:true",
    "  3. finish_flow flowId=f1 -> 200 ok:true",
    "  4. resume_flow flowId=f1 -> 200 ok:true   <- here",
  ],
);

describe("the checks", () => {
  test("show which one had to refuse, and which one answered", () => {
    const said = saidIn({ id: "ORDER-METHOD-BEFORE-RATE", clauses: ["ORDER-METHOD-RATE"], actual: "429 ok:false" });
    expect(said).toContain('The check "method, content type" had to refuse the request; "rate limit" answered it.');
    expect(said).toContain("✗ rate limit came before method, content type: 1 case");
  });

  test("show a request that was let through to the end", () => {
    const said = saidIn({ clauses: ["AUTH-REQUIRED"], actual: "200 ok:true" });
    expect(said).toContain(
      'The check "secret" had to refuse the request; "action" was reached, and the request accepted.',
    );
    expect(said).toContain("let through: 1");
  });

  test("are in no wrong order where a case counts what was spent", () => {
    const said = saidIn({ id: "ORDER-AUTH-SPENDS-BUDGET", clauses: ["ORDER-RATE-AUTH"], actual: "200 ok:true" });
    expect(said).not.toMatch(/came before|had to refuse the request/);
  });

  test("are no picture of a right request that was refused", () => {
    expect(saidIn({ clauses: ["AUTH-BEARER"], actual: "401 ok:false" })).not.toContain("had to refuse the request");
  });
});

describe("the states", () => {
  test("show the way of a flow to the action that broke", () => {
    const { visited, at, action } = walkOf(finishedTwice) ?? {};
    expect({ visited, at, action }).toEqual({
      visited: ["new", "blocked", "finished"],
      at: "finished",
      action: "resume_flow",
    });
    const said = saidIn({ id: "PROPERTY-STATES", story: finishedTwice });
    expect(said).toContain(
      'The flow went new, blocked, finished; resume_flow in the state "finished" was answered wrongly.',
    );
    expect(said).toContain("Broken: resume_flow of a flow that is finished.");
  });

  test("are no picture of a case without a story: its clause is about several states", () => {
    const said = saidIn({ clauses: ["STATE-FAIL"] });
    expect(said).toContain("✗ 1 of 2 failed");
    expect(said).not.toContain("was answered wrongly");
  });
});

describe("a story", () => {
  test("is read from its lines; what is no step is left to the text", () => {
    const lines = [
      "seed 1",
      "  2. a -> b -> 200 ok:true",
      "  3. 2 requests at once   <- here",
      "     | ==  | c",
      "x |==| d",
    ];
    expect(storyLines(lines)).toEqual([
      { number: 2, what: "a -> b", answer: "200 ok:true", isHere: false, bars: [] },
      { number: 3, what: "2 requests at once", isHere: true, bars: [{ from: 0.2, to: 0.6, said: "c" }] },
    ]);
  });

  test("has a picture that names what it shows, beside the whole text", () => {
    const page = pageWith({ id: "PROPERTY-STATES", story: finishedTwice });
    const pictures = elementsOf(page).flatMap((one) =>
      one.tagName === "svg" ? (attribute(one, "aria-label") ?? "") : [],
    );
    expect(pictures).toContain("The story as a sequence of 4 steps; the text below says the same.");
    for (const line of finishedTwice.lines) expect(wordsOf(page)).toContain(line);
  });
});
