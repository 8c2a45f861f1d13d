import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { broken } from "./broken/index.ts";
import { different } from "./different/index.ts";
import { killers, proofPage } from "./proof.ts";
import { stubs } from "./stubs.ts";

const ids = cases.map(({ id }) => id);

describe("the catalogue of subjects", () => {
  test("every case can fail: a subject makes it", () => {
    expect([...killers()].filter(([, subjects]) => subjects.length === 0).map(([id]) => id)).toEqual([]);
  });

  test("names no case that does not exist", () => {
    const named = [
      ...broken.flatMap(({ kills, alsoFails = [] }) => [...kills, ...(alsoFails === "any" ? [] : alsoFails)]),
      ...different.flatMap(({ warns = [] }) => warns),
    ];
    expect([...new Set(named)].filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("each broken subject has a case to fail", () => {
    expect(broken.filter(({ kills }) => kills.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test("no two subjects have one id", () => {
    const all = [...broken, ...different, ...stubs].map(({ id }) => id);
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
  });

  test("PROOF.md is that of these cases and subjects (npm run prove writes it)", async () => {
    const page = await readFile(new URL("../../docs/PROOF.md", import.meta.url), "utf8");
    expect(page).toBe(proofPage());
  });

  test("there are seven stubs", () => {
    expect(stubs).toHaveLength(7);
  });
});
