import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { methods } from "../../conformance/proof/broken/endpoints/methods.ts";
import { different } from "../../conformance/proof/different/index.ts";
import { CATALOGUES, closureOf, hashOfFiles, readSources, readTree, type Sources, type SourceTree } from "./sources.ts";

const tree = readTree();
let before: Sources;
beforeAll(async () => {
  before = await readSources(tree);
});

/** The tree with one more line in a file. */
const withChanged = (changed: string, of: SourceTree = tree): SourceTree => ({
  ...of,
  digestOf: (file) => (file === changed ? "changed" : of.digestOf(file)),
});

type Keys = Readonly<Record<string, string>>;
const changedIn = (old: Keys, now: Keys): string[] => Object.keys(old).filter((id) => old[id] !== now[id]);

async function afterChangeOf(file: string) {
  expect(tree.digestOf(file)).not.toBe("");
  const now = await readSources(withChanged(file));
  return {
    isShared: now.shared !== before.shared,
    subjects: changedIn(before.subjects, now.subjects),
    cases: changedIn(before.cases, now.cases),
  };
}

describe("a hash of files", () => {
  const small: SourceTree = {
    imports: new Map([
      ["case.ts", ["helper.ts"]],
      ["helper.ts", ["deep.ts"]],
      ["deep.ts", ["helper.ts"]],
    ]),
    digestOf: (file) => `of ${file}`,
  };

  test("changes with a file that is imported by an import, also where imports form a circle", () => {
    expect(closureOf(small, ["case.ts"])).toEqual(["case.ts", "deep.ts", "helper.ts"]);
    expect(hashOfFiles(withChanged("deep.ts", small), ["case.ts"])).not.toBe(hashOfFiles(small, ["case.ts"]));
  });

  test("does not change with a file that nothing of it imports", () => {
    expect(hashOfFiles(withChanged("case.ts", small), ["deep.ts"])).toBe(hashOfFiles(small, ["deep.ts"]));
  });
});

describe("the keys of the proof", () => {
  test("are the same for the same files", async () => {
    expect(await readSources(readTree())).toEqual(before);
  });

  test("change for the cases of a file, and for no subject", async () => {
    const { isShared, subjects, cases } = await afterChangeOf("conformance/cases/states/data-rows.ts");
    expect([isShared, subjects]).toEqual([false, []]);
    expect(cases).toContain("STATES-DATA");
    expect(cases.length).toBeLessThan(20);
  });

  test("change for the cases that import a changed file through another", async () => {
    const helper = "conformance/harness/unmanaged.ts";
    expect(tree.imports.get("conformance/cases/errors/gaps-refusals.ts")).toContain(helper);
    const { cases } = await afterChangeOf(helper);
    expect(cases).toContain("GAP-NOT-MANAGED");
    expect(cases).not.toContain("METHOD-GET");
  });

  // A list gives lawful subjects other ids than their files do.
  test.each([
    ["proof/broken/endpoints/methods.ts", methods],
    ["proof/different/limits.ts", different.filter(({ id }) => id.startsWith("different-"))],
  ])("change for the subjects of %s, and for no case", async (file, list) => {
    const { isShared, subjects, cases } = await afterChangeOf(`conformance/${file}`);
    expect([isShared, cases]).toEqual([false, []]);
    expect(subjects).not.toEqual([]);
    expect(subjects.length).toBeLessThan(60);
    expect(subjects.filter((id) => !list.some((one) => one.id === id))).toEqual([]);
  });

  test("change for one property with its definition, for all with the search", async () => {
    // Those that are made by a function depend on all that the list imports.
    const own = ["PROPERTY-RACES", "PROPERTY-ORDER", "PROPERTY-LIMITS"];
    expect((await afterChangeOf("conformance/properties/definitions/races.ts")).cases).toEqual(own);
    const { cases } = await afterChangeOf("conformance/properties/search.ts");
    const properties = Object.keys(before.cases).filter((id) => id.startsWith("PROPERTY-"));
    expect(cases).toEqual(expect.arrayContaining(properties));
    expect(cases).not.toContain("METHOD-GET");
  });

  test.each([
    "plugin/respond.ts",
    "plugin/actions/index.ts",
    "conformance/run/judge.ts",
    "conformance/harness/trial.ts",
    "conformance/invariants/answers.ts",
    "conformance/interface/profiles/spec.json",
    "package-lock.json",
  ])("change for every subject with %s", async (file) => {
    const { isShared, subjects } = await afterChangeOf(file);
    expect(isShared).toBe(true);
    expect(subjects).toHaveLength(Object.keys(before.subjects).length);
  });

  test("cover every file that judged modules read beside their imports", () => {
    // A new one here: either the target brings it, or `sources.ts` has to read it.
    const reading = closureOf(tree, ["conformance/proof/judge-subject.ts", ...CATALOGUES]).filter((file) =>
      /readFile|read-file\.ts|readdir|createRequire|import\.meta\.(?!url === )/.test(readFileSync(file, "utf8")),
    );
    expect(reading).toEqual([
      "conformance/cases/authentication/secrets.ts",
      "conformance/interface/profile.ts",
      "conformance/proof/launch.ts",
      "conformance/proof/target.ts",
      "conformance/targets/secrets-file.ts",
      "conformance/targets/state-folder.ts",
      "conformance/targets/target-file.ts",
      "fakes/document.ts",
      "fakes/secrets.ts",
    ]);
  });
});
