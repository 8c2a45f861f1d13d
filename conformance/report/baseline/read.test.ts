import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { UsageError } from "../../foundation/usage-error.ts";
import { checkBaseline } from "./read.ts";

const caseIds = ["AUTH-BEARER", "AUTH-WRONG", "BODY-SIZE"];
const head = { format: "webhooks-conformance/baseline@2", suite: "0.1.0", target: "a gateway", profile: "spec" };
const entry = { case: "AUTH-WRONG", signature: "expected 401; got 200", reason: "until 1.5" };
const baseline = (entries: readonly object[], more: object = {}) => ({ ...head, ...more, entries });
const schema = JSON.parse(readFileSync(new URL("../../schema/baseline.json", import.meta.url), "utf8")) as object;
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

function faults(value: unknown, more: { profile?: string; unfinished?: boolean } = {}): string[] {
  try {
    checkBaseline(value, "b.json", { caseIds, ...more });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [first, ...rest] = error.message.split("\n");
    expect(first).toBe("b.json cannot be used as a baseline:");
    return rest;
  }
  return [];
}

test("a right one is read, also with link, expiry and $schema, and the published schema agrees", () => {
  const full = { ...entry, link: "https://example.org/issues/1", expires: "2026-12-31" };
  const value = baseline([full, { ...entry, case: "BODY-SIZE" }], { $schema: "x" });
  expect(checkBaseline(value, "b.json", { caseIds, profile: "spec" }).entries[0]).toEqual(full);
  expect(validate(value)).toBe(true);
  expect(validate({ ...head, entries: [{ case: "A", signature: "s" }] })).toBe(false);
});

test("the faults are told in one go, each with its entry and case", () => {
  const entries = [
    { case: "AUTH-WRONG", signature: "s" },
    { case: "BODY-SIZE", signature: "s", reason: "  ", expires: "31.12.2026", colour: "red" },
    { case: "BODY-SIZE", signature: "s", reason: "r", link: "see there" },
  ];
  expect(faults({ format: head.format, suite: "0.1.0", profile: "reference", entries })).toEqual([
    "  target: Invalid input: expected string, received undefined",
    "  entries.0 (AUTH-WRONG).reason: say why the deviation is accepted",
    "  entries.1 (BODY-SIZE).reason: say why the deviation is accepted",
    "  entries.1 (BODY-SIZE).expires: Invalid ISO date",
    '  entries.1 (BODY-SIZE): Unrecognized key: "colour"',
    "  entries.2 (BODY-SIZE).link: Invalid URL",
  ]);
  const [wrong, twice] = [
    { ...entry, case: "AUTH-WRNG" },
    { ...entry, case: "BODY-SIZE" },
  ];
  expect(faults(baseline([wrong, twice, twice], { profile: "reference" }), { profile: "spec" })).toEqual([
    '  profile: it was written for "reference", the run is held to "spec"',
    '  entries.0: there is no case "AUTH-WRNG"; nearest: AUTH-WRONG',
    "  entries.2: this finding of BODY-SIZE has an entry already, entries.1",
  ]);
});

test.each([
  ["of cases that do not exist", { ...entry, case: "AUTH-WRNG" }],
  ["without a signature", { ...entry, signature: "" }],
])("of very many wrong entries %s the first are told", (_, wrong) => {
  const told = faults(baseline(Array.from({ length: 5000 }, () => wrong)));
  expect([told.length, told.at(-1)]).toEqual([21, "  and more"]);
});

test("a baseline of the format before is refused in a sentence that says what to do", () => {
  const old = { ...baseline([entry]), format: "webhooks-conformance/baseline@1" };
  const check = () => checkBaseline(old, "b.json", { caseIds });
  expect(check).toThrow(
    /b\.json cannot be used as a baseline: its entries name cases .* baseline write REPORT --out NEW-FILE/,
  );
});

test.each([
  ["a list", [], /\(whole file\): Invalid input: expected object, received array$/],
  ["a word", "hello", /expected object, received string$/],
])("%s is refused in a sentence", (_, value, message) => {
  const check = () => checkBaseline(value, "b.json", { caseIds });
  expect(check).toThrow(UsageError);
  expect(check).toThrow(message);
});
