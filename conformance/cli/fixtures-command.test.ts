import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { call, start } from "../test-support/cli.test-support.ts";
import { playground, secrets } from "../../fixtures/playground.test-support.ts";
import { readRoute } from "../../fixtures/spread.ts";
import { missing } from "../http/programs.test-support.ts";
import { test, withFolder } from "../test-support/folder.test-support.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { command } from "./fixtures.ts";

test.each([
  [["--format", "yaml"], '--format is "yaml", expected one of: ndjson, json, curl, http, har, postman, k6'],
  [["--action", "drop_flow"], '--action is "drop_flow", expected one of: create_flow, get_flow'],
  [["--tag", "huge"], '--tag is "huge", expected one of: valid, invalid, boundary'],
  [["--count", "ten"], '--count is "ten", expected a whole number from 1'],
  [["--count", "5", "--invalid", "2"], '--invalid is "2", expected a share from 0 to 1'],
  [["--seed", "4294967296", "--count", "1"], '--seed is "4294967296", expected at most 4294967295'],
  [["--seed", "7"], "--seed is for random fixtures: give --count N as well"],
  [["--invalid", "0"], "--invalid is for random fixtures: give --count N as well"],
  [["--route", "demo=qa"], '--route is "demo=qa": expected a path that begins with "/"'],
  [["--route", "demo="], "expected a path"],
  [["--route", "demo=/a?b"], "expected a path"],
  [["--route", "two words"], "expected a path"],
  [["--route", " =/qa"], '--route is " =/qa": expected ID, or ID=/path'],
  [["--route", "other"], "other is the route of another session"],
  [["--route", "qa=/plugins/webhooks/other"], "other is the route of another session"],
  [["--route", "a", "--route", "b", "--route", "a=/qa"], '--route is "a=/qa": given before'],
  [["--route", "a", "--route", "b=/plugins/webhooks/a"], "given before"],
  [
    ["--route", "a", "--route", "A"],
    '--route is "A": given before: expected ids and paths that differ, and not by case',
  ],
  [["--route", "Other"], "other is the route of another session"],
  [["check", "--answers", "x"], "fixtures check needs --fixtures FILE"],
  [["check", "--fixtures", "x"], "and --answers FILE"],
  [["check", "--fixtures", "x", "--answers", "y", "--profile", "spec"], "Unknown option '--profile'"],
  [["check", "--fixtures", "/none", "--answers", "y"], "the fixtures /none could not be read: ENOENT"],
  [["--format", "k6", "--base-url", "http://a.test"], "--base-url is not for --format k6"],
  [["--format", "har", "--base-url", "ftp://a.test"], "--base-url: expected an http or https address"],
  [["--format", "har", "--base-url", "http://user:pw@a.test"], "without a user"],
  [["--format", "har", "--out", "folder/"], "har is written as one"],
  [["judge"], "Unexpected argument 'judge'"],
])("%j is refused with the choices", async (args, message) => {
  const running = command(args);
  await expect(running).rejects.toThrow(UsageError);
  await expect(running).rejects.toThrow(message);
});

test("recorded answers are read up to a limit", async ({ folder }) => {
  const [file, answers] = [join(folder, "fixtures.json"), join(folder, "answers.ndjson")];
  expect(await command(["--format", "json", "--count", "1", "--out", file])).toBe(0);
  await writeFile(answers, "");
  await truncate(answers, 17_000_000);
  await expect(command(["check", "--fixtures", file, "--answers", answers])).rejects.toThrow(
    `the answers ${answers} could not be read: it is longer than 16 MB`,
  );
});

test("a folder gets a file for each action and check", async ({ folder }) => {
  expect(await command(["--format", "rest", "--out", `${folder}/made/`])).toBe(0);
  const files = await readdir(join(folder, "made"));
  expect(files).toContain("create_flow.http");
  expect(files).toContain("order-of-the-checks.http");
});

test("a reader that has seen enough ends it quietly", async () => {
  const { child, ended } = start(["fixtures", "--count", "10000000"]);
  onTestFinished(() => void child.kill());
  await once(child.stdout as Readable, "data");
  child.stdout?.destroy();
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/^routes: demo, demo-2/);
});

