import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { redactor } from "../http/redact.ts";
import { inconsistentTarget, leftOut } from "../test-support/learn.test-support.ts";
import { learn, withoutSecrets } from "./learn.ts";
import { readProfile } from "../interface/profile.ts";

test("a value that holds a secret, in whatever form, is left out, and the reason does not show it", () => {
  const secret = "whsec-0123456789abcdef0123456789abcdef";
  const seen = {
    "auth.code": `no_${secret}`,
    "auth.challenge": Buffer.from(secret).toString("base64"),
    "method.status": 405,
    "method.code": "method_not_allowed",
  };
  const { gaps, leftOut } = withoutSecrets(seen, redactor([{ value: secret, variable: "WEBHOOKS_SECRET_A" }]));
  expect(gaps).toEqual({ "method.status": 405, "method.code": "method_not_allowed" });
  expect(leftOut).toEqual([
    { gap: "auth.code", reason: "the target's value holds a secret: no_${WEBHOOKS_SECRET_A}" },
    { gap: "auth.challenge", reason: "the target's value holds a secret: ${WEBHOOKS_SECRET_A in base64}" },
  ]);
});

test("it learns what the target shows, but for values that not all of their cases confirm", async () => {
  const target = inconsistentTarget();
  const [profile, reference] = [await readProfile("spec", "."), await readProfile("reference", ".")];
  // `npm run test:nightly` learns with all cases.
  const ids = ["GAP-REFUSED-TOO-LARGE", "GAP-ENDED", "GAP-REFUSED-METHOD"];
  const part = cases.filter(({ id }) => ids.includes(id));
  const learned = await learn({ target, profile, keyring: await keyringFor(target), cases: part });
  const { "method.status": status, "method.code": code } = reference.gaps;
  expect(learned.profile.gaps).toMatchObject({ "method.status": status, "method.code": code });
  expect(learned.leftOut).toEqual(expect.arrayContaining(leftOut.filter(({ gap }) => gap !== "cancel.status")));
});
