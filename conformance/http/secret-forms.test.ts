/** What is to make each form is run by a real bash. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { missing } from "./programs.test-support.ts";
import { formsOf, redactor } from "./redact.ts";
import { replayLine } from "./replay-line.ts";
import { bashOf, type Span } from "./secret-forms.ts";

const kits = `whsec-${"0f1e2d3c4b5a".repeat(8)}`;
const odd = `P"ss\\w0rd +7f3a{$&}\`%'!`;
const foreign = "pässwörd-漢字-7f3a9";

/** All of a form, all but its last character, its end, and what is between two thirds. */
function spansOf({ length: of }: string): Span[] {
  const third = Math.floor(of / 3);
  return [
    { from: 0, to: of, of },
    { from: 0, to: of - 1, of },
    { from: third, to: of, of },
    { from: third, to: 2 * third, of },
  ];
}

const hasBash = !missing.includes("bash");

describe.skipIf(!hasBash)(hasBash ? "with bash" : "no bash", () => {
  test.each([
    ["a kit's secret", kits],
    ["an odd secret", odd],
    ["a secret beyond ASCII", foreign],
  ])("%s comes out in every form that bash has words for, whole and in part", (_, value) => {
    const wanted: string[] = [];
    const lines: string[] = [];
    for (const { form, text } of formsOf(value)) {
      for (const span of spansOf(text)) {
        const bash = bashOf(form, "SECRET", value, span);
        if (bash === undefined) continue;
        const what = `${form.name} ${span.from}-${span.to}: `;
        wanted.push(what + text.slice(span.from, span.to));
        lines.push(`printf '%s\\0' '${what}'"${bash}"`);
      }
    }
    const env = { PATH: process.env["PATH"], SECRET: value, LC_ALL: "C" };
    const { stdout, stderr } = spawnSync("bash", [], { input: lines.join("\n"), env });
    expect(String(stderr)).toBe("");
    expect(String(stdout).split("\0").slice(0, -1)).toEqual(wanted);
  });
});

test.each([
  ["a kit's secret", kits, []],
  [
    "an odd secret",
    odd,
    ["escaped for a URL", "in capital letters, escaped for a URL", "in small letters, escaped for a URL"],
  ],
  [
    "a secret beyond ASCII",
    foreign,
    ["escaped for a URL", "in capital letters", "in capital letters, escaped for a URL"],
  ],
])("of %s all forms have words but those that bash would get wrong", (_, value, without) => {
  const wordless = formsOf(value).filter(({ form, text: { length } }) => {
    return bashOf(form, "SECRET", value, { from: 0, to: length, of: length }) === undefined;
  });
  expect(wordless.map(({ form }) => form.name)).toEqual(without);
});

test("a request that bash has no words for gets a remark in the line's place, harmless when pasted", () => {
  const request = { method: "GET", path: `/?secret=${encodeURIComponent(odd)}`, headers: [], body: new Uint8Array() };
  const line = replayLine({ request, from: "127.0.0.1" }, redactor([{ value: odd, variable: "SECRET" }]));
  expect(line).toBe(": # no line: bash has no short words for this form of a secret");
});
