/** Gaps decided otherwise than the reference profile says: of actions, and of refusals. */
import { reject } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { changeActions, flowActions } from "../../../interface/flow-model.ts";
import {
  asText,
  pretends,
  recoded,
  withOutcome,
  withRefusals,
  withRequest,
  withCall,
  withEnvelope,
  withStatuses,
} from "../../changes.ts";
import { chosenOtherwise } from "../../choices.ts";
import { failing, failingEach, type Subject } from "../../subject.ts";
import { misreading } from "../endpoints/fields.ts";

const refusals = [
  { kill: "METHOD", code: "method_not_allowed", what: "another method" },
  { kill: "CONTENT-TYPE", code: "unsupported_media_type", what: "another content type" },
  { kill: "RATE", code: "rate_limited", what: "the rate limit" },
  { kill: "IN-FLIGHT", code: "too_many_in_flight", what: "the in-flight limit" },
  { kill: "TOO-LARGE", code: "payload_too_large", what: "a body that is too large" },
  { kill: "TIMEOUT", code: "request_timeout", what: "a body that is too slow" },
] as const satisfies readonly { kill: string; code: Code; what: string }[];

export const gaps: readonly Subject[] = [
  ...failing({
    "NOT-STORED-REFUSED: What cannot be stored ends in an internal error": withRefusals((refusal) =>
      refusal.code === "persist_failed" ? reject("internal_error") : refusal,
    ),
    "GAP-UNKNOWN-ACTION: An action's name is taken in any case": withRequest((body) =>
      typeof body["action"] === "string" ? { ...body, action: body["action"].toLowerCase() } : body,
    ),
    "GAP-UNKNOWN-ACTION: A body without an action lists the flows": withRequest((body) =>
      body["action"] === undefined ? { action: "list_flows" } : body,
    ),
    "GAP-NOT-MANAGED: A flow that is not managed is refused as if it were not there": recoded(
      flowActions,
      "not_managed",
      "not_found",
    ),
    "NOT-STORED-REFUSED: A create_flow that could not be stored is answered with a flow of its goal": withCall(
      "tryCreateManaged",
      async (input, flows) =>
        (await flows.tryCreateManaged(input)) ?? (await flows.list()).find(({ goal }) => goal === input.goal) ?? null,
    ),
  }),
  ...misreading({
    "GAP-OTHER-VALUE create_flow status: create_flow takes a status with a capital first letter": (status) =>
      status === "Queued" ? "queued" : undefined,
    "GAP-FIELDS-CREATE-FLOW create_flow goal: A blank goal of create_flow is corrected": (goal) =>
      asText(goal).trim() === "" ? "untitled" : undefined,
    "GAP-FIELDS-CREATE-FLOW create_flow goal: A missing goal of create_flow is made up": (goal) => goal ?? "untitled",
  }),
  ...chosenOtherwise,
  ...failingEach(["finished", "failed", "cancelled"], (status) => [
    `GAP-ENDED: A change of a ${status} flow has the code mutation_rejected`,
    withOutcome(changeActions, (answer) => {
      const { current } = answer.result as { current?: FlowRecord };
      const isEnded = answer.code === "terminal" && current?.status === status;
      return isEnded ? { ...answer, code: "mutation_rejected" } : answer;
    }),
  ]),
  ...failingEach(["create_flow", ...flowActions], (action) => [
    `NOT-STORED-REFUSED: ${action} that cannot be stored is accepted`,
    pretends(action, "persist_failed"),
  ]),
  ...refusals.flatMap(({ kill, code, what }) =>
    failing({
      [`GAP-REFUSED-${kill}: The status for ${what} is 400`]: withStatuses({ [code]: 400 }),
      [`GAP-REFUSED-${kill}: The code for ${what} is request_rejected`]: withEnvelope((envelope) =>
        envelope["code"] === code ? { ...envelope, code: "request_rejected" } : envelope,
      ),
    }),
  ),
];
