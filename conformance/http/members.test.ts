import { expect, test } from "vitest";
import { contradictoryIn, membersOf } from "./members.ts";

test("the members of an object, also of equal names", () => {
  expect(membersOf("{}", {})).toEqual([]);
  const [inner, text] = [{ a: [2, { a: 3 }] }, '},"'];
  const json = ` { "a" : 1 , "b":${JSON.stringify(inner)},"a":${JSON.stringify(text)}, "":[ ] } `;
  expect(membersOf(json, JSON.parse(json) as object)).toEqual([
    ["a", 1],
    ["b", inner],
    ["a", text],
    ["", []],
  ]);
});

test.each([
  ['{"ok":false,"ok":true}', "ok"],
  ['{"ok":true,"\\u006fk":false}', "ok"],
  ['{"ok":true,"result":{"a":1,"b":[]},"result":{}}', "result"],
  ['{"ok":true,"ok":true,"result":{"a":1},"result":{ "a" : 1.0 }}', undefined],
  ['{"ok":true,"result":{"ok":false,"ok":true}}', undefined],
  ['{"ok":true,"other":1,"other":2}', undefined],
])("of %s %s contradicts itself", (json, name) => {
  expect(contradictoryIn(json, ["ok", "result"])).toBe(name);
});
