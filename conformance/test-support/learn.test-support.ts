/** A gateway from which not all that it shows is learned. */
import { expect } from "vitest";
import { cases } from "../catalogue.ts";
import { together, withEnvelope } from "../proof/changes.ts";
import { broken } from "../proof/broken/index.ts";
import { different } from "../proof/different/index.ts";
import { launchedTarget, launchOf } from "../proof/launch.ts";
import { withSourcesFor } from "../run/plan.ts";

export function inconsistentTarget() {
  // An ended flow is said to be otherwise by the changes than by cancel_flow.
  const inconsistent = broken.find(({ id }) => id === "a-change-of-a-finished-flow-has-the-code-mutation-rejected");
  // Where it is known what a cancelled flow is called, the suite expects the wait data of the given profile as well.
  const objects = different.find(({ freedom }) => freedom === "the form of state and wait data: objects");
  // Section 7 gives this code 400; no profile may say otherwise.
  const misplaced = withEnvelope((envelope) =>
    envelope["code"] === "payload_too_large" ? { ...envelope, code: "invalid_request" } : envelope,
  );
  const change = together(inconsistent?.change ?? {}, objects?.change ?? {}, misplaced);
  const onGaps = cases.filter(({ gaps }) => gaps !== undefined);
  return withSourcesFor(onGaps, launchedTarget("inconsistent", launchOf(change)));
}

export const leftOut = [
  { gap: "body.too-large.code", reason: "invalid_request has the status 400 (section 7), this refusal 413" },
  {
    gap: "terminal.code",
    reason: expect.stringMatching(
      /^seen was "mutation_rejected", but GAP-ENDED: expected .* \(terminal\.code\): mutation_rejected; got terminal/,
    ) as string,
  },
  { gap: "cancel.status", reason: 'seen was "cancelled", but with it STATES-DATA fails' },
];