/** What a command says on standard error. */
const remarksOf = (...args: string[]) =>
  withFolder(async (folder) => (await call(command, ...args, "--format", "json", "--out", join(folder, "f"))).told);

test("fixtures that are too many for a minute on the routes given are told, requests before them counted", async () => {
  const options = ["--count", "119", "--profile", "reference"];
  expect(await remarksOf(...options, "--route", "a")).toMatch(
    /^one route gets (1[2-9]|[2-9]\d)\d requests, too many for one minute: send them slowly, or name more routes, or none\n$/,
  );
  expect(await remarksOf(...options)).toMatch(/^routes: demo, demo-2, .*; at most (109|110) requests each/);
  expect(await remarksOf("--count", "20", "--profile", "reference", "--route", "a")).toBe("");
});

test("how many fixtures expect an answer is told where a profile leaves some open, with the profile that has more", async () => {
  expect(await remarksOf("--count", "20", "--invalid", "0", "--route", "a")).toMatch(
    /^\d+ of 20 fixtures expect an answer; of \d+ only the envelope is expected, .*: --profile reference expects more\n$/,
  );
});

test("the configuration has each route that random fixtures take", async ({ folder }) => {
  const out = join(folder, "gateway.json");
  expect(await command(["--format", "config", "--count", "100", "--out", out])).toBe(0);
  expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({
    plugins: { entries: { webhooks: { config: { routes: { demo: {}, "demo-2": {}, other: {} } } } } },
  });
});

test("own values are read from a file; a field that there is not is refused", async ({ folder }) => {
  const file = join(folder, "values.json");
  await writeFile(file, JSON.stringify({ goal: ["ganz eigenes Ziel"] }));
  const out = join(folder, "f.ndjson");
  const some = ["--count", "20", "--action", "create_flow", "--invalid", "0"];
  expect(await command([...some, "--values", file, "--out", out])).toBe(0);
  expect((await readFile(out, "utf8")).match(/ganz eigenes Ziel/g)?.length).toBe(20);
});

test.for<[string, string, string]>([
  ["a field that there is not", '{ "gaol": ["x"] }', '(whole file): Unrecognized key: "gaol"; did you mean "goal"?'],
  ["a field that names the flow", '{ "flowId": ["x"] }', '(whole file): Unrecognized key: "flowId"'],
  ["a number for a text", '{ "goal": ["x", 7] }', "goal.1: Invalid input: expected string, received number"],
  ["a blank text", '{ "goal": [" "] }', "goal.0: expected a text that is not blank"],
  ["null for a text that it does not clear", '{ "task": [null] }', "task.0: Invalid input: expected string"],
  ["another word", '{ "status": ["queud"] }', 'status.0: Invalid option: expected one of "queued"|"running"|"waiting"'],
  ["a text for a time", '{ "startedAt": ["now"] }', "startedAt.0: Invalid input: expected number"],
  ["a word for a flag", '{ "preferMetadata": ["yes"] }', "preferMetadata.0: Invalid input: expected boolean"],
  ["no list", '{ "goal": "x" }', "goal: Invalid input: expected array"],
  ["no value", '{ "goal": [] }', "goal: Too small"],
])("as an own value %s is a usage error", async ([, text, message], { folder }) => {
  const file = join(folder, "values.json");
  await writeFile(file, text);
  const running = command(["--count", "1", "--values", file]);
  await expect(running).rejects.toThrow(UsageError);
  await expect(command(["--count", "1", "--values", file])).rejects.toThrow(message);
});

const answer = (fixture: string, status: number, code?: string) =>
  JSON.stringify({
    fixture,
    status,
    body: { ok: code === undefined, routeId: "demo", result: {}, ...(code !== undefined && { code, error: "x" }) },
  });
/** The fixtures by format, made once. */
const written = new Map<string, string>();

const checked = (lines: string, format = "ndjson", edit = (text: string) => text) =>
  withFolder(async (folder) => {
    const [file, fixtures] = [join(folder, "answers.ndjson"), join(folder, "fixtures")];
    await writeFile(file, lines);
    if (!written.has(format)) {
      const some = format === "ndjson" ? [] : ["--action", "create_flow"];
      await command([...some, "--route", "demo", "--profile", "reference", "--format", format, "--out", fixtures]);
      written.set(format, await readFile(fixtures, "utf8"));
    }
    await writeFile(fixtures, edit(written.get(format) ?? ""));
    return call(command, "check", "--fixtures", fixtures, "--answers", file);
  });

