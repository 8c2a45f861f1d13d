/** Results that were not judged because time ran out: no failure of the target is the reason. */
import { expect, test } from "vitest";
import { attribute, elementsOf, textIn } from "../test-support/page.test-support.ts";
import { covering, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { renderConsole } from "./console.ts";
import { renderHtml } from "./html/report-page.ts";
import { painter } from "./wrap.ts";

const late = (id: string, load: number) =>
  resultOf({
    id,
    outcome: "unreached",
    late: true,
    reason: `the case ran out of time (load average ${load} on 2 cores)`,
  });
const failing = resultOf({ id: "FAILS", outcome: "fail", expected: "404 not_found", actual: "200 ok:true" });
const report = reportWith([
  ...covering(),
  failing,
  late("LATE-A", 14),
  late("LATE-B", 15),
  resultOf({ id: "BLOCKED", outcome: "unreached", reason: "a session was not bound" }),
]);

test("the text counts them apart, and groups them whatever the load was", () => {
  const text = renderConsole(report, painter(false));
  const lines = text.replaceAll(/\s+/g, " ");
  expect(lines).toContain(" failed, 1 unreached because of them, 2 unreached as time ran out. ");
  expect(lines).toContain(" 2 unreached: the case ran out of time (load average 14 on 2 cores): LATE-A, LATE-B ");
  expect(lines).toContain(" 1 unreached because of this: a session was not bound: BLOCKED ");
  expect(text.match(/load average/g)).toHaveLength(1);
});

test("the page counts them apart, and lists them open", () => {
  const page = renderHtml(report);
  expect(page).toContain("1 unreached because of this, 2 unreached as time ran out: see below.");
  const groups = elementsOf(page).filter((one) => one.tagName === "details" && attribute(one, "class") === "group");
  const open = groups.filter((one) => attribute(one, "open") !== undefined).map(textIn);
  expect(open).toEqual([expect.stringMatching(/^\s*Unreached: 3/)]);
});
