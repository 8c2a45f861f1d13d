/** The order of a page, and what is open, folded and coloured. */
import { expect, test } from "vitest";
import { attribute, elementsOf, textIn } from "../../test-support/page.test-support.ts";
import { covering, exchangeWith, reportWith, resultOf } from "../../test-support/report.test-support.ts";
import { renderHtml } from "./report-page.ts";

const refused = { outcome: "fail", expected: "the request accepted", actual: "409 ok:false" } as const;
const answered = { ...exchangeWith('{"ok":true,"result":{}}'), from: "127.0.0.1" };
const story = { steps: [{ what: "create_flow", answers: [{ answer: "409 ok:false" }] }], requests: 1 };
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
const reason = "the set-up (create_flow) was not accepted: 409";
const open = resultOf({ id: "OPEN", outcome: "unreached", at: "actions", reason });
const green = resultOf({ id: "TAKE-GREEN", title: "it takes green", clauses: ["METHOD-POST"] });

const page = renderHtml(reportWith([...covering(), ...failing, warned, open, green]));
const headings = (text: string) =>
  elementsOf(text).flatMap((one) => (["h2", "h3"].includes(one.tagName) ? [textIn(one).trim()] : []));

test("failures stand by their cause, then what was left open", () => {
  const places = ["actions: 1 fail, 1 unreached", "states and revisions: 1 fail", "method: 1 warn", "Unreached: 1"];
  const found = places.map((title) => headings(page).indexOf(title));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found[0]).toBe(2);
});

test("the first failure is open, and what passed or was not reached is folded", () => {
  const details = elementsOf(page).filter(({ tagName }) => tagName === "details");
  const isOpen = (one: (typeof details)[number]) => attribute(one, "open") !== undefined;
  expect(details.filter(isOpen).map((one) => attribute(one, "id"))).toEqual(["TAKE-RED"]);
  const groups = details.filter((one) => attribute(one, "class") === "group");
  expect(groups).toHaveLength(2);
});

test("a failure of another stop's cause is counted where it is shown, and a story by its steps", () => {
  const same = { outcome: "fail", expected: "the answer", actual: "no answer" } as const;
  const elsewhere = resultOf({ id: "TAKE-BLUE", clauses: ["STATE-CREATE"], ...same });
  const text = renderHtml(
    reportWith([...covering(), resultOf({ id: "TAKE-RED", clauses: ["ACTION-CREATE-FLOW"], ...same }), elsewhere]),
  );
  expect(headings(text)).toContain("actions: 2 fail");
  const tiles = elementsOf(text)
    .filter(({ tagName }) => tagName === "li")
    .map(textIn);
  expect(tiles.filter((tile) => tile.includes("fail"))).toEqual([expect.stringMatching(/^actions2 fail, /)]);
  expect(headings(renderHtml(reportWith(failing)))).toContain("The story: 1 step");
});

test("where it broke stands right below the verdict, with a link to the failures at each stop; nowhere where all passed", () => {
  expect(headings(page)[0]).toBe("Where it broke");
  const stops = elementsOf(page).filter(
    (one) => one.tagName === "li" && attribute(one.parentNode as typeof one, "class") === "way",
  );
  const broken = stops.filter((one) => attribute(one, "class") === "o-fail").map(textIn);
  expect(broken).toEqual([
    expect.stringMatching(/^actions1 fail, /),
    expect.stringMatching(/^states and revisions1 fail, /),
  ]);
  expect(textIn(stops[0] as never)).toMatch(/^method1 warn, 1 pass$/);
  const ids = new Set(elementsOf(page).map((one) => attribute(one, "id")));
  const links = elementsOf(page).flatMap((one) => attribute(one, "href") ?? []);
  expect(links.filter((link) => !ids.has(link.slice(1)))).toEqual([]);
  expect(headings(renderHtml(reportWith(covering())))).not.toContain("Where it broke");
});

test("the filter has each outcome with as many cases as the page, and each clause that a case names", () => {
  const options = elementsOf(page)
    .filter(({ tagName }) => tagName === "option")
    .map((one) => [attribute(one, "value"), textIn(one)]);
  expect(options).toContainEqual(["", `all ${covering().length + 4 + 1}`]);
  expect(options).toContainEqual(["fail", "2 fail"]);
  expect(options).toContainEqual(["METHOD-POST", "METHOD-POST"]);
  const cases = elementsOf(page).filter((one) => attribute(one, "class")?.startsWith("case ") === true);
  const named = new Set(cases.flatMap((one) => attribute(one, "data-clauses")?.split(" ") ?? []));
  expect(options.slice(-named.size).map(([clause]) => clause)).toEqual([...named].toSorted());
});

test("a row that failed has a table of the values with which it fails and of those with which it passes", () => {
  const combination = [
    { factor: "method", values: ["PUT", "GET"], right: 1, passing: ["POST"] },
    { factor: "route", values: ["default path"], right: 3 },
    { factor: "body", values: ["none"], right: 0 },
  ];
  const told = { expected: "405", actual: "200", combination };
  const text = renderHtml(reportWith([...covering(), resultOf({ id: "ROW", outcome: "fail", ...told })]));
  const rows = elementsOf(text).filter(({ tagName, parentNode }) => {
    return tagName === "tr" && (parentNode as { tagName?: string } | null)?.tagName === "tbody";
  });
  const cells = rows.map((row) => row.childNodes.map(textIn).filter((cell) => cell.trim() !== ""));
  expect(cells).toEqual([
    ["method", "PUT, GET", "POST"],
    ["route", "default path", "3 others"],
    ["body", "none", "none that was tried"],
  ]);
});

const isFolded = (one: ReturnType<typeof elementsOf>[number]): boolean => {
  for (let at = one.parentNode; at !== null; at = "parentNode" in at ? at.parentNode : null)
    if ("attrs" in at && attribute(at, "class") === "more") return true;
  return false;
};

test("a failing case shows one exchange, and folds what else the report has of it", () => {
  const exchanges = [answered, { ...answered, from: "127.0.0.9" }];
  const text = renderHtml(
    reportWith([...covering(), resultOf({ id: "MANY", outcome: "fail", expected: "405", actual: "200", exchanges })]),
  );
  const sent = elementsOf(text).filter((one) => one.tagName === "h4" && textIn(one).startsWith("sent from"));
  expect(sent.map((one) => [textIn(one).split(",")[0], isFolded(one)])).toEqual([
    ["sent from 127.0.0.1", false],
    ["sent from 127.0.0.9", true],
  ]);
});
