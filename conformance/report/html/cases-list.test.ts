/** The order of a page, and what is open, folded and coloured. */
import { expect, test } from "vitest";
import { attribute, elementsOf, textIn, wordsOf } from "../../test-support/page.test-support.ts";
import { covering, exchangeWith, reportWith, resultOf } from "../../test-support/report.test-support.ts";
import { renderHtml } from "./report-page.ts";

const refused = { outcome: "fail", expected: "the request accepted", actual: "409 ok:false" } as const;
const answered = { ...exchangeWith('{"ok":true,"result":{}}'), from: "127.0.0.1" };
const story = { lines: ["  1. create_flow -> 409 ok:false   <- here"], requests: 1 };
const failing = [
  resultOf({ id: "PROPERTY-A", clauses: ["STATE-CREATE"], ...refused, story }),
  resultOf({ id: "TAKE-RED", title: "it takes red", clauses: ["ACTION-CREATE-FLOW"], ...refused }),
];
const warned = resultOf({
  id: "VERB",
  clauses: ["METHOD-POST"],
  level: "should",
  outcome: "warn",
  expected: "a refusal",
  actual: "200 ok:true",
  exchanges: [answered],
});
const open = resultOf({ id: "OPEN", outcome: "unreached", reason: "the set-up (create_flow) was not accepted: 409" });
const green = resultOf({ id: "TAKE-GREEN", title: "it takes green" });

const page = renderHtml(reportWith([...covering(), ...failing, warned, open, green]));
const headings = (text: string) =>
  elementsOf(text).flatMap((one) => (["h2", "h3"].includes(one.tagName) ? [textIn(one).trim()] : []));

test("failures stand under the header, by their cause; tables and pictures come behind", () => {
  const places = ["actions: 1 fail, 1 unreached", "states and revisions: 1 fail", "method: 1 warn", "Unreached: 1"];
  const found = [...places, "By section of the interface", "The checks and the states"].map((title) =>
    headings(page).indexOf(title),
  );
  expect(found.slice(0, 5)).toEqual(found.slice(0, 5).toSorted((a, b) => a - b));
  expect(found[0]).toBe(1);
});

test("the first failure is open, and what passed or was not reached is folded", () => {
  const details = elementsOf(page).filter(({ tagName }) => tagName === "details");
  const isOpen = (one: (typeof details)[number]) => attribute(one, "open") !== undefined;
  expect(details.filter(isOpen).map((one) => attribute(one, "id"))).toEqual(["TAKE-RED"]);
  const groups = details.filter((one) => attribute(one, "class") === "group");
  expect(groups).toHaveLength(2);
});

test("a section's passed, failed and other cases are all its cases", () => {
  const elements = elementsOf(page);
  const rows = elements.filter(({ tagName }) => tagName === "tr");
  const numbers = rows
    .map((row) => elements.filter((cell) => cell.parentNode === row && attribute(cell, "class") === "number"))
    .filter((cells) => cells.length === 4 && cells.every(({ tagName }) => tagName === "td"))
    .map((cells) => cells.map((cell) => Number(textIn(cell))));
  expect(numbers.length).toBeGreaterThan(3);
  for (const [all = 0, passed = 0, failed = 0, other = 0] of numbers) expect(passed + failed + other).toBe(all);
});

test("an answer of a check is not told as a request that was let through", () => {
  const words = wordsOf(page).replaceAll(/\s+/g, " ");
  expect(words).toContain("it was answered with success, but no action ran.");
  expect(words).not.toContain("let through");
  expect(words).toContain("! 1 warned");
  expect(headings(renderHtml(reportWith([...covering(), warned])))).toContain("The checks and the states");
});

test("a failure names what works next to it", () => {
  expect(wordsOf(page).replaceAll(/\s+/g, " ")).toContain("next to it passing: TAKE-GREEN");
});
