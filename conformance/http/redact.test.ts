import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formsOf, redactor, shortestRun } from "./redact.ts";

const value = 'p"ss/wörd+7f3a{$&}';
const redact = redactor([
  { value, variable: "A" },
  { value: "whsec-0a1b2c3d4e5f", variable: "B" },
]);

test.each([
  ["as it is", value, ""],
  ["in capital letters", value.toUpperCase(), " in capital letters"],
  ["in JSON", JSON.stringify(value).slice(1, -1), " escaped for JSON"],
  ["in a URL", encodeURIComponent(value), " escaped for a URL"],
  ["in hex", Buffer.from(value).toString("hex"), " in hex"],
  ["in hex, capital letters", Buffer.from(value).toString("hex").toUpperCase(), " in hex, in capital letters"],
  ["in percent form", Buffer.from(value).toString("hex").replace(/../g, "%$&"), " in percent form"],
  ["in base64", Buffer.from(value).toString("base64"), " in base64"],
  ["as a digest", createHash("sha256").update(value).digest("hex"), " as SHA-256 in hex"],
])("a secret %s is taken out, and the form is named", (_, form, name) => {
  expect(redact(`before ${form} after`)).toBe(`before \${A${name}} after`);
});

test("a secret of small letters alone is called as it is", () => {
  expect(redactor([{ value: "whsec-0a1b2c", variable: "A" }])("whsec-0a1b2c, WHSEC-0A1B2C")).toBe(
    "${A}, ${A in capital letters}",
  );
});

describe("what is near to a secret", () => {
  const secret = `whsec-${createHash("sha384").update("any").digest("hex")}`;
  const near = redactor([{ value: secret, variable: "A" }]);

  test.each([
    ["with another last character", `${secret.slice(0, -1)}z`, "${A, characters 1-101 of 102}z"],
    ["with another first character", `z${secret.slice(1)}`, "z${A, characters 2-102 of 102}"],
    ["with more around it", `x${secret}y`, "x${A}y"],
    [
      "cut in two",
      `${secret.slice(0, 40)}-${secret.slice(40)}`,
      "${A, characters 1-40 of 102}-${A, characters 41-102 of 102}",
    ],
    ["of which a third is there", secret.slice(34, 68), "${A, characters 35-68 of 102}"],
    [
      "in capital letters with another last one",
      `${secret.slice(0, -1).toUpperCase()}z`,
      "${A in capital letters, characters 1-101 of 102}z",
    ],
    ["in base64, cut", Buffer.from(secret).toString("base64").slice(0, 64), "${A in base64, characters 1-64 of 136}"],
  ])("%s is taken out", (_, text, expected) => {
    expect(near(`Bearer ${text}`)).toBe(`Bearer ${expected}`);
  });

  test("no 12 characters in a row are left of any form, wherever it is cut", () => {
    for (const { text } of formsOf(secret))
      for (let from = 0; from < text.length; from += 7)
        for (let to = from + 12; to <= text.length; to += 5) {
          const left = near(`<${text.slice(from, to)}>`);
          expect(left).toMatch(/^<(\$\{A[^{}]*\})+>$/);
        }
    expect(near(secret.slice(0, 11))).toBe(secret.slice(0, 11));
  });

  test.each([
    [102, 12],
    [24, 12],
    [18, 9],
    [10, 6],
    [6, 6],
    [4, 4],
  ])("of %d characters, %d in a row are too many", (length, least) => {
    expect(shortestRun(length)).toBe(least);
  });

  test("the pieces are the whole text", () => {
    const [before, hidden, after] = near.pieces(`a ${secret.slice(0, 50)} b`);
    expect([before, after]).toEqual(["a ", " b"]);
    expect(hidden).toEqual({ shown: "${A, characters 1-50 of 102}", bash: "${A:0:50}" });
  });
});

test.each(["", "a", "ab", "abc", "user:", "webhook-ops:"])(
  "a secret in base64 behind %j leaves nothing to decode",
  (before) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(`${before}whsec-0a1b2c3d4e5f and more`).toString(encoding);
      const redacted = redact(`Basic ${encoded}`);
      expect(redacted).toContain("${B in base64");
      const left = redacted
        .split(/\$\{B[^}]*\}/)
        .map((part) => Buffer.from(part.replace("Basic ", ""), "base64").toString());
      expect(left.join("|")).not.toMatch(/[0-9a-f]{6}/);
    }
  },
);

test("every occurrence goes, and text without a secret stays", () => {
  expect(redact(`${value}${value}, ${value}`)).toBe("${A}${A}, ${A}");
  expect(redact("nothing to hide: whsec-0a")).toBe("nothing to hide: whsec-0a");
});

test("a secret that holds another one is taken out whole", () => {
  const nested = redactor([
    { value: "inner-secret", variable: "IN" },
    { value: "the-inner-secret-and-more", variable: "OUT" },
  ]);
  expect(nested("the-inner-secret-and-more, inner-secret")).toBe("${OUT}, ${IN}");
});

test("an empty secret takes nothing out", () => {
  expect(formsOf("")).toEqual([]);
  expect(redactor([{ value: "", variable: "X" }])("text")).toBe("text");
});