const good = answer("CREATE-FLOW-SMALLEST", 200);

test("fixtures check is content with what is expected", async () => {
  const { code, text } = await checked(`${good}\n${answer("AUTH-WRONG", 401, "unauthorized")}\n`);
  expect([code, text]).toEqual([
    0,
    expect.stringMatching(/^2 as expected, 0 not, 0 not reached, \d+ without an answer\n$/),
  ]);
});

test("fixtures check names clause, fixture and difference", async () => {
  const { code, text } = await checked(`${good}\n${answer("FINISH-FLOW-STALE", 200)}\n`);
  expect(code).toBe(1);
  expect(text).toContain("REVISION-STALE, section 3:");
  expect(text).toContain(
    "  FINISH-FLOW-STALE finish_flow with the revision from before the last change\n    status 200 instead of 409\n",
  );
  expect(text).toContain("1 as expected, 1 not, 0 not reached");
});

const withOwnClause = (text: string) => text.replaceAll("REVISION-STALE", "OUR-OWN-RULE");

test("fixtures check takes a file of one's own, whatever it calls its clauses", async () => {
  const { code, text } = await checked(answer("FINISH-FLOW-STALE", 200), "ndjson", withOwnClause);
  expect([code, text]).toEqual([1, expect.stringContaining("OUR-OWN-RULE, not a clause of this suite\n")]);
});

test("fixtures check does not blame a request whose precondition failed", async () => {
  const { code, text } = await checked(
    `${answer("FINISH-FLOW-STALE/1", 503, "persist_failed")}\n${answer("FINISH-FLOW-STALE", 200)}\n`,
  );
  expect([code, text]).toEqual([
    1,
    expect.stringContaining("  FINISH-FLOW-STALE: request 1: status 503 instead of 2xx\n"),
  ]);
});

test("fixtures check refuses answers to other fixtures than those of the file", async () => {
  await expect(checked(`${good}\n${answer("GEN-7-0a1b2c-0", 200)}\n`)).rejects.toThrow(
    /\/fixtures has no fixture GEN-7-0a1b2c-0, which an answer names: give the file that was sent/,
  );
});

test("fixtures check is incomplete without any answer", async () => {
  expect(await checked("")).toMatchObject({
    code: 4,
    text: expect.stringMatching(/^nothing was judged: /) as unknown,
  });
});

test.each(["json", "curl", "http", "rest", "har", "postman", "k6"])("fixtures check reads %s again", async (format) => {
  expect(await checked(good, format)).toMatchObject({ code: 0 });
});

test("fixtures check judges what stands before a torn last line, tells the tear and is incomplete", async () => {
  const { code, text } = await checked(`${good}\n${good.slice(0, 20)}`);
  expect([code, text]).toEqual([
    4,
    expect.stringMatching(/^the last line \(2\) is torn: .*\n1 as expected, 0 not, 0 not reached, \d+ without/),
  ]);
});

test.skipIf(missing.length > 0)(
  "a random set sent by curl is checked with its script's options",
  async ({ folder }) => {
    const target = await playground(["demo", "demo-2"].map(readRoute));
    onTestFinished(() => target.close());
    const [script, answers] = [join(folder, "set.sh"), join(folder, "answers.ndjson")];
    const options = ["--count", "3", "--seed", "7", "--invalid", "0.4", "--profile", "reference"];
    await command([...options, "--format", "curl", "--out", script]);
    const env = { BASE_URL: target.url, WEBHOOKS_SECRET: secrets.secret, ANSWERS: answers };
    await promisify(execFile)("bash", [script], { env: { ...process.env, ...env } });
    const { code, text } = await call(command, "check", "--fixtures", script, "--answers", answers);
    expect([code, text]).toEqual([0, expect.stringMatching(/^\d+ as expected, 0 not, 0 not reached, \d without/)]);
    expect(await readFile(answers, "utf8")).not.toContain(secrets.secret);
  },
  60_000,
);
