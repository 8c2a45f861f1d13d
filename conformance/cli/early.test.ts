/** Failures while a run goes on: told as they come, and enough of them end it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { reportSchema } from "../report/report.ts";
import { call, interrupted, targetFile } from "../test-support/cli.test-support.ts";
import { FEW_PROBES } from "../test-support/gateway.test-support.ts";
import { redact, resultOf, secret } from "../test-support/report.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { bail, withLive } from "./early.ts";
import { command as run } from "./run.ts";

/** The gateway of the tests does not look at the method; the other case lets 18 seconds pass. */
const cases = ["--case", "METHOD-PUT", "--case", "BODY-DRIP-15-SECONDS"];
const reportIn = async (file: string) => reportSchema.parse(JSON.parse(await readFile(file, "utf8")));

test("after enough failures the run ends, with a part's verdict", async ({ folder }) => {
  const out = join(folder, "report.json");
  const target = await targetFile(folder, [], FEW_PROBES);
  const args = ["--target", target, ...cases, "--bail", "1", "--report", `json=${out}`];
  const { code, text } = await call(run, ...args);
  expect(code).toBe(1);
  const report = await reportIn(out);
  expect(report.results.map(({ id, outcome }) => [id, outcome])).toEqual([["METHOD-PUT", "fail"]]);
  expect(report).toMatchObject({
    stopped: "stopped after the first failure, as --bail asked",
    verdict: { judgement: "not conformant", partial: true, exitCode: 1 },
  });
  expect(text).toContain("partial run: stopped after the first failure, as --bail asked: 1 of ");
});

test("command, report and print have a signal's exit code", async ({ folder }) => {
  const out = join(folder, "report.json");
  const args = ["--target", await targetFile(folder, [], FEW_PROBES), ...cases, "--live", "--report", `json=${out}`];
  const told = /^FAIL {6}METHOD-PUT: expected .*; got /m;
  const { code, text } = await interrupted(run, "SIGTERM", told, ...args);
  expect(code).toBe(143);
  expect(text).toMatch(/\npartial run: INTERRUPTED with profile spec \(exit 143\)\n$/);
  expect((await reportIn(out)).verdict).toMatchObject({ judgement: "interrupted", exitCode: 143 });
});

const failing = (id: string, more = {}) =>
  resultOf({ id, outcome: "fail", expected: "x", actual: `${secret}\u001b[2J\n::error::owned`, ...more });

test("a failure is told on one line, with no secret and nothing that acts", () => {
  const lines: string[] = [];
  const onResult = withLive({ onResult: () => {}, onNotice: (line) => void lines.push(line) }, true);
  onResult(failing("A"), 3, redact);
  onResult(resultOf({ id: "B" }), 3, redact);
  onResult(resultOf({ id: "C", outcome: "unreached", reason: "x" }), 3, redact);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^FAIL {6}A: expected x; got \$\{WEBHOOKS_SECRET_LANE_01\}\\u001b\[2J\\u000[ad]/);
});

test("only failures that turn the run red are enough, and none that the baseline may know", () => {
  const enough = bail(2, "must", ["KNOWN"]);
  const steps = [
    resultOf({ id: "PASSES" }),
    failing("KNOWN"),
    failing("GAP", { level: "gap" }),
    failing("WARNS", { level: "should", outcome: "warn" }),
    resultOf({ id: "ERRED", outcome: "error", reason: "x" }),
    failing("ONE"),
  ];
  for (const step of steps) enough.count(step);
  expect(enough.signal.aborted).toBe(false);
  enough.count(failing("TWO"));
  expect(enough.signal.aborted).toBe(true);
  expect(enough.reason()).toBe("stopped after 2 failures, as --bail asked");
});
