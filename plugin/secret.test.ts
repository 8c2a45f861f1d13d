import { expect, test } from "vitest";
import { createSecretCheck } from "./secret.ts";

test.each([1, 255, 256, 257, 600])("a secret of %d bytes matches itself and nothing like it", (length) => {
  const secret = "s".repeat(length);
  const matches = createSecretCheck(secret);
  expect(matches(secret)).toBe(true);
  // The last two: what pads it and what is cut off are no part of a secret.
  for (const other of ["", secret.slice(1), `${secret}s`, `${secret.slice(1)}t`, `${secret}\0`, secret.repeat(600)])
    expect(matches(other)).toBe(false);
  expect(matches(undefined)).toBe(false);
  // A longer one before it leaves nothing behind.
  expect(matches(secret)).toBe(true);
});

test("a secret outside of ASCII is compared by its bytes in UTF-8, which node decodes as latin1", () => {
  const matches = createSecretCheck("clé à part");
  expect(matches(Buffer.from("clé à part").toString("latin1"))).toBe(true);
  expect(matches("clé à part")).toBe(false);
});

test("neither an unresolved secret nor a blank one matches anything", () => {
  for (const secret of [{ source: "env", provider: "default", id: "X" } as const, " "]) {
    const matches = createSecretCheck(secret);
    for (const presented of [undefined, "", " ", "\0".repeat(256), "[object Object]"])
      expect(matches(presented)).toBe(false);
  }
});
