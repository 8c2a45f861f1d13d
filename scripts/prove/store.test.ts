import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "./store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prove-store-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = () => openStore(join(folder, "new", "right"));

test("what came out right is there for the next command, what is forgotten is gone, a torn line is nothing", () => {
  const store = opened();
  store.add("subject-1", ["a", "b"]);
  store.add("subject-2", ["c"]);
  store.add("subject-1", ["d"]);
  store.forget("subject-2");
  appendFileSync(join(folder, "new", "right"), "subject-1 torn");
  for (const { right } of [store, opened()]) {
    expect([...right("subject-1")].slice(0, 3)).toEqual(["a", "b", "d"]);
    expect([...right("subject-2")]).toEqual([]);
  }
});

test("the last whole run is remembered, and with it only its own subjects", () => {
  expect(opened().lastWholeRun().size).toBe(0);
  const store = opened();
  store.add("old", ["a"]);
  store.add("present", ["a"]);
  store.rememberWholeRun({ shared: "s", subjects: { one: "present" }, cases: { A: "a" } });
  expect([...opened().lastWholeRun()]).toEqual(["s", "present", "a"]);
  expect([opened().right("old").size, opened().right("present").size]).toEqual([0, 1]);
});
