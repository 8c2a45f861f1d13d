/** These pages are copied and pasted: jobs parse, command lines have only known options, files fit the schemas. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checkBaseline } from "../report/baseline/read.ts";
import { cases } from "../catalogue.ts";
import { options as baseline } from "./baseline.ts";
import { readOptions } from "./command.ts";
import { diffOptions as diff, matrixOptions as matrix } from "./compare.ts";
import { options as init } from "./init.ts";
import { options as merge } from "./merge.ts";
import { options as learn } from "./profile.ts";
import { options as render } from "./render.ts";
import { options as replay } from "./replay.ts";
import { options as run } from "./run.ts";
import { selectCases } from "../run/selection.ts";

const pages = ["MAINTAINERS.md", "REFERENCE.md"].map((name) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"),
);
const fences = [...pages.join("").matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language,
  text: text ?? "",
}));
const inLanguage = (language: string) => fences.filter((fence) => fence.language === language).map(({ text }) => text);
const [, gitlab] = inLanguage("yaml").map((text) => parse(text, { strict: true }) as Record<string, Job>);

interface Job {
  readonly script: readonly string[];
}

const all = [
  ...inLanguage("sh").flatMap((text) => text.split("\n")),
  ...(gitlab?.["conformance"]?.script ?? []),
].filter((line) => /^npx webhooks-conformance (?!list$|doctor )/.test(line));

function wordsOf(line: string): string[] {
  return line
    .split(" ")
    .slice(2)
    .map((word) => word.replaceAll("'", ""));
}

test("the jobs and every command line are there to be checked", () => {
  expect(inLanguage("yaml")).toHaveLength(2);
  expect(all.length).toBeGreaterThan(20);
});

test.each([...new Set(all)])("%s", (line) => {
  const [name = "", ...args] = wordsOf(line);
  const known = { init, run, replay, merge, render, diff, matrix, baseline, profile: learn };
  expect(Object.keys(known)).toContain(name);
  const { values } = readOptions(name, args, known[name as keyof typeof known], name !== "run");
  const { section, clause, case: patterns, capability } = values as Record<string, string[] | undefined>;
  const filters = { sections: section?.map(Number), clauses: clause, cases: patterns, capabilities: capability };
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  expect(selectCases(cases, { quick: false, ...given }).length).toBeGreaterThan(0);
  expect(line).not.toMatch(/[<>{}]$/);
});

test("the baseline of the page is one that a run accepts", () => {
  const text = inLanguage("json").find((file) => file.includes("/baseline@")) ?? "";
  const known = { caseIds: cases.map(({ id }) => id) };
  expect(checkBaseline(JSON.parse(text), "REFERENCE.md", known).entries.length).toBeGreaterThan(0);
});
