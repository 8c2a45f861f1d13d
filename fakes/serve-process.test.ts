import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folderWith } from "./folder.test-support.ts";

const dir = folderWith();

const main = join(import.meta.dirname, "..", "dist", "conformance", "cli", "main.js");

/** The built command. */
const run = (args: string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [main, "serve", ...args], {
    env: { ...process.env, ...env },
    // Longer than the test may take: a failed test leaves no server behind.
    timeout: 180_000,
    killSignal: "SIGKILL",
  });
  const seen = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (seen.stdout += String(bytes)));
  child.stderr.on("data", (bytes) => (seen.stderr += String(bytes)));
  return { child, seen, exited: once(child, "close") };
};

test.for<[string, string, string]>([
  [
    "an exception",
    'const timer = () => {\n  throw new Error("no socket");\n};\nsetTimeout(timer, 20);',
    "no socket (FILE:2:9)",
  ],
  ["what is no error", "setTimeout(() => {\n  throw 7;\n}, 20);", "7"],
])("%s that nothing catches is the plugin's, without a stack", async ([, code, told]) => {
  const [file, config] = [join(dir, "uncaught.mjs"), join(dir, "uncaught.json")];
  await writeFile(file, `${code}\nexport default { id: "mine", register() {} };`);
  await writeFile(config, "{}");
  const { seen, exited } = run(["--config", config, "--port", "0", "--plugin", file]);
  expect(await exited).toEqual([1, null]);
  const where = told.replace("FILE", file);
  expect(seen.stderr.split("\n").slice(-2)).toEqual([`The plugin ${file} threw what nothing caught: ${where}`, ""]);
});

// Windows has neither SIGHUP nor a SIGTERM that a process can handle.
const testSignals = test.skipIf(process.platform === "win32");

testSignals("a process of its own serves a plugin, reloads and ends with nothing left open", async () => {
  const file = join(dir, "config.json");
  const plugin = join(dir, "plugin.mjs");
  const secret = { source: "env", provider: "default", id: "TOKEN" };
  const entries = { mine: { config: { routes: { a: { secret } }, generation: 1 } } };
  await writeFile(file, JSON.stringify({ plugins: { entries } }));
  await writeFile(
    plugin,
    `export default { id: "mine", register(api) {
       const handler = async (_, response) => Boolean(response.end(JSON.stringify(api.pluginConfig)));
       api.registerHttpRoute({ path: "/config", auth: "plugin", match: "exact", replaceExisting: true, handler });
     } };`,
  );
  const { child, seen, exited } = run(["--config", file, "--port", "0", "--plugin", plugin], { TOKEN: "hunter2" });
  const port = await vi.waitFor(
    () => Number(/^listening on http:\/\/127\.0\.0\.1:(\d+)\n$/.exec(seen.stdout)?.[1] ?? expect.fail(seen.stderr)),
    60_000,
  );
  const served = async () => (await fetch(`http://127.0.0.1:${port}/config`)).json();
  expect(await served()).toEqual({ routes: { a: { secret: "hunter2" } }, generation: 1 });

  entries.mine.config.generation = 2;
  await writeFile(file, JSON.stringify({ plugins: { entries } }));
  child.kill("SIGHUP");
  await vi.waitFor(async () => expect(await served()).toMatchObject({ generation: 2 }), 60_000);

  const idle = connect(port, "127.0.0.1")
    .on("error", () => undefined)
    .resume();
  await once(idle, "connect");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  if (!idle.closed) await once(idle, "close");
  expect(seen.stderr).not.toContain("hunter2");
});
