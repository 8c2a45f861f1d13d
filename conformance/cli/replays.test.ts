import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { checkReplay } from "../story/replay-file.ts";
import type { Report } from "../report/report.ts";
import { replayOf } from "../test-support/replay.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { keepReplays, replaysIn } from "./replays.ts";

const found = replayOf({ property: "PROPERTY-STATES", clause: "STATE-CREATE", seed: 7, run: 2 });

test("what a property found is kept as a replay file", async ({ folder }) => {
  const results = [{ id: found.property, story: { lines: [], requests: 0, replay: found } }];
  const files = await keepReplays({ results } as unknown as Report, folder);
  expect(files).toEqual([join(folder, "property-states-state-create-7-2.json")]);
  expect(await replaysIn(folder)).toEqual(files);
  expect(checkReplay(JSON.parse(await readFile(files[0] ?? "", "utf8")), "kept")).toEqual(found);
});
