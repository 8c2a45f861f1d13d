import { expect, test } from "vitest";
import { UsageError } from "../foundation/usage-error.ts";
import { createStep, replayOf } from "../test-support/replay.test-support.ts";
import { checkReplay } from "./replay-file.ts";

const file = replayOf({
  steps: [
    createStep,
    { do: "pass", ms: 20 },
    { do: "send", route: "sibling", body: { action: "get_flow", flowId: { $flow: "f1" } } },
  ],
});

test("a replay file is read as it was written", () => {
  expect(checkReplay(file, "a.json")).toEqual(file);
});

test.each([
  [
    "another version",
    { ...file, format: "webhooks-conformance/replay@9" },
    "has the format webhooks-conformance/replay@9; this version reads",
  ],
  ["no steps", { ...file, steps: [] }, "steps: "],
  ["a step that there is not", { ...file, steps: [{ do: "wait" }] }, "steps.0"],
  ["a field by hand", { ...file, steps: [{ ...file.steps[0], headers: {} }] }, "steps.0: Unrecognized key"],
  [
    "a misspelt reference",
    {
      ...file,
      steps: [
        { do: "send", route: "route", body: { action: "a", expectedRevision: { $revision: "f1", at: "Current" } } },
      ],
    },
    '"at":"Current"} stands for nothing that a target gives',
  ],
  ["a clause that there is not", { ...file, clause: "NO-SUCH" }, "clause: "],
  ["no object", 7, "is not a replay file"],
])("%s is refused in a sentence", (_, value, message) => {
  const parse = () => checkReplay(value, "a.json");
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
});

test("what is nested too deeply is refused in a sentence", () => {
  const body = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`) as object;
  const steps = [{ do: "send", route: "route", body: { action: "a", body } }];
  expect(() => checkReplay({ ...file, steps }, "a.json")).toThrow(
    "a.json is not a replay file:\n  it is nested too deeply",
  );
});
