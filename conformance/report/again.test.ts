import { expect, test } from "vitest";
import { reportWith, resultOf } from "../test-support/report.test-support.ts";
import { againFor, replayCommand, runCommand } from "./again.ts";

const run = runCommand({
  subject: ["--target", "my targets/a'b.json"],
  profile: "house.json",
  allowHosts: ["10.0.0.7"],
});

test("a target is judged again with what it was held to, each word as bash takes it", () => {
  const words = `--target 'my targets/a'\\''b.json' --profile house.json --allow-host 10.0.0.7`;
  expect(run).toBe(`webhooks-conformance run ${words}`);
  expect(replayCommand("found here/a.json", run)).toBe(`webhooks-conformance replay 'found here/a.json' ${words}`);
  expect(runCommand({ subject: ["--target", "t.json"] })).toBe("webhooks-conformance run --target t.json");
});

const again = "webhooks-conformance run --target t.json";
/** The command for the one result of a run with these seeds. */
const forOne = (more: Parameters<typeof resultOf>[0], seeds?: number[]) => {
  const { results } = reportWith([resultOf({ outcome: "unreached", reason: "too slow", ...more })]);
  const [result] = results;
  if (result === undefined) throw new Error("no result");
  return againFor(result, { again, ...(seeds && { depth: { seeds } }) });
};

test("what was generated is asked for again with its seed, what follows an example without", () => {
  expect(forOne({ id: "PROPERTY-ORDER" }, [7])).toBe(`${again} --case PROPERTY-ORDER --seed 7`);
  expect(forOne({ id: "AUTH-WRONG" }, [7])).toBe(`${again} --case AUTH-WRONG`);
  expect(forOne({ id: "PROPERTY-ORDER" })).toBe(`${again} --case PROPERTY-ORDER`);
});

test("the case of a replay file is that file sent again, whatever its id", () => {
  expect(forOne({ id: "REPLAY-A", file: "found/a.json" }, [7])).toBe(
    "webhooks-conformance replay found/a.json --target t.json",
  );
});
