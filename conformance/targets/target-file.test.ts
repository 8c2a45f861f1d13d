import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { UsageError } from "../foundation/usage-error.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { checkTarget, readTarget, takesClock } from "./target-file.ts";

const minimal = { name: "mine", baseUrl: "http://127.0.0.1:8080" };
const check = (value: unknown) => checkTarget(value, "/somewhere", "mine.json");
const complaint = (value: unknown) => complaintOf(() => check(value));

test("the smallest target file gets the documented defaults", () => {
  expect(check(minimal)).toEqual({
    ...minimal,
    folder: "/somewhere",
    product: "service",
    profile: "spec",
    config: { entryId: "webhooks", sessionKey: "{name}", merge: {}, dir: "." },
    secretSources: {},
    requestTimeoutMs: 20_000,
    notCovered: {},
  });
  expect(check({ name: "mine", start: { command: ["x"] } }).start).toEqual({
    command: ["x"],
    cwd: ".",
    env: {},
    readyTimeoutMs: 60_000,
    stopTimeoutMs: 5000,
  });
});

test("every fault is told at once, each with its place", async () => {
  const faulty = { name: "", start: { command: [] }, product: "A B", requestTimeoutMs: 5, colour: "red" };
  expect((await complaint(faulty)).split("\n")).toEqual([
    "mine.json is not a target file:",
    expect.stringMatching(/^ {2}name: /),
    "  product: letters a-z, digits and hyphens",
    expect.stringMatching(/^ {2}start\.command: /),
    expect.stringMatching(/^ {2}requestTimeoutMs: /),
    '  (whole file): Unrecognized key: "colour"',
  ]);
});

test("of a key that does not exist the one that was meant is told, at any depth", async () => {
  const faults = await complaint({ name: "mine", pofile: "spec", start: { comand: ["x"], command: ["y"] } });
  expect(faults).toContain('  (whole file): Unrecognized key: "pofile"; did you mean "profile"?');
  expect(faults).toContain('  start: Unrecognized key: "comand"; did you mean "command"?');
});

test.each(["https://127.0.0.1:8443", "http://127.0.0.1:80/base", "https://127.0.0.1/base", "127.0.0.1:8080", "x"])(
  "%s as baseUrl is refused in one line that says what is taken",
  async (baseUrl) => {
    expect((await complaint({ name: "mine", baseUrl })).split("\n")).toEqual([
      "mine.json is not a target file:",
      expect.stringMatching(/^ {2}baseUrl: expected http:\/\/HOST:PORT, such as .*: no https, and no path, as /),
    ]);
  },
);

test("a start command that takes the clock needs a control port that drives it", () => {
  const start = { command: ["server", "--clock", "{clock}"] };
  expect(() => checkTarget({ name: "mine", start }, ".", "mine.json")).toThrow("add control");
  const control = "http://127.0.0.1:{controlPort}";
  expect(takesClock(checkTarget({ name: "mine", start, control }, ".", "mine.json"))).toBe(true);
  expect(takesClock(checkTarget({ name: "mine", start: { command: ["server"] } }, ".", "mine.json"))).toBe(false);
});

test.each([
  ["neither", { name: "mine" }],
  ["both", { ...minimal, start: { command: ["x"] } }],
])("%s of start and baseUrl: asks for one", async (_, value) => {
  expect(await complaint(value)).toContain('give one of "start" (a command that the kit runs) and "baseUrl"');
});

test.each([
  ["baseUrl", { name: "mine", baseUrl: "https://127.0.0.1" }],
  ["baseUrl", { name: "mine", baseUrl: "http://127.0.0.1:80/behind/a/prefix" }],
  ["baseUrl", { name: "mine", baseUrl: "http://user:password@127.0.0.1:80" }],
  ["config.sessionKey", { ...minimal, config: { sessionKey: "all the same" } }],
  ["control", { ...minimal, control: "127.0.0.1:80" }],
  ["control", { ...minimal, control: "http://127.0.0.1:{controlPort}" }],
  ["secretSources.file", { ...minimal, secretSources: { file: { folder: "x" } } }],
  ["secretSources", { ...minimal, secretSources: { file: { file: "s" }, store: { json: "s" } } }],
  ["notCovered.BODY-TIME", { ...minimal, notCovered: { "BODY-TIME": "" } }],
  ["(whole file)", null],
])("a wrong %s is named", async (place, value) => {
  expect(await complaint(value)).toContain(`  ${place}: `);
});

test.each([
  ["a cycle", cyclic(), "Converting circular structure to JSON"],
  ["a BigInt", 1n, "Do not know how to serialize a BigInt"],
])("what a module may hold and JSON cannot is refused in a sentence: %s", async (_, gateway, why) => {
  expect(await complaint({ ...minimal, config: { merge: { gateway } } })).toBe(
    `mine.json cannot be used as JSON: ${why}`,
  );
});

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value["itself"] = value;
  return value;
}

test("JSON and modules are read, with their folder", async ({ folder }) => {
  await writeFile(join(folder, "target.json"), JSON.stringify(minimal));
  await writeFile(join(folder, "target.mjs"), `export default ${JSON.stringify(minimal)};`);
  expect(await readTarget(join(folder, "target.json"))).toMatchObject({ name: "mine", folder });
  expect(await readTarget(join(folder, "target.mjs"))).toMatchObject({ name: "mine", folder });
});

test("a module that never finishes loading is given up in a sentence, at once where nothing else goes on", async ({
  folder,
}) => {
  const file = join(folder, "waits.mjs");
  await writeFile(file, "await new Promise(() => {}); export default {};");
  const refused = () =>
    expect(readTarget(file)).rejects.toThrow(/is never loaded: a top-level await in it does not settle within 10 s/);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const inTime = refused();
  vi.runAllTimers();
  vi.useRealTimers();
  const atOnce = refused();
  process.emit("beforeExit", 0);
  await Promise.all([inTime, atOnce]);
});

test.for<[string, string, RegExp]>([
  ["broken.mjs", "export default {", /broken\.mjs could not be loaded as a module: /],
  ["throws.mjs", "throw new Error('first line\\nsecond line')", /loaded as a module: first line$/],
  ["empty.mjs", "", /empty\.mjs is not a target file:\n {2}\(whole file\): /],
])("%s is refused in a sentence", async ([name, text, message], { folder }) => {
  await writeFile(join(folder, name), text);
  const reading = readTarget(join(folder, name));
  await expect(reading).rejects.toThrow(UsageError);
  await expect(reading).rejects.toThrow(message);
});

test("a TypeScript module is read where Node strips types, and is refused in one line where not", async ({
  folder,
}) => {
  const file = join(folder, "target.mts");
  await writeFile(file, "export default { name: 'typed' as string, baseUrl: 'http://127.0.0.1:1' };");
  const reading = readTarget(file);
  if ((process.features as { typescript?: unknown }).typescript) expect(await reading).toMatchObject({ name: "typed" });
  else await expect(reading).rejects.toThrow(/target\.mts is TypeScript, which Node [^\n]*$/);
});
