import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import type { Step } from "../story/story.ts";
import { start, targetFile } from "../test-support/cli.test-support.ts";
import { gatewayFile, withFolder } from "../test-support/gateway.test-support.ts";

/** The gateway of the tests takes any revision. */
const ahead: Step[] = [
  { do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "g" } },
  {
    do: "send",
    route: "route",
    body: { action: "finish_flow", flowId: { $flow: "f1" }, expectedRevision: { $revision: "f1", at: "future" } },
  },
];
const fileOf = (steps: Step[]): ReplayFile => ({
  format: REPLAY_FORMAT,
  property: "PROPERTY-REVISIONS",
  clause: "REVISION-STALE",
  expected: "a conflict",
  actual: "200 ok:true",
  seed: 1,
  run: 0,
  profile: "spec",
  target: "a gateway",
  steps,
});

test("an interrupt leaves what was shown again by then, also of a target that takes its time to end", async () => {
  await withFolder(async (folder) => {
    const files = [join(folder, "shown.json"), join(folder, "long.json")] as const;
    await writeFile(files[0], JSON.stringify(fileOf(ahead)));
    await writeFile(files[1], JSON.stringify(fileOf([{ do: "pass", ms: 60_000 }, ...ahead])));
    const command = [process.execPath, gatewayFile, "--config", "{config}", "--port", "{port}", "stubborn"];
    const slow = { start: { command, readyTimeoutMs: 10_000, stopTimeoutMs: 60_000 } };
    const running = start(["replay", ...files, "--live", "--target", await targetFile(folder, [], slow)]);
    const seen = { stderr: "" };
    running.child.stderr?.on("data", (chunk) => (seen.stderr += String(chunk)));
    try {
      await expect.poll(() => seen.stderr, { timeout: 40_000 }).toContain("FAIL      REPLAY-SHOWN: expected ");
      running.child.kill("SIGINT");
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(stdout).toMatch(/FAIL\s+REPLAY-SHOWN/);
      expect(stdout).toContain("interrupted: 1 of 2 cases were judged");
      expect(stdout).toMatch(/\npartial: INTERRUPTED with profile spec \(exit 130\)\n$/);
    } finally {
      running.child.kill("SIGKILL");
    }
  });
}, 60_000);
