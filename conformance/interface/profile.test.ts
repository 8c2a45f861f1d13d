import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../foundation/usage-error.ts";
import { gapIds } from "./gaps.ts";
import { readProfile, shippedProfiles } from "./profile.ts";
import { withFolder } from "../test-support/folder.test-support.ts";

const readOwn = (profile: unknown) =>
  withFolder(async (folder) => {
    await mkdir(join(folder, "own"));
    await writeFile(join(folder, "own", "mine.json"), typeof profile === "string" ? profile : JSON.stringify(profile));
    return readProfile("own/mine.json", folder);
  });

test.each(shippedProfiles)("the shipped profile %s is read by its name, from any folder", async (name) => {
  expect(await readProfile(name, "/no/such/folder")).toMatchObject({ name });
});

test("spec binds no gap, reference binds every one", async () => {
  expect((await readProfile("spec", ".")).gaps).toEqual({});
  expect(Object.keys((await readProfile("reference", ".")).gaps).toSorted()).toEqual([...gapIds].toSorted());
});

test("an own profile is read by its path, relative to the target file; fields left out have the usual names", async () => {
  const profile = await readOwn({ name: "mine", fields: { resolveToken: "key" }, gaps: { "method.status": 400 } });
  expect(profile).toEqual({
    name: "mine",
    fields: {
      getFlowId: "flowId",
      summaryFlowId: "flowId",
      cancelFlowId: "flowId",
      resolveToken: "key",
      blockedSummary: "blockedSummary",
      waitData: "waitJson",
      stateData: "stateJson",
    },
    gaps: { "method.status": 400 },
  });
});

test.each([
  ["a gap that there is not", { name: "m", gaps: { "auth.status": 403 } }, '  gaps: Unrecognized key: "auth.status"'],
  ["a status that is none", { name: "m", gaps: { "method.status": 42 } }, "  gaps.method.status: "],
  ["a status as text", { name: "m", gaps: { "method.status": "405" } }, "  gaps.method.status: "],
  ["a way that is not known", { name: "m", gaps: { "absent-read": "empty" } }, "  gaps.absent-read: "],
  ["a field that there is not", { name: "m", fields: { goal: "text" } }, '  fields: Unrecognized key: "goal"'],
  ["no name", {}, "  name: "],
])("%s is refused in a sentence", async (_, profile, fault) => {
  const reading = readOwn(profile);
  await expect(reading).rejects.toThrow(UsageError);
  await expect(reading).rejects.toThrow(
    `own/mine.json is not a profile (it may bind gaps only, never what the interface states):\n${fault}`,
  );
});

test.each([
  ["strict", /^there is no profile "strict": use spec, reference, openclaw or a path that ends in \.json$/],
  ["absent.json", /^the profile absent\.json could not be read: ENOENT/],
])("a profile %s that does not exist is refused in a sentence", async (name, message) => {
  await expect(readProfile(name, ".")).rejects.toThrow(message);
  await expect(readProfile(name, ".")).rejects.toThrow(UsageError);
});

test("a profile that is not JSON is refused in a sentence", async () => {
  await expect(readOwn("{ name: mine }")).rejects.toThrow(/^the profile own\/mine\.json is not JSON: /);
});
