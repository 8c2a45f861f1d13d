import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { forms } from "../http/secret-forms.ts";
import { leakSeen, placeOf, searchFor, textsOf } from "./finder.ts";
import type { Answer, Exchange } from "../http/exchange.ts";

const mark = "3f9ac01d77e2b584";
const finderOf = (...values: readonly string[]) => {
  const search = searchFor(values.map((value) => ({ name: "", value })));
  return (text: string) => search(text).length > 0;
};
const finds = finderOf(mark);

const isDigest = (name: string) => name.includes("SHA");

test.each(forms.filter(({ name }) => !isDigest(name)))("finds a value $name, whatever is around it", ({ encode }) => {
  for (const before of ["", "s", "se", "session-"]) {
    for (const after of ["", "-", "-longer", "?"]) expect(finds(encode(`${before}${mark}${after}`))).toBe(true);
  }
});

test.each(["_", "  ", "\n", "\u200b"])("finds a value with %j between its characters", (between) => {
  expect(finds(Array.from(`session-${mark}`).join(between))).toBe(true);
});

test("finds nothing in texts that do not hold the value", () => {
  const texts = Array.from({ length: 2000 }, () => randomUUID());
  expect(finds(texts.join(" "))).toBe(false);
  expect(finderOf()("anything")).toBe(false);
  expect(finderOf("")("anything")).toBe(false);
});

const digestOf = (value: string) => searchFor([{ name: "a digest", value, digest: true }]);

test("finds digests of a value in any case, and no other digest", () => {
  const digest = createHash("sha256").update(mark).digest("hex");
  expect(digestOf(mark)(`"shard":"${digest.toUpperCase()}"`)[0]?.name).toBe("a digest");
  expect(digestOf("another")(digest)).toEqual([]);
  expect(digestOf(mark)(mark)).toEqual([]);
});

test("all values that a text holds are named in their order", () => {
  const search = searchFor([
    { name: "one", value: mark },
    { name: "other", value: "0011223344556677" },
  ]);
  expect(search(`0011223344556677 ${mark}`).map(({ name }) => name)).toEqual(["one", "other"]);
  expect(search("0011223344556677")[0]?.name).toBe("other");
});

const answerOf = (body: string, headers: [string, string][] = []): Answer => ({
  status: 200,
  headers: new Map(headers.map(([name, value]) => [name, [value]])),
  body: new TextEncoder().encode(body),
});

const exchangeOf = (answer: Answer): Exchange => ({
  request: { method: "POST", path: "/", headers: [], body: new Uint8Array() },
  from: "127.0.0.1",
  answer,
});

test.each<[string, Answer, string]>([
  ["a header", answerOf("{}", [["x-session", mark]]), "the header x-session"],
  ["a field", answerOf(JSON.stringify({ result: { flows: [{ a: 1 }, { owner: mark }] } })), "result.flows[].owner"],
  ["a name", answerOf(JSON.stringify({ result: { [mark]: 1 } })), "a field's name in result"],
  ["a text that is no JSON", answerOf(`session ${mark}`), "the body"],
])("tells that %s holds it", (_, answer, place) => {
  expect(finds(textsOf(answer).join())).toBe(true);
  expect(placeOf(exchangeOf(answer), finds)).toBe(place);
});

test("sees through the escapes of JSON, where some characters are written as they are", () => {
  const escaped = mark.replaceAll(/[0-9]/g, (digit) => `\\u00${digit.charCodeAt(0).toString(16)}`);
  expect(finds(textsOf(answerOf(`{"error":"${escaped}"}`)).join())).toBe(true);
});

const refusing = (headers: readonly (readonly [string, string])[], error: string): Exchange => ({
  request: { method: "POST", path: "/", headers, body: new Uint8Array() },
  from: "127.0.0.1",
  answer: { status: 401, headers: new Map(), body: new TextEncoder().encode(JSON.stringify({ error })) },
});

test("says which field holds the value, and which part of the request it came from", () => {
  const decoys = ["a", "b", "c", "d"].map((name) => [name, mark] as const);
  const what = "a mark in the field error of the answer";
  const bearer = ["authorization", `Bearer ${mark}`] as const;
  expect(leakSeen("a mark", refusing([...decoys, bearer], `no: Bearer ${mark}`), finds)).toEqual({
    what,
    where: "sent in the header authorization",
  });
  expect(leakSeen("a mark", refusing([...decoys, bearer], `no: ${mark}`), finds).where).toBe(
    "sent in the headers a, b, c and 1 more",
  );
  expect(leakSeen("a mark", refusing([], `no: ${mark}`), finds)).toEqual({
    what,
    where: "",
  });
});
