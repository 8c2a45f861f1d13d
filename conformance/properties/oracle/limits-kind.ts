/** How the limits see a request, and which of them refused it. */
import { actions } from "../../../fixtures/fields.ts";
import { PASSES_BYTES, REFUSED_BYTES } from "../../../fixtures/broken-requests.ts";
import type { Gaps } from "../../interface/flow-model.ts";
import type { Response } from "./response.ts";
import type { SendStep } from "../../story/story.ts";

/** `right`: only the limits may refuse it; `refused`, `not counted`: refused anyway, after or before it is counted; `open`: the interface does not say. */
export type Kind = "right" | "refused" | "not counted" | "open";

/** `largest`: the bytes of the largest body that the profile lets through, where it says. */
export function kindOf(step: SendStep, largest: number | undefined): Kind {
  const { method, contentType, secret, text, padTo = 0 } = step;
  if (method !== undefined || contentType !== undefined) return "not counted";
  if (secret !== undefined || padTo >= REFUSED_BYTES) return "refused";
  if (largest !== undefined && padTo > largest) return "refused";
  if (text !== undefined) return namesNoAction(text) ? "open" : "refused";
  return padTo > PASSES_BYTES && largest === undefined ? "open" : "right";
}

/** A JSON object with a missing or unknown action: the interface does not show how it is handled. */
function namesNoAction(text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  const { action } = body as { action?: unknown };
  return typeof action !== "string" || !Object.hasOwn(actions, action);
}

/** True of a refusal by the rate limit; known only where the profile gives the two limits different codes. */
export function isByBudget({ accepted, code }: Response, gaps: Gaps): boolean {
  const { "rate.code": byBudget, "in-flight.code": bySlot } = gaps;
  return !accepted && bySlot !== undefined && byBudget !== bySlot && code === byBudget;
}
