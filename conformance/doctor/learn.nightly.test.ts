import { expect, test } from "vitest";
import { readProfile } from "../interface/profile.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { inconsistentTarget, leftOut } from "../test-support/learn.test-support.ts";
import { learn } from "./learn.ts";

test("it learns the kit's own gateway, but for values that not all of their cases confirm, or that turn others red", async () => {
  const target = inconsistentTarget();
  const [profile, reference] = [await readProfile("spec", "."), await readProfile("reference", ".")];
  const learned = await learn({ target, profile, keyring: await keyringFor(target) });
  const { "terminal.code": _inconsistent, "cancel.status": _red, ...rest } = reference.gaps;
  const { "body.too-large.code": _misplaced, ...others } = rest;
  expect(learned.profile).toEqual({ ...profile, gaps: others });
  expect(learned.leftOut).toEqual(leftOut);
});
