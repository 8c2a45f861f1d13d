/** One name, one meaning: no two files of a side export the same name. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const git = execFileSync("git", ["ls-files", "*.ts"], { cwd: root, encoding: "utf8" });
const files = git.split("\n").filter((file) => file !== "" && !/test|examples?\//.test(file));

/** The judge shares no code with what it judges, and both write down the interface: each side has names of its own. */
const sides = [["conformance/", "fixtures/", "scripts/"], ["plugin/"], ["fakes/"]];

/** Files that export what their place says, each in a list that imports them by file. */
const byPlace: Readonly<Record<string, string>> = {
  "conformance/cli/help/": "the help of each command, named as the command is",
  "conformance/proof/broken/": "each file's table of subjects, named as the file is",
  "conformance/proof/different/": "each file's table of subjects, named as the file is",
  "fixtures/formats/": "each format is called as its users call it; a generated script has exports of its own",
};
const allowed: Readonly<Record<string, string>> = {
  readProfile: "for programs: reads a profile as the command line does, with a wider type",
  command: "what each command runs",
  options: "what each command takes",
};

const exported = (file: string) =>
  [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm,
    ),
  ]
    .map(([, name = ""]) => name)
    .filter((name) => !Object.hasOwn(allowed, name));

test.each(sides)("no name has two meanings in %s", (...folders) => {
  const meanings = new Map<string, string[]>();
  for (const file of files) {
    if (!folders.some((folder) => file.startsWith(folder))) continue;
    if (Object.keys(byPlace).some((folder) => file.startsWith(folder))) continue;
    for (const name of new Set(exported(file))) meanings.set(name, [...(meanings.get(name) ?? []), file]);
  }
  expect(meanings.size).toBeGreaterThan(50);
  expect(Object.fromEntries([...meanings].filter(([, places]) => places.length > 1))).toEqual({});
});
