import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { missing } from "../http/programs.test-support.ts";
import { shellLines } from "./shell-lines.ts";
import { columns } from "./wrap.ts";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const escaped = (text: string) =>
  `$'${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
const word = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }).map((text) => quoted(text.replaceAll("\0", ""))),
  fc.string({ minLength: 1, maxLength: 60 }).map((text) => escaped(text.replaceAll("\0", "x"))),
  fc.stringMatching(/^[\w./:=@-]{1,200}$/).map((text) => `x${text}`),
  fc.constantFrom(
    `"$BASE_URL"'/plugins/webhooks/lane-01'`,
    `'a: '"\${SECRET}"`,
    "''",
    `'it'\\''s'`,
    `"\${A%:*}/\${A##*:}"`,
  ),
);
const command = fc
  .tuple(fc.array(word, { maxLength: 12 }), fc.constantFrom("", " # the body's own bytes are left out"))
  .map(([words, remark]) => `curl ${words.join(" ")}${remark}`);

const hasBash = !missing.includes("bash");

/** What a `curl` of each command would be given, one bash for all of them. */
function given(commands: readonly string[]): string {
  const script = `curl() { printf '%s\\0' "$#" "$@"; }\n${commands.join("\n")}\n`;
  const env = { BASE_URL: "http://127.0.0.1:1", SECRET: "s e c", A: "host:1" };
  const { stdout, stderr } = spawnSync("bash", [], { input: script, env: { PATH: process.env["PATH"], ...env } });
  expect(String(stderr)).toBe("");
  return stdout.toString("latin1");
}

describe.skipIf(!hasBash)(hasBash ? "with bash" : "no bash", () => {
  test("a broken command is to bash what the whole one is", () => {
    const commands = fc.sample(command, { numRuns: 300, seed: 4 });
    expect(given(commands.map((text) => shellLines(text, "", 12).join("\n")))).toBe(given(commands));
  });
});

test("no line is wider than 80 columns, and all but the last end in a backslash", () => {
  fc.assert(
    fc.property(command, (text) => {
      const lines = shellLines(text, "  replay    ");
      expect(lines.filter((line) => columns(line) > 80)).toEqual([]);
      expect(lines.slice(0, -1).every((line) => line.endsWith("\\"))).toBe(true);
      expect(lines[0]?.startsWith("  replay    curl")).toBe(true);
    }),
    { numRuns: 300, seed: 4 },
  );
});

test("a short command stays on its line", () => {
  expect(shellLines("curl -i 'a b' \"$BASE_URL\"/x", "  replay    ")).toEqual([
    "  replay    curl -i 'a b' \"$BASE_URL\"/x",
  ]);
});

test("spaces between words are where it is broken first", () => {
  const body = `'{"action":"get_flow","flowId":"no-such-flow-anywhere"}'`;
  expect(
    shellLines(`curl -sS -i -H 'content-type: application/json' --data-raw ${body} "$BASE_URL"/x`, "  ", 4),
  ).toEqual(["  curl -sS -i -H 'content-type: application/json' --data-raw \\", `    ${body} "$BASE_URL"/x`]);
});
