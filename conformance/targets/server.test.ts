import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { gateway, IN_PROCESS, inProcess, isGone } from "../test-support/gateway.test-support.ts";
import { handlerWith } from "../test-support/handler.test-support.ts";
import { scripted } from "../test-support/scripted.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { freshKeyring } from "./keyring.ts";
import { Server } from "./server.ts";
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { checkTarget, type Target } from "./target-file.ts";

const start = (target: Target) => Server.start({ target, variant: "standard", keyring: freshKeyring("{name}") });

async function startError(target: Target): Promise<StartError> {
  try {
    await (await start(target)).stop();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("the target started");
}

test.concurrent("a target that never opens its port is given up at the ready timeout, with its stderr", async () => {
  const started = performance.now();
  const error = await startError(gateway(["never-listens"], { start: { readyTimeoutMs: 1500 } }));
  expect(error.message).toMatch(
    /^the target gave no HTTP answer on http:\/\/127\.0\.0\.1:\d+ within 1500 ms \(last: connection refused\)$/,
  );
  expect(error).toMatchObject({ stderrTail: "gateway: starting\n", exited: false });
  expect(performance.now() - started).toBeLessThan(6000);
});

// Not concurrent: the server is closed at the end of its test.
test("a target that runs already gets as long for its first answer as for any other", async () => {
  // Longer than a target that is still starting is waited for at a time.
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"ok":false}';
  const { origin } = await scripted((socket) => void setTimeout(() => socket.write(answer), 2300));
  const server = await start(checkTarget({ name: "slow", baseUrl: origin }, ".", "the test's target"));
  expect(server.note).toBeUndefined();
  await server.stop();
});

test.concurrent("a target that exits at once is not waited for, and its last words are kept", async () => {
  const error = await startError(gateway(["exit-at-start"]));
  // One that was waited for gave no HTTP answer.
  expect(error.message).toBe("the target ended before it was ready (exit code 3)");
  expect(error).toMatchObject({ exited: true, stderrTail: "gateway: starting\ngateway: refusing to start\n" });
});

test.concurrent("the last words of a target that logs to stdout alone are kept, too", async () => {
  const command = ["sh", "-c", "echo 'no such key: routes'; exit 4"];
  const error = await startError(gateway([], { start: { command } }));
  expect(error).toMatchObject({ exited: true, stderrTail: "no such key: routes\n" });
});

test.concurrent.each([
  ["no such program", { command: ["no-such-program-here"] }, "no-such-program-here (in .): spawn no-such-program-here"],
  ["no such folder", { cwd: "no/such/folder" }, "(in no/such/folder)"],
  ["a NUL in an argument", { command: ["node", "a\0b"] }, "must be a string without null bytes"],
  ["more than the system takes", { env: { A: "a".repeat(4_000_000) } }, "spawn E2BIG"],
])("a start command that cannot be run is named: %s", async (_, more, why) => {
  const { message } = await startError(gateway([], { start: more }));
  expect(message).toMatch(/^the start command could not be run: /);
  expect(message).toContain(why);
});

test.concurrent("a place for secrets that cannot be written is the user's to mend", async () => {
  const secretSources = { file: { file: "{stateDir}/config.json/{id}" }, exec: { file: "{stateDir}/config.json" } };
  await expect(start(gateway([], { secretSources }))).rejects.toThrow(UsageError);
});

test.concurrent("a field of the start command that nothing fills in is named when the start fails", async () => {
  const error = await startError(gateway(["exit-at-start", "{configFile}"]));
  expect(error.message).toBe(
    "the target ended before it was ready (exit code 3); its start command holds {configFile}, " +
      "which the kit does not fill in: it knows {config} {port} {controlPort} {stateDir} {clock}",
  );
});

test.concurrent("a control port that does not answer keeps the target from being judged", async () => {
  const error = await startError(gateway([], { control: "http://127.0.0.1:{controlPort}" }));
  expect(error.message).toMatch(/^the control port's GET \/capabilities was not answered: connection refused/);
});

test.concurrent.each([
  ["answers without the envelope", handlerWith("no-envelope")],
  ["answers without the envelope, and then no more", handlerWith("answers-once")],
])("a target that %s is judged as it is, with a remark", async (_, served) => {
  const server = await start(inProcess({ start: { ...IN_PROCESS, readyTimeoutMs: 1000 } }, served));
  expect(server.note).toBe(
    "a correct POST to /plugins/webhooks/probe was answered 200 without a JSON object, never with the envelope; judged as it is",
  );
  await server.stop();
});

test.concurrent("stopping leaves neither the state folder nor the process behind", async () => {
  const server = await start(gateway());
  expect(JSON.parse(await readFile(join(server.stateDir, "config.json"), "utf8"))).toEqual(
    server.configuration.document,
  );
  await server.stop();
  await expect(readFile(join(server.stateDir, "config.json"))).rejects.toThrow("ENOENT");
  expect(server.ending).toBe("signal SIGTERM");
});

test.concurrent("stopping ends the whole group: a target deaf to SIGTERM, and its helper", async ({ folder }) => {
  const file = join(folder, "helper");
  const server = await start(gateway(["stubborn", `helper=${file}`]));
  const helper = Number(await readFile(file, "utf8"));
  expect(await isGone(helper)).toBe(false);
  const started = performance.now();
  await server.stop();
  expect(server.ending).toBe("signal SIGKILL");
  expect(performance.now() - started).toBeGreaterThan(250);
  await until(() => isGone(helper));
});

test.concurrent("a helper that outlives the target that started it goes with it", async ({ folder }) => {
  const file = join(folder, "helper");
  await startError(gateway([`helper=${file}`, "exit-after-helper"]));
  const helper = Number(await readFile(file, "utf8"));
  await until(() => isGone(helper));
});
