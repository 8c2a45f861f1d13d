import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Sources } from "./sources.ts";
import { openStore } from "./store.ts";

const sources: Sources = { shared: "s", subjects: { one: "key-1", two: "key-2" }, cases: { A: "a" } };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prove-store-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function opened(of: Sources = sources) {
  const complaints: string[] = [];
  return { store: openStore(folder, of, (sentence) => complaints.push(sentence)), complaints };
}

test("what came out right is there for the next command", () => {
  opened().store.add("one", ["a", "b"]);
  opened().store.add("one", ["c"]);
  expect([...opened().store.right("one")]).toEqual(["a", "b", "c"]);
  expect([...opened().store.right("two")]).toEqual([]);
});

test("nothing is there for a subject whose key has changed, and it is not mixed with what follows", () => {
  opened().store.add("one", ["a"]);
  const changed = { ...sources, subjects: { one: "another" } };
  expect([...opened(changed).store.right("one")]).toEqual([]);
  opened(changed).store.add("one", ["b"]);
  expect([...opened(changed).store.right("one")]).toEqual(["b"]);
  expect([...opened().store.right("one")]).toEqual([]);
});

test("what is forgotten is gone", () => {
  const { store } = opened();
  store.add("one", ["a"]);
  store.forget("one");
  expect([...store.right("one"), ...opened().store.right("one")]).toEqual([]);
});

test.each(["", "{", "[]", '{"subject":"key-1"}', '{"subject":"key-1","right":[1]}'])(
  "a file with %j counts as absent, and a sentence says so",
  (text) => {
    opened().store.add("one", ["a"]);
    const [file = ""] = readdirSync(join(folder, "subjects"));
    writeFileSync(join(folder, "subjects", file), text);
    const { store, complaints } = opened();
    expect([...store.right("one")]).toEqual([]);
    expect(complaints).toEqual([expect.stringMatching(/one\.json is ignored: .*judge again/)]);
    store.add("one", ["b"]);
    expect([...opened().store.right("one")]).toEqual(["b"]);
  },
);

test("the last whole run is remembered with its sources", () => {
  expect(opened().store.lastWholeRun()).toBeUndefined();
  opened().store.rememberWholeRun();
  expect(opened().store.lastWholeRun()).toEqual(sources);
});
