import { expect, test } from "vitest";
import { until } from "../test-support/until.test-support.ts";
import { freePort, TargetProcess } from "./process.ts";

const pipes = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
const started = (program: string, ...args: string[]) =>
  TargetProcess.start({ program, args, cwd: ".", env: process.env });
const node = (script: string) => started(process.execPath, "-e", script);
const sh = (script: string) => started("sh", "-c", script);

test.concurrent("an ending is named by its exit code or signal, and is unknown while the process runs", async () => {
  const [exits, dies, runs] = await Promise.all([sh("exit 9"), sh("kill -KILL $$"), sh("exec sleep 60")]);
  await Promise.all([exits.exited, dies.exited]);
  expect([exits.ending, dies.ending, runs.ending]).toEqual(["exit code 9", "signal SIGKILL", undefined]);
  await runs.stop(1000);
  expect(runs.ending).toBe("signal SIGTERM");
});

test.concurrent("a flood on stdout and stderr is bounded, and the end is what is kept", async () => {
  const line = "a line of the log with the word SECRET-7f3a in it";
  const child = await node(`
    const line = ${JSON.stringify(`${line}\n`)};
    process.stdout.write(line.repeat(20000));
    process.stderr.write(line.repeat(5000));
    process.stderr.write("the last words\\n");
  `);
  await child.exited;
  await until(() => child.stderrTail.endsWith("the last words\n"));
  expect(child.stderrTail.length).toBeLessThanOrEqual(8192);
  expect(child.stderrTail.length).toBeGreaterThan(4000);
  await child.stop(100);
});

test.concurrent("the tail begins with a whole word, so that no half of a secret is in it", async () => {
  const child = await sh("yes 'SECRET-7f3a' | head -5000 | tr '\\n' ' ' >&2; printf end >&2");
  await until(() => child.stderrTail.endsWith("end"));
  expect(child.stderrTail).toMatch(/^(SECRET-7f3a )+end$/);
  await child.stop(100);
});

test.concurrent("stopping twice, or after the end, is no fault", async () => {
  const child = await sh("exit 0");
  await child.exited;
  await child.stop(100);
  await child.stop(100);
  expect(child.ending).toBe("exit code 0");
});

test.concurrent("a target that takes its time to end is ended where its user wants the run to end", async () => {
  const stubborn = "trap '' TERM; printf ready >&2; sleep 60";
  const [before, meanwhile] = await Promise.all([sh(stubborn), sh(stubborn)]);
  await until(() => before.stderrTail === "ready" && meanwhile.stderrTail === "ready");
  const hurry = new AbortController();
  const stopping = meanwhile.stop(600_000, hurry.signal);
  hurry.abort();
  await Promise.all([stopping, before.stop(600_000, AbortSignal.abort())]);
  expect([before.ending, meanwhile.ending]).toEqual(["signal SIGKILL", "signal SIGKILL"]);
});

test("a helper that left the group does not keep the runner from ending", async () => {
  // Not concurrent: it counts the pipes of this process.
  const child = await sh("setsid sleep 60 & echo helper $! >&2");
  await child.exited;
  await until(() => child.stderrTail.includes("\n"));
  const helper = Number(child.stderrTail.split(" ")[1]);
  const before = pipes();
  await child.stop(100);
  await until(() => pipes() <= before - 2);
  process.kill(helper, "SIGKILL");
});

test("free ports can be had many at a time", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(ports.every((port) => port > 1023 && port < 65_536)).toBe(true);
});
