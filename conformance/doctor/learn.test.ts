import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { broken } from "../proof/broken/index.ts";
import { withSourcesFor } from "../run/plan.ts";
import { subjectTarget } from "../proof/launch.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { gapIds } from "../interface/gaps.ts";
import { redactor } from "../http/redact.ts";
import { learn, withoutSecrets } from "./learn.ts";
import { observations, triedValues } from "./observe.ts";
import { readProfile } from "../interface/profile.ts";

test("every gap is either observed or tried", () => {
  const both = gapIds.filter((gap) => (observations[gap] !== undefined) === triedValues(gap).length > 0);
  expect(both).toEqual([]);
});

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

test("it learns the kit's own gateway as the reference profile, but for a value that not all its cases confirm", async () => {
  // An ended flow is said to be otherwise by the changes than by cancel_flow.
  const inconsistent = broken.find(({ id }) => id === "a-change-of-a-finished-flow-has-the-code-mutation-rejected");
  const subject = subjectTarget("inconsistent", inconsistent?.change ?? {});
  const target = withSourcesFor(
    cases.filter(({ gaps }) => gaps !== undefined),
    subject,
  );
  const [profile, reference] = [await readProfile("spec", "."), await readProfile("reference", ".")];
  const learned = await learn({ target, profile, keyring: await keyringFor(target) });
  const { "terminal.code": _inconsistent, ...others } = reference.gaps;
  expect(learned.profile).toEqual({ ...profile, gaps: others });
  expect(learned.leftOut).toEqual([
    {
      gap: "terminal.code",
      reason: expect.stringMatching(
        /^seen was "terminal", but GAP-ENDED-BY-FINISH-FLOW: expected a refusal with the code terminal; got 409/,
      ),
    },
  ]);
}, 60_000);
