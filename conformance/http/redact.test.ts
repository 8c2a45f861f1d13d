import { expect, test } from "vitest";
import { formsOf, redactor } from "./redact.ts";

const value = 'p"ss/wörd+7f3a{$&}';
const placeholder = "${WEBHOOKS_SECRET_A}";
const redact = redactor([
  { value, placeholder },
  { value: "whsec-0a1b2c3d4e5f", placeholder: "${WEBHOOKS_SECRET_B}" },
]);

test.each([
  ["as it is", value],
  ["in capital letters", value.toUpperCase()],
  ["in small letters", value.toLowerCase()],
  ["in JSON", JSON.stringify(value).slice(1, -1)],
  ["in a URL", encodeURIComponent(value)],
  ["in hex", Buffer.from(value).toString("hex")],
  ["in hex, capital letters", Buffer.from(value).toString("hex").toUpperCase()],
])("a secret %s is taken out", (_, form) => {
  expect(redact(`before ${form} after`)).toBe(`before ${placeholder} after`);
});

test.each(["", "a", "ab", "abc", "user:", "webhook-ops:"])(
  "a secret in base64 behind %j leaves nothing to decode",
  (before) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(`${before}whsec-0a1b2c3d4e5f and more`).toString(encoding);
      const redacted = redact(`Basic ${encoded}`);
      expect(redacted).toContain("${WEBHOOKS_SECRET_B}");
      const left = redacted
        .split("${WEBHOOKS_SECRET_B}")
        .map((part) => Buffer.from(part.replace("Basic ", ""), "base64").toString());
      expect(left.join("|")).not.toMatch(/[0-9a-f]{6}/);
    }
  },
);

test("every occurrence goes, and text without a secret stays", () => {
  expect(redact(`${value}${value}, ${value}`)).toBe(`${placeholder}${placeholder}, ${placeholder}`);
  expect(redact("nothing to hide: whsec-0a1b")).toBe("nothing to hide: whsec-0a1b");
});

test("a secret that holds another one is taken out whole", () => {
  const nested = redactor([
    { value: "inner-secret", placeholder: "IN" },
    { value: "the-inner-secret-and-more", placeholder: "OUT" },
  ]);
  expect(nested("the-inner-secret-and-more, inner-secret")).toBe("OUT, IN");
});

test("an empty secret takes nothing out", () => {
  expect(formsOf("")).toEqual([]);
  expect(redactor([{ value: "", placeholder: "X" }])("text")).toBe("text");
});
