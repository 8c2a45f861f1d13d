/** How a page shows a story. */
import { expect, test } from "vitest";
import { attribute, elementsOf, textIn } from "../../test-support/page.test-support.ts";
import { reportWith, resultOf } from "../../test-support/report.test-support.ts";
import { replayOf } from "../../test-support/replay.test-support.ts";
import { renderHtml } from "./report-page.ts";

test("a story is a table of its steps; the last is where it broke, and overlapping requests have a row each", () => {
  const sent = { what: "fail_flow", from: 0.25, to: 1 };
  const steps = [
    { what: "create_flow (gives f1)", answers: [{ answer: "200 ok:true" }] },
    { what: "2 requests at once", answers: [{ answer: "409 ok:false", sent }] },
    { what: "resume_flow flowId=f1", answers: [{ answer: "200 ok:true", times: 2 }] },
  ];
  const story = { steps, requests: 3, replay: replayOf({}) };
  const page = renderHtml(reportWith([resultOf({ outcome: "fail", expected: "y", actual: "x", story })]));
  const elements = elementsOf(page);
  const table = elements.find((element) => attribute(element, "class") === "story");
  const rows = elements.filter(({ tagName, parentNode }) => {
    return tagName === "tr" && (parentNode as { parentNode?: unknown }).parentNode === table;
  });
  expect(rows.map((row) => [textIn(row).replaceAll(/\s+/g, " ").trim(), attribute(row, "class")])).toEqual([
    ["steprequestanswer", undefined],
    ["1create_flow (gives f1)200 ok:true", undefined],
    ["22 requests at once", undefined],
    ["fail_flow409 ok:false", undefined],
    ["3resume_flow flowId=f12 x 200 ok:true ← here", "o-fail here"],
  ]);
  expect(elements.map((element) => attribute(element, "aria-label"))).toContain(
    "Under way from 25 to 100 percent of the time that all took.",
  );
});
