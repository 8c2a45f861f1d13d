import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Step } from "../story/story.ts";
import { interrupted, targetFile } from "../test-support/cli.test-support.ts";
import { gatewayFile } from "../test-support/gateway.test-support.ts";
import { createStep, replayOf } from "../test-support/replay.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as replay } from "./replay.ts";

/** The gateway of the tests takes any revision. */
const ahead: Step[] = [
  createStep,
  {
    do: "send",
    route: "route",
    body: { action: "finish_flow", flowId: { $flow: "f1" }, expectedRevision: { $revision: "f1", at: "future" } },
  },
];
test("an interrupt leaves what was shown again by then, also of a target that takes its time to end", async ({
  folder,
}) => {
  const files = [join(folder, "shown.json"), join(folder, "long.json")] as const;
  await writeFile(files[0], JSON.stringify(replayOf({ steps: ahead })));
  await writeFile(files[1], JSON.stringify(replayOf({ steps: [{ do: "pass", ms: 60_000 }, ...ahead] })));
  const command = [process.execPath, gatewayFile, "--config", "{config}", "--port", "{port}", "stubborn"];
  const slow = { start: { command, readyTimeoutMs: 10_000, stopTimeoutMs: 60_000 } };
  const args = [...files, "--live", "--target", await targetFile(folder, [], slow)];
  const began = performance.now();
  const { code, text } = await interrupted(replay, "SIGINT", /FAIL {6}REPLAY-SHOWN: expected /, ...args);
  expect(performance.now() - began).toBeLessThan(50_000);
  expect(code).toBe(130);
  expect(text).toMatch(/FAIL\s+REPLAY-SHOWN/);
  expect(text).toContain("interrupted: 1 of 2 cases were judged");
  expect(text).toMatch(/\npartial run: INTERRUPTED with profile spec \(exit 130\)\n$/);
});
