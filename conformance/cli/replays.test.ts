import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import type { Report } from "../report/report.ts";
import { call } from "../test-support/cli.test-support.ts";
import { withFolder } from "../test-support/gateway.test-support.ts";
import { keepReplays, replaysIn } from "./replays.ts";
import { command as replay } from "./replay.ts";

const found: ReplayFile = {
  format: REPLAY_FORMAT,
  property: "PROPERTY-STATES",
  clause: "STATE-CREATE",
  expected: "one answer",
  actual: "another",
  seed: 7,
  run: 2,
  profile: "spec",
  target: "a gateway",
  steps: [{ do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "g" } }],
};

test("what a property found is kept as a replay file and as the script that replay --script prints", async () => {
  await withFolder(async (folder) => {
    const results = [{ id: found.property, story: { lines: [], requests: 0, replay: found } }];
    const files = await keepReplays({ results } as unknown as Report, folder);
    const name = join(folder, "property-states-state-create-7-2");
    expect(files).toEqual([`${name}.json`]);
    expect((await readdir(folder)).map((file) => join(folder, file)).toSorted()).toEqual([
      `${name}.json`,
      `${name}.sh`,
    ]);
    expect(await replaysIn(folder)).toEqual(files);
    const { code, text } = await call(replay, `${name}.json`, "--script");
    expect(code).toBe(0);
    expect(text).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(text).toBe(await readFile(`${name}.sh`, "utf8"));
  });
});

test.each([
  ["no file", []],
  ["two files", ["a.json", "b.json"]],
  ["a target", ["a.json", "--target", "target.json"]],
  ["a format", ["a.json", "--format=json"]],
])("a script is printed of one file alone: not with %s", async (_, words) => {
  await expect(replay.run([...words, "--script"])).rejects.toThrow(/^--script takes one FILE and nothing else: /);
});

test("of what is no replay file no script is printed", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "a.json");
    await writeFile(file, JSON.stringify({ ...found, steps: [{ do: "run", command: "id" }] }));
    await expect(replay.run([file, "--script"])).rejects.toThrow(/a\.json is not a replay file:/);
  });
});
