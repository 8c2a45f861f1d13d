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

/** Each value with what is said of it. */
const contradictory: readonly (readonly [string, unknown, string])[] = [
  ["method.status", 200, "expected 400 or more: it is the status of a refusal"],
  ["content-type.status", 302, "expected 400 or more"],
  ["rate.status", 399, "expected 400 or more"],
  ["in-flight.status", 204, "expected 400 or more"],
  ["body.too-large.status", 100, "expected 400 or more"],
  ["body.timeout.status", 200, "expected 400 or more"],
  ["status.not_found", 100, "Too small: expected number to be >=200"],
  ["status.persist_failed", 202, "expected 400 or more"],
  ["status.cancel_requested", 200, "expected 400 or more"],
  ["status.not_managed", 200, "expected 400 or more"],
  ["method.allow", "GET, POST", 'Invalid input: expected "POST"'],
  ["rate.tracked-keys", 409, "Invalid input: expected 4096"],
  ["body.max-bytes", 255_999, "expected 256 KB, as 256000 or 262144 bytes or between them"],
  ["body.max-bytes", 262_145, "expected 256 KB"],
  ["flow.revision-step", 0, "Too small: expected number to be >=1"],
  ["create.controller-field", "goal", "the interface gives this field another meaning"],
  ["auth.code", "invalid_request", "invalid_request has the status 400 (section 7), this refusal 401"],
];

test.each(contradictory)("a profile cannot bind %s to %j, against the interface", async (gap, value, fault) => {
  await expect(readOwn({ name: "m", gaps: { [gap]: value } })).rejects.toThrow(`:\n  gaps.${gap}: ${fault}`);
});

test.each(["method", "content-type", "rate", "in-flight", "body.too-large", "body.timeout"])(
  "the codes of %s keep the status that section 7 gives them",
  async (check) => {
    const bind = (status: number, code: string) => ({ [`${check}.status`]: status, [`${check}.code`]: code });
    const refused = readOwn({ name: "m", gaps: bind(413, "revision_conflict") });
    await expect(refused).rejects.toThrow(`gaps.${check}.code: revision_conflict has the status 409 (section 7)`);
    expect((await readOwn({ name: "m", gaps: bind(400, "invalid_request") })).gaps).toEqual(
      bind(400, "invalid_request"),
    );
  },
);

test("names of fields are none that the interface gives to the same action", async () => {
  const fields = { getFlowId: "action", stateData: "expectedRevision" };
  await expect(readOwn({ name: "m", fields })).rejects.toThrow(
    /fields\.getFlowId: the interface gives .*\n {2}fields\.stateData: the interface gives /,
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
