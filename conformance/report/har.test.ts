/** The HTTP archive, checked by the schemas that readers of HAR 1.2 go by. */
import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { harFaults } from "../test-support/har.test-support.ts";
import { exchangeWith, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { harOf } from "./har.ts";

test.each(Object.entries(everyReport))("the archive of the %s report is valid", (_, report) => {
  expect(harFaults(harOf(report))).toEqual([]);
});

const archiveOf = (...exchanges: Exchange[]) =>
  harOf(reportWith([resultOf({ outcome: "fail", expected: "x", actual: "y", exchanges })])).log;

test("each case is a page with its exchanges", () => {
  const { pages, entries } = archiveOf(exchangeWith('{"ok":false}'), exchangeWith("{}"));
  expect(pages).toMatchObject([{ id: "FLOW-EXAMPLE", comment: "fail: expected x; got y" }]);
  expect(entries.map(({ pageref }) => pageref)).toEqual(["FLOW-EXAMPLE", "FLOW-EXAMPLE"]);
  expect(entries[0]).toMatchObject({
    request: { method: "POST", postData: { mimeType: "application/json" } },
    response: { status: 409, content: { text: '{"ok":false}', size: 12 } },
  });
});

test("a request without an answer has the status 0, and says why", () => {
  const { request } = exchangeWith("");
  const { entries } = archiveOf({ request, from: "127.1.0.1", fault: "connection refused" });
  expect(entries[0]).toMatchObject({
    response: { status: 0 },
    comment: "from 127.1.0.1; no answer: connection refused",
  });
});

const odd = ["*", "no/slash", "/a b", "/a#b", "/%", "//x", "/\\", "http://other.example/x", "/é日\ud800"];
test.each(odd)("%s, which no URL can hold, gets an address", (path) => {
  const { request } = exchangeWith("");
  const { entries } = archiveOf({ request: { ...request, path }, from: "127.1.0.1" });
  expect(new URL(entries[0]?.request.url ?? "").host).toBe("target.invalid");
});

test("the schema refuses what is no archive", () => {
  expect(harFaults({ log: { version: "1.2", creator: { name: "x" }, entries: [] } })).not.toEqual([]);
});
