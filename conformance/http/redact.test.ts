import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { redactor } from "./redact.ts";
import { formsOf, shortestRun } from "./secret-forms.ts";

const value = 'p"ss/wörd+7f3a{$&}';
const bytes = Buffer.from(value);
const hex = bytes.toString("hex");
const points = (write: (point: number) => string, between = "") =>
  Array.from(value, (character) => write(character.codePointAt(0) ?? 0)).join(between);
const redact = redactor([
  { value, variable: "A" },
  { value: "whsec-0a1b2c3d4e5f", variable: "B" },
]);

test.each([
  ["", value],
  [" in capital letters", value.toUpperCase()],
  [" escaped for JSON", JSON.stringify(value).slice(1, -1)],
  [" escaped for a URL", encodeURIComponent(value)],
  [" escaped for HTML", "p&quot;ss/wörd+7f3a{$&amp;}"],
  [" with HTML's names of marks", "p&quot;ss&sol;wörd&plus;7f3a&lcub;&dollar;&amp;&rcub;"],
  [" reversed", Array.from(value).toReversed().join("")],
  [" in hex", hex],
  [" in hex, in capital letters", hex.toUpperCase()],
  [" in percent form", hex.replace(/../g, "%$&")],
  [" in base64", bytes.toString("base64")],
  [" in base64 of UTF-16", Buffer.from(value, "utf16le").toString("base64")],
  [" in base64, twice", Buffer.from(bytes.toString("base64")).toString("base64")],
  [" as SHA-256 in hex", createHash("sha256").update(value).digest("hex")],
  [" as SHA-256 in base64", createHash("sha256").update(value).digest("base64")],
  [" escaped for a URL, twice", encodeURIComponent(encodeURIComponent(value))],
])("a secret is taken out, and the form is named:%s", (name, form) => {
  expect(redact(`before ${form} after`)).toBe(`before \${A${name}} after`);
});

const octal = (byte: number) => byte.toString(8).padStart(3, "0");
const pieces = " in hex, in pieces";
const behindX = " in hex, each behind an x";
const behind0x = " in hex, each behind 0x";
const between = " with other characters between";
const each = (write: (byte: number) => string, with_ = "") => Array.from(bytes, write).join(with_);
const inHex = (byte: number) => byte.toString(16).padStart(2, "0");

test.each<[string, string]>([
  ...[" ", "-", ".", ",", "_", "  ", "\n", "\r\n", "\u200b", "\ufeff", " | ", "=\n"].map((sign): [string, string] => [
    between,
    Array.from(value).join(sign),
  ]),
  [pieces, hex.replace(/.{4}(?=.)/g, "$& ")],
  ...[" ", ":", "-", ",", ", ", "\n", "="].map((sign): [string, string] => [pieces, each(inHex, sign)]),
  [pieces, each(inHex, ":").toUpperCase()],
  [behindX, each((byte) => `\\x${inHex(byte)}`)],
  [behindX, each((byte) => `\\\\x${inHex(byte).toUpperCase()}`)],
  [behindX, each((byte) => `&#x${inHex(byte)};`)],
  [behind0x, each((byte) => `0x${inHex(byte)}`, ", ")],
  [" in percent form, twice", each((byte) => `%25${inHex(byte)}`)],
  [" in decimal numbers", each((byte) => `&#${byte};`)],
  [" in decimal numbers", each(String, ",")],
  [" in decimal numbers", each(String, " ")],
  [" in octal numbers", each((byte) => `\\${octal(byte)}`)],
  [" in octal numbers", each(octal, " ")],
  [" in \\u escapes", points((point) => `\\u${point.toString(16).padStart(4, "0")}`)],
])("whatever stands between its characters a secret is taken out:%s, %j", (name, form) => {
  const left = redact(`before ${form} after`);
  expect(left).toContain(`\${A${name}`);
  // What stands before the first and behind the last letter or digit is left.
  expect(left).toMatch(/^before .{0,6}(\$\{A[^}]*\})+.{0,40} after$/s);
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
  "in base64 behind %j nothing is left to decode",
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
  expect(redact(`${value}${value}, whsec-0a`)).toBe("${A}${A}, whsec-0a");
});

test("a secret that holds another one is taken out whole", () => {
  const nested = redactor([
    { value: "inner-secret", variable: "IN" },
    { value: "the-inner-secret-and-more", variable: "OUT" },
  ]);
  expect(nested("the-inner-secret-and-more, inner-secret")).toBe("${OUT}, ${IN}");
});

test("of a secret written character by character, as many in a row are taken out as of the secret itself", () => {
  const secret = `whsec-${createHash("sha384").update("any").digest("hex")}`;
  const taken = redactor([{ value: secret, variable: "A" }]);
  for (const write of [
    (text: string) => text.split("").join("-"),
    (text: string) => [...Buffer.from(text)].join(","),
    (text: string) => [...Buffer.from(text)].map((byte) => `&#x${inHex(byte)};`).join(""),
    (text: string) => [...Buffer.from(text)].map((byte) => `\\${octal(byte)}`).join(""),
  ])
    for (let from = 0; from + 12 <= secret.length; from += 3) {
      const [eight, twelve] = [8, 12].map((count) => write(secret.slice(from, from + count)));
      expect(taken(`<${twelve}>`)).toMatch(/^<.{0,6}\$\{A[^{}]*\}.{0,6}>$/);
      if (from === 0) expect(taken(`<${eight}>`)).toBe(`<${eight}>`);
    }
});

test("texts of 400,000 characters are searched in time that grows with their length, whatever they are made of", () => {
  const secrets = Array.from({ length: 60 }, (_, index) => ({
    value: `whsec-${createHash("sha384").update(`${index}`).digest("hex")}`,
    variable: `S${index}`,
  }));
  const many = redactor(secrets);
  many("the index is made at the first text");
  const [{ value: first } = { value: "" }] = secrets;
  const made = [
    "<a href='/x?a=1&amp;b=2'>whsec-</a>\n",
    "whsec-",
    first.slice(0, 11),
    "0123456789abcdef",
    "119,104,115,101,99,45,",
    "&#119;&#104;&#115;&#101;&#99;&#45;",
    "\\u0077\\u0068\\u0073\\u0065\\u0063\\u002d",
    "a",
    `${first} `,
    `${[...Buffer.from(first)].join(",")};`,
  ];
  for (const piece of made) {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    const before = process.cpuUsage().user;
    many(text);
    // Some 8 ms on a quiet machine; with a table of every place of every form it was above 400.
    expect((process.cpuUsage().user - before) / 1000, piece.slice(0, 20)).toBeLessThan(240);
  }
});

test("an empty secret takes nothing out", () => {
  expect(formsOf("")).toEqual([]);
  expect(redactor([{ value: "", variable: "X" }])("text")).toBe("text");
});
