/** What people get wrong, and what they ask for: a line or two and an exit code, never a stack. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { cases } from "../catalogue.ts";
import { suiteVersion } from "../foundation/suite-version.ts";
import { clauseIds } from "../interface/clauses/index.ts";
import { call, start, targetFile } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import type { Command } from "./command.ts";
import { commandLine } from "./command-line.ts";
import { commands, helpOf } from "./commands.ts";
import { command as config } from "./config.ts";
import { command as explain } from "./explain.ts";
import { command as list } from "./list.ts";
import { command as profile } from "./profile.ts";
import { command as run } from "./run.ts";
import { command as serve } from "./serve.ts";

const usageError = (command: Command, ...args: string[]) => complaintOf(() => command(args));

/** What a command prints, exit 0. */
async function printed(command: Command, ...args: string[]): Promise<string> {
  const { code, text } = await call(command, ...args);
  expect(code).toBe(0);
  return text;
}

test("help for an unknown command is told with the one that was meant", async () => {
  const message = 'there is no command "rnu"; did you mean "run"? (--help lists them)';
  expect(await usageError(commandLine, "help", "rnu")).toBe(message);
});

test.concurrent("a fault of the kit itself is no verdict: exit 4, its place, and nothing that acts", async () => {
  const torn = 'process.stdout.write = () => { throw new Error("torn \\x1b[2J") }';
  const preloaded = `--import=data:text/javascript,${encodeURIComponent(torn)}`;
  const { code, stdout, stderr } = await start(["--version"], { NODE_OPTIONS: preloaded }).ended;
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toMatch(
    /^webhooks-conformance: a fault of the kit itself, please report it\nError: torn \\u001b\[2J\n +at /,
  );
});

test("an option that is wrong is told in a line, with what it takes or where help is", async () => {
  const help = "(see: webhooks-conformance run --help)";
  expect(await usageError(run, "--colour")).toBe(`Unknown option '--colour' ${help}`);
  expect(await usageError(run, "--target")).toBe(`Option '--target <value>' argument missing ${help}`);
  expect(await usageError(run, "--plugn", "x.js")).toBe(`Unknown option '--plugn'; did you mean "--plugin"? ${help}`);
  expect(await usageError(run, "./plugin.js")).toBe(
    `Unexpected argument './plugin.js'; did you mean --plugin ./plugin.js or --target ./plugin.js? ${help}`,
  );
  expect(await usageError(run, "t.json")).toBe(`Unexpected argument 't.json'; did you mean --target t.json? ${help}`);
  expect(await usageError(config, "t.txt")).toMatch(/^Unexpected argument 't.txt' \(see: /);
  expect(await usageError(list, "t.json")).toMatch(/^there is no case "t.json"/);
  const few = await usageError(run, "--target", "x.json", "--fail-on", "may");
  expect(few).toBe('--fail-on is "may", expected one of: must, gap, should');
});

test("of an option that takes one value, a second is refused and not dropped; a flag or a list may come again", async () => {
  const twice = "is given more than once, but takes one value: give it once (see: webhooks-conformance run --help)";
  expect(await usageError(run, "--plugin", "absent.js", "--plugin", "x.js")).toBe(`--plugin ${twice}`);
  expect(await usageError(run, "--profile=spec", "--target", "t.json", "--profile", "spec")).toBe(`--profile ${twice}`);
  const lists = ["--quick", "--quick", "--case", "METHOD-*", "--case", "AUTH-*", "--target", "absent.json"];
  expect(await usageError(run, ...lists)).toMatch(/^absent\.json could not be read/);
  const served = await usageError(serve, "--config", "a.json", "--config", "b.json", "--port", "0");
  expect(served).toMatch(/^--config is given more than once/);
});

test("another machine is refused, with the option that allows it", async ({ folder }) => {
  const file = join(folder, "t.json");
  await writeFile(file, '{ "name": "x", "baseUrl": "http://192.0.2.1:8080" }');
  expect(await usageError(run, "--target", file)).toBe(
    "baseUrl names 192.0.2.1, which is not this machine; the suite floods and stalls its target.\n" +
      "If you may do that there: --allow-host 192.0.2.1 (in the library: allowHosts)",
  );
});

test("a control port that is no URL is told as written, a start's ports in it are none of its faults", async ({
  folder,
}) => {
  const file = join(folder, "t.json");
  const written = (control: string) =>
    writeFile(file, JSON.stringify({ name: "x", start: { command: ["no-such-program"] }, control }));
  await written("http://127.0.0.1:{controlport}");
  expect(await usageError(run, "--target", file)).toBe(
    "control is http://127.0.0.1:{controlport}, which is no URL: expected one such as http://127.0.0.1:{controlPort}",
  );
  await written("http://127.0.0.1:{port}");
  await expect(run(["--target", file])).rejects.toThrow("the start command could not be run: no-such-program");
});

test("a report that cannot be written is told before the run, not after it", async ({ folder }) => {
  const out = join(folder, "no", "such", "report.json");
  const args = ["--target", await targetFile(folder, ["exit-at-start"]), "--report", `json=${out}`];
  expect(await usageError(run, ...args)).toMatch(/^--report json=.*report\.json could not be written: ENOENT/);
});

const shards = ["3", "0/3", "4/3", "1/0", "a/b", "1/3/5", "-1/3"].map(
  (given) => [[`--shard=${given}`], `--shard is "${given}", expected I/N with I from 1 to N, such as 2/3`] as const,
);

test.for<readonly [readonly string[], string | RegExp]>([
  ...shards,
  [["--section", "x"], /^--section is "x"/],
  [["--bail", "0"], '--bail is "0", expected a whole number from 1'],
  [["--runs", "0"], '--runs is "0", expected a whole number from 1'],
  [["--bail", "1", "--shard", "1/2"], "--bail and --shard exclude each other, as merge takes whole shards only"],
  [["--shard", "1/2", "--replays", "x"], /^--replays and --shard exclude each other, .*\n.* replay FILE\.\.\. /],
  [["--runs", "2", "--quick"], "--quick leaves out the PROPERTY cases, which --runs is for"],
])("run %j is refused", async ([more, message], { folder }) => {
  const text = await usageError(run, "--target", await targetFile(folder), ...more);
  if (typeof message === "string") expect(text).toBe(message);
  else expect(text).toMatch(message);
});

test("a folder that takes no replay files is told before the run, not after it", async ({ folder }) => {
  const target = await targetFile(folder, ["exit-at-start"]);
  const text = await usageError(run, "--target", target, "--keep", join(target, "found"));
  expect(text).toMatch(/^--keep .*found: ENOTDIR/);
  expect(await usageError(run, "--target", target, "--keep", target)).toMatch(/^--keep .*: ENOTDIR/);
  // A system folder where recursive mkdir never ends.
  if (process.platform === "linux")
    expect(await usageError(run, "--target", target, "--keep", "/proc/found")).toMatch(/^--keep .*found: ENOENT/);
});

test("config asks for a folder, and names one that cannot be written", async ({ folder }) => {
  expect(await usageError(config)).toBe(
    "config needs --out DIR, such as: webhooks-conformance config --out conformance-config",
  );
  await writeFile(join(folder, "file"), "");
  const out = join(folder, "file", "folder");
  expect(await usageError(config, "--out", out)).toMatch(/file\/folder could not be written: ENOTDIR/);
});

test("explain asks for a case, and tells the nearest ids of one that is not there", async () => {
  const asks = "explain needs a case id or a pattern; webhooks-conformance list shows the ids";
  expect(await usageError(explain)).toBe(asks);
  expect(await usageError(explain, "BODY-DRIP")).toMatch(/^there is no case "BODY-DRIP"; nearest: /);
});

test("list and explain take patterns", async () => {
  const { text } = await call(list, "METHOD-P*", "METHOD-GET");
  expect(text.split("\n").map((line) => line.split(" ")[0])).toEqual(
    expect.arrayContaining(["METHOD-PUT", "METHOD-GET"]),
  );
  expect(text).not.toContain("AUTH-");
  const explained = await call(explain, "METHOD-P*", "--json");
  expect(JSON.parse(explained.text)).toEqual(expect.arrayContaining([expect.objectContaining({ id: "METHOD-PUT" })]));
});

test("help is an answer: exit 0, on standard output", async () => {
  const overview = await call(commandLine, "--help");
  expect(overview).toMatchObject({ code: 0, told: "" });
  const { summary: judges } = commands["run"] as (typeof commands)[string];
  const help = { code: 0, told: "", text: `${judges}\n\n${await helpOf("run", process.stdout.columns)}\n` };
  expect(await call(commandLine, "run", "--help")).toEqual(help);
  for (const [name, { summary }] of Object.entries(commands)) {
    expect(overview.text).toContain(`  ${name.padEnd(8)} ${summary}\n`);
  }
});

describe.each(Object.entries(commands))("the help of %s", (name, { load }) => {
  test("names the command, in lines that a terminal holds", async () => {
    const usage = await helpOf(name);
    expect(usage.startsWith(`usage: webhooks-conformance ${name}`)).toBe(true);
    expect(usage.split("\n").filter((line) => line.length > 88)).toEqual([]);
  });

  test("ends with examples of the command, of options that it names", async () => {
    const usage = await helpOf(name);
    const [above = "", examples = ""] = usage.split("\nexamples\n");
    const lines = examples.split("\n");
    for (const line of lines) expect(line).toMatch(new RegExp(`^  (\\w+=\\S+ )?webhooks-conformance ${name}\\b`));
    for (const [option] of examples.replaceAll(/'[^']*'/g, "").matchAll(/--[a-z-]+/g)) expect(above).toContain(option);
  });

  test("names every option that the command reads, and no other", async () => {
    const { options } = (await load()) as { readonly options?: object };
    if (options === undefined) return;
    const said = (await helpOf(name))
      .split("\nexamples\n")[0]
      ?.match(/^ {2}--[a-z-]+|\[--[a-z-]+|(?<=[A-Z]\]? )--[a-z-]+/gm);
    const names = new Set(said?.map((text) => text.replace(/^[ [-]+/, "")));
    expect(Object.keys(options).filter((option) => !names.has(option))).toEqual([]);
    expect([...names].filter((option) => !(option in options))).toEqual([]);
  });
});

test("the help of serve gives the defaults of its flags", async () => {
  expect(await helpOf("serve")).toContain("(default 8080)");
});

test("the version is that of the package", async () => {
  expect(await call(commandLine, "--version")).toEqual({ code: 0, told: "", text: `${suiteVersion()}\n` });
});

test("no command at all is a usage error that shows the overview", async () => {
  const { code, text } = await call(commandLine);
  expect({ code, help: text.includes("exit codes: 0 conformant") }).toEqual({ code: 2, help: true });
});

test("list gives a line per case: id, level, requests, title", async () => {
  const lines = (await printed(list)).trimEnd().split("\n");
  expect(lines.map((line) => line.split(/\s+/)[0])).toEqual(cases.map(({ id }) => id));
  expect(lines.every((line) => /^[A-Z0-9-]+ +(must|should|gap) +\d+ +\S.*\S$/.test(line))).toBe(true);
});

test("list --clauses gives each clause with its text and its cases, or why no case can judge it", async () => {
  const text = await printed(list, "--clauses");
  expect(text.match(/^[A-Z]\S+ \((must|should|gap), section [1-9]\)$/gm)).toHaveLength(clauseIds.length);
  expect(text).toContain("METHOD-POST (must, section 4)\n  Only POST is let in.\n  cases    METHOD-GET ");
  expect(text).toMatch(/ {2}cases {4}none: How a gateway installs its plugins/);
  expect(await usageError(list, "--clauses", "--json")).toBe("list takes --json or --clauses, not both");
});

test("list and explain give the same as data", async () => {
  const listed = JSON.parse(await printed(list, "--json")) as { readonly id: string; readonly clauses: unknown[] }[];
  expect(listed.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
  const one = JSON.parse(await printed(explain, "BODY-DRIP-15-SECONDS", "--json")) as unknown;
  expect(listed.find(({ id }) => id === "BODY-DRIP-15-SECONDS")).toEqual(one);
  expect(one).toMatchObject({
    level: "must",
    clauses: [{ id: "BODY-TIME", section: 8, text: "A body has 15 seconds to arrive." }, { id: "ANSWER-DELIVERED" }],
    seconds: 18,
  });
});

test("explain says what a case judges and how its clause was read", async () => {
  const text = await printed(explain, "BODY-DRIP-15-SECONDS");
  expect(text).toMatch(/^BODY-DRIP-15-SECONDS \(must\)\n {2}\S/);
  expect(text).toMatch(/\n {2}clause {3}BODY-TIME, section 8: A body has 15 seconds to arrive\.\n/);
  expect(text).toMatch(/\n {2}takes {4}18 s, or drives the clock\n/);
  expect(await printed(explain, "BODY-15-SECONDS")).toMatch(/\n {2}clock {4}detects more where/);
  expect(await printed(explain, "STATES-RUN-TASK")).toMatch(
    /\n {2}factor {3}read: the session; the flow; the flow's token\n/,
  );
});

test("every case can be explained, in 80 columns", async () => {
  for (const { id } of cases) {
    const text = await printed(explain, id);
    expect(text.startsWith(`${id} (`)).toBe(true);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  }
});

test.each([
  ["no verb", [], "profile has one command: profile learn (see: webhooks-conformance profile --help)"],
  [
    "another verb",
    ["lern", "--target", "x.json"],
    "profile has one command: profile learn (see: webhooks-conformance profile --help)",
  ],
  [
    "no target",
    ["learn"],
    "profile learn needs --plugin FILE for a plugin, or --target FILE for a gateway; webhooks-conformance init writes such a file",
  ],
])("profile with %s is told what it takes", async (_, args, message) => {
  expect(await usageError(profile, ...args)).toBe(message);
});
