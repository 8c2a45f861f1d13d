import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { hiding, noteOf } from "./received.ts";

/** What is recorded of a request with this path and these headers, as text. */
function kept(secrets: readonly string[], url: string, headers: Record<string, string>): string {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: "POST", url, headers });
  const note = noteOf(request, 0, "service", hiding(secrets));
  return JSON.stringify([note.path, note.headers]);
}

const latin1 = (text: string) => Buffer.from(text).toString("latin1");

test.each([
  ["the longer of two where one begins with the other", ["key", "key-for-qa"], "/a/key-for-qa", "/a/[hidden]"],
  ["percent-encoded in whole", ["pass word/ü"], "/a?s=pass%20word%2F%C3%BC", "/a?s=[hidden]"],
  ["percent-encoded in part, in small letters", ["pass word/ü"], "/a?s=p%61ss+word/%c3%bc", "/a?s=[hidden]"],
  ["with signs that mean something in a pattern", ["a.b*(c)[d]"], "/a.b*(c)[d]/axb", "/[hidden]/axb"],
  ["none at all", [], "/a/b", "/a/b"],
])("in a path a secret is hidden: %s", (_, secrets, path, shown) => {
  expect(kept(secrets, path, {})).toBe(JSON.stringify([shown, {}]));
});

test("in a header a secret is hidden as it is, percent-encoded, and as node reads its UTF-8", () => {
  const secret = "clé-ü";
  const headers = { "x-a": `1 ${secret}`, "x-b": encodeURIComponent(secret), "x-c": `${latin1(secret)}!` };
  expect(kept([secret], "/", headers)).toBe(
    JSON.stringify(["/", { "x-a": "1 [hidden]", "x-b": "[hidden]", "x-c": "[hidden]!" }]),
  );
});

test.each([
  ["Bearer correct horse", "Bearer [hidden]"],
  ["bASIC Y29ycmVjdA==", "bASIC [hidden]"],
  ["correct horse", "[hidden]"],
  ["correct", "[hidden]"],
])("of authorization %s is kept as %s", (authorization, shown) => {
  expect(kept(["correct horse"], "/", { authorization })).toBe(JSON.stringify(["/", { authorization: shown }]));
});

test("a long near miss of many secrets is looked through at once", () => {
  const start = "w".repeat(60);
  const secrets = Array.from({ length: 40 }, (_, index) => `${start}${index}x`);
  expect(kept(secrets, `/a/${start}`, {})).toBe(JSON.stringify([`/a/${start}`, {}]));
});
