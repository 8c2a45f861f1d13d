import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../foundation/usage-error.ts";
import { parseBaseline, readBaseline } from "./read.ts";

const caseIds = ["AUTH-BEARER", "AUTH-WRONG", "BODY-SIZE"];
const head = { format: "webhooks-conformance/baseline@1", suite: "0.1.0", target: "a gateway", profile: "spec" };
const entry = { case: "AUTH-WRONG", signature: "expected 401; got 200", reason: "until 1.5" };
const text = (entries: readonly object[], more: object = {}) => JSON.stringify({ ...head, ...more, entries }, null, 2);
const schema = JSON.parse(readFileSync(new URL("../../schema/baseline.json", import.meta.url), "utf8")) as object;
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

function faults(json: string, more: { profile?: string; unfinished?: boolean } = {}): string[] {
  try {
    parseBaseline(json, "b.json", { caseIds, ...more });
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
  const json = text([full, { ...entry, case: "BODY-SIZE" }], { $schema: "x" });
  expect(parseBaseline(json, "b.json", { caseIds, profile: "spec" }).entries[0]).toEqual(full);
  expect(validate(JSON.parse(json))).toBe(true);
  expect(validate({ ...head, entries: [{ case: "A", signature: "s" }] })).toBe(false);
});

test("every fault is told in one go, in the order of the lines", () => {
  const json = `{
  "format": "webhooks-conformance/baseline@1",
  "suite": "0.1.0",
  "profile": "reference",
  "entries": [
    { "case": "AUTH-WRNG", "signature": "s", "reason": "r" },
    { "case": "AUTH-WRONG", "signature": "s" },
    {
      "case": "BODY-SIZE",
      "signature": "s",
      "reason": "  ",
      "expires": "31.12.2026",
      "colour": "red"
    },
    { "case": "BODY-SIZE", "signature": "s", "reason": "r", "link": "see there" },
  ]
}
`;
  expect(faults(json, { profile: "spec" })).toEqual([
    '  line 1: the file has no "target"',
    '  line 4: profile: it was written for "reference", the run is held to "spec"',
    '  line 6: entries[0]: there is no case "AUTH-WRNG"; nearest: AUTH-WRONG',
    '  line 7: entries[1] (AUTH-WRONG) has no "reason": say why the deviation is accepted',
    "  line 11: entries[2] (BODY-SIZE).reason: say why the deviation is accepted",
    "  line 12: entries[2] (BODY-SIZE).expires: Invalid ISO date",
    '  line 13: entries[2] (BODY-SIZE): there is no field "colour"',
    "  line 15: entries[3] (BODY-SIZE).link: Invalid URL",
    "  line 15: entries[3]: BODY-SIZE has an entry already, entries[2]",
    "  line 16: not JSON: value expected",
  ]);
});

describe("what is no JSON, or no object, is told with its line", () => {
  test.each([
    ["nothing at all", "", "  line 1: not JSON: value expected"],
    ["words", "hello", "  line 1: not JSON: invalid symbol"],
    ["a list", "[]", "  line 1: not an object"],
    ["a comment", `${text([])}\n// ours`, "  line 8: not JSON: invalid comment token"],
    ["an end too early", text([entry]).slice(0, -2), "  line 12: not JSON: close brace expected"],
  ])("%s", (_, json, fault) => {
    expect(faults(json)).toContain(fault);
  });

  test("what is nested without end", () => {
    expect(() => parseBaseline("[".repeat(200_000), "b.json", { caseIds })).toThrow(UsageError);
  });
});

test("another version of the format is told with the one that is read", () => {
  const json = text([], { format: "webhooks-conformance/baseline@2" });
  expect(faults(json)).toEqual(['  line 2: format: Invalid input: expected "webhooks-conformance/baseline@1"']);
});

test("while it is being written reasons may be blank, nothing else may", () => {
  expect(faults(text([{ ...entry, reason: "" }]), { unfinished: true })).toEqual([]);
  expect(faults(text([{ ...entry, reason: "", signature: "" }]), { unfinished: true })).toHaveLength(1);
});

test("a file that is not there is named", async () => {
  await expect(readBaseline("absent.json", { caseIds })).rejects.toThrow(
    /^the baseline absent\.json could not be read: ENOENT/,
  );
});
