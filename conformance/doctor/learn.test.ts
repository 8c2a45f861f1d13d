import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { together, withEnvelope } from "../proof/changes.ts";
import { broken } from "../proof/broken/index.ts";
import { different } from "../proof/different/index.ts";
import { withSourcesFor } from "../run/plan.ts";
import { launchedTarget, launchOf } from "../proof/launch.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { redactor } from "../http/redact.ts";
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

test("it learns the kit's own gateway, but for values that not all of their cases confirm, or that turn others red", async () => {
  // An ended flow is said to be otherwise by the changes than by cancel_flow.
  const inconsistent = broken.find(({ id }) => id === "a-change-of-a-finished-flow-has-the-code-mutation-rejected");
  // Where it is known what a cancelled flow is called, the suite expects the wait data of the given profile as well.
  const objects = different.find(({ freedom }) => freedom === "the form of state and wait data: objects");
  // Section 7 gives this code 400; no profile may say otherwise.
  const misplaced = withEnvelope((envelope) =>
    envelope["code"] === "payload_too_large" ? { ...envelope, code: "invalid_request" } : envelope,
  );
  const change = together(inconsistent?.change ?? {}, objects?.change ?? {}, misplaced);
  const subject = launchedTarget("inconsistent", launchOf(change));
  const target = withSourcesFor(
    cases.filter(({ gaps }) => gaps !== undefined),
    subject,
  );
  const [profile, reference] = [await readProfile("spec", "."), await readProfile("reference", ".")];
  const learned = await learn({ target, profile, keyring: await keyringFor(target) });
  const { "terminal.code": _inconsistent, "cancel.status": _red, ...rest } = reference.gaps;
  const { "body.too-large.code": _misplaced, ...others } = rest;
  expect(learned.profile).toEqual({ ...profile, gaps: others });
  expect(learned.leftOut).toEqual([
    {
      gap: "body.too-large.code",
      reason: "invalid_request has the status 400 (section 7), this refusal 413",
    },
    {
      gap: "terminal.code",
      reason: expect.stringMatching(
        /^seen was "mutation_rejected", but GAP-ENDED: expected .* \(terminal\.code\): mutation_rejected; got terminal/,
      ),
    },
    { gap: "cancel.status", reason: 'seen was "cancelled", but with it STATES-DATA fails' },
  ]);
}, 180_000);
