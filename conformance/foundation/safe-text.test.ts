import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { safeJson, safeLine, safeText, withoutCommands } from "./safe-text.ts";

test("JSON is printed so that no value of a target acts on a terminal, and each is still the same", () => {
  const hostile = {
    code: 'c1 \u009b31m bidi \u202e line \u2028 esc \u001b[2J tag \u{e0001} quote " \\',
    long: "x".repeat(500),
    status: 405,
    command: "##vso[task.complete]##[error]",
  };
  const text = safeJson(hostile);
  expect(text).not.toMatch(/[^\n\x20-\x7e]/);
  expect(text).not.toMatch(/##\w*\[/);
  expect(JSON.parse(text)).toEqual(hostile);
});

test.each([
  ["::error::x", "\\::error::x"],
  ["a\n \t\u3000::set-output name=a::b", "a\n \t\u3000\\::set-output name=a::b"],
  ["a ::error::x", "a ::error::x"],
  ["##vso[task.complete]", "#\\#vso[task.complete]"],
  ["a ##VSO[a] ###[group] ##teamcity[x]", "a #\\#VSO[a] ##\\#[group] #\\#teamcity[x]"],
  ["### Failures: 1", "### Failures: 1"],
])("what a CI system would carry out is broken where it can be seen: %j", (text, expected) => {
  expect(withoutCommands(text)).toBe(expected);
  expect(withoutCommands(expected)).toBe(expected);
});

test("an escape is visible, and a line that was one stays one", () => {
  const hostile = "a\r\u001b[2J\u0085\u2028::error::\n\u202eb\u{e0001}";
  expect(safeLine(hostile)).toBe("a\\u000d\\u001b[2J\\u0085\\u2028::error::\\u000a\\u202eb\\u{e0001}");
  expect(safeText(hostile)).toBe("a\\u000d\\u001b[2J\\u0085\\u2028::error::\n\\u202eb\\u{e0001}");
});

test("one file writes to the terminal for all commands", () => {
  const folder = join(import.meta.dirname, "..", "cli");
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const writers = files.filter((name) =>
    /std(out|err)\.write|console\./.test(readFileSync(join(folder, name), "utf8")),
  );
  expect(writers).toEqual(["print.ts"]);
});
