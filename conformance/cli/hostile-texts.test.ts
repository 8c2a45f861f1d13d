/** Texts of others on the terminal: in complaints about arguments and files, and in the last words of a target. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { runServe } from "../../fakes/serve.ts";
import { start } from "../test-support/cli.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as baseline } from "./baseline.ts";
import type { Command } from "./command.ts";
import { command as fixtures } from "./fixtures.ts";
import { command as merge } from "./merge.ts";
import { complaint, print, tell } from "./print.ts";
import { command as render } from "./render.ts";
import { command as replay } from "./replay.ts";
import { command as run } from "./run.ts";

const marks = "\u001b]0;owned\u0007\u009b2J\u202e\r";
const hostile = `${marks}\n::error::owned\n##vso[task.complete]owned`;
// oxlint-disable-next-line no-control-regex
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u2028]|^\s*::|##\w*\[/m;

/** What the command line writes when a command fails, as `main` does. */
async function told(command: Command, ...args: string[]): Promise<string> {
  let text = "";
  const take = (piece: unknown) => ((text += String(piece)), true);
  const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockImplementation(take));
  try {
    print(`exit ${await command(args)}\n`);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof StartError)) throw error;
    tell(complaint(error, args));
  } finally {
    for (const write of writes) write.mockRestore();
  }
  expect(text).not.toMatch(acting);
  return text;
}

const lines = (text: string) => text.trimEnd().split("\n");

test.each([
  ["an option", run, [`--x${hostile}`]],
  ["a value of a few", run, ["--target", "x.json", "--fail-on", hostile]],
  ["a file", run, ["--target", `absent${hostile}.json`]],
  ["a file with its folders", run, ["--target", join("absent", hostile, "..", hostile, "x.json")]],
  ["a report", render, [`absent${hostile}`]],
])("an argument that names %s is quoted on one line, and does nothing", async (_, command, args) => {
  const text = await told(command, ...args);
  expect(text).toMatch(/^webhooks-conformance: .*owned/);
  expect(lines(text)).toHaveLength(1);
});

test.concurrent("so it is with the command itself", async () => {
  const { code, stdout, stderr } = await start([`list${hostile}`]).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("owned");
  expect(stderr).not.toMatch(acting);
  expect(lines(stderr)).toHaveLength(1);
});

test("so it is with the gateway of serve", async () => {
  const text = await told(runServe, "--config", `absent${marks}`, "--port", "0");
  expect(text).toMatch(/owned[^]*exit 2\n$/);
});

test.for<[string, string]>([
  ["no JSON", `x${marks}::error::owned`],
  ["other fields", JSON.stringify({ [hostile]: hostile, format: hostile, name: hostile })],
  ["other values", JSON.stringify({ name: "x", baseUrl: hostile, entries: [{ case: hostile }], gaps: hostile })],
  ["other clauses", JSON.stringify({ name: "x", baseUrl: "http://127.0.0.1:1", notCovered: { [hostile]: "x" } })],
])("a file with %s is complained of, and what it holds does nothing", async ([, content], { folder }) => {
  const file = join(folder, "x.json");
  await writeFile(file, content);
  const asked: readonly (readonly [Command, ...string[]])[] = [
    [run, "--target", file],
    [render, file],
    [merge, file, file],
    [baseline, "check", "--baseline", file],
    [replay, file, "--target", file],
    [fixtures, "check", "--answers", file],
    [fixtures, "--profile", file],
  ];
  const texts: string[] = [];
  for (const [command, ...args] of asked) texts.push(await told(command, ...args));
  for (const text of texts) expect(text).toMatch(/webhooks-conformance: |exit 4/);
  expect(texts.join("")).toContain("owned");
});

test("what a target that does not start has said is shown, and does nothing", async ({ folder }) => {
  const file = join(folder, "target.json");
  const command = ["sh", "-c", `printf %s "$0" >&2; exit 3`, `${hostile}\n \u3000::add-mask::owned\n`];
  await writeFile(file, JSON.stringify({ name: "x", start: { command } }));
  const text = await told(run, "--target", file, "--case", "AUTH-BEARER");
  expect(text).toContain("the target ended before it was ready (exit code 3)");
  expect(text).toContain("\\::error::owned\n#\\#vso[task.complete]owned");
});
