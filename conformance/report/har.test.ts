/** The HTTP archive, checked by the schemas that readers of HAR 1.2 go by. */
import { Ajv } from "ajv";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { exchangeWith, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { harOf } from "./har.ts";

/** The package has no types, and its schemas are of an older draft than Ajv takes by itself. */
const schemas = createRequire(import.meta.url)("har-schema") as Readonly<
  Record<string, { $id: string; $schema: string }>
>;
const ajv = new Ajv({ strict: false, validateFormats: false });
for (const schema of Object.values(schemas)) {
  const { $schema: _, ...rest } = schema;
  ajv.addSchema(rest);
}
const isHar = ajv.getSchema("har.json#");

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

test.each(Object.entries(everyReport))("the archive of the %s report is valid", (_, report) => {
  const har = plain(harOf(report));
  expect(isHar?.(har), JSON.stringify(isHar?.errors)).toBe(true);
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
  expect(isHar?.({ log: { version: "1.2", creator: { name: "x" }, entries: [] } })).toBe(false);
});
