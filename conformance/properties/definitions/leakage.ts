/** Any sequence on several routes, with contents of every kind: no canary in any form in any response. */
import * as fc from "fast-check";
import { changeActions } from "../../interface/flow-model.ts";
import { creationOf } from "../../oracle/flow-requests.ts";
import { CHILD_CANARY, flowPlayer } from "../../oracle/play/flow-player.ts";
import { tooFewJudged } from "../../oracle/visits.ts";
import type { Step } from "../../story/story.ts";
import { intentOf, jsonData, text, type Intent } from "../generate/intents.ts";
import { planIntent } from "../generate/plan.ts";
import type { Property } from "./property.ts";

const LENGTH = 17;
const clauses = ["NO-METADATA", "TASK-VIEW"] as const;

const about = intentOf({
  action: fc.constantFrom(...changeActions, "cancel_flow", "list_flows"),
  column: fc.constantFrom("waiting", "blocked", "finished"),
  revision: fc.constantFrom("current", "stale"),
  nth: fc.nat(1),
});

/** Child tasks of sessions with every kind of name: none of them may be shown. */
const children = intentOf({
  action: "run_task",
  more: fc.record({ childSessionKey: text.map((key) => `${CHILD_CANARY}${key}`), task: text }),
  looks: true,
});

const contents = intentOf({
  action: "create_flow",
  more: fc.record({ goal: text, stateJson: jsonData, currentStep: text }),
});

/** Requests from another session's route. */
const strangers = intentOf({ action: fc.constantFrom("look", ...changeActions), route: "stranger" });

export const leakage: Property<Intent> = {
  id: "PROPERTY-LEAKAGE",
  title: "No answer of any sequence on several routes holds a session key, owner metadata or a secret, in any form",
  clauses,
  reading: "Looked for as they are, in other cases, percent-encoded, in hex and base64, in bodies and in headers.",
  runs: 2,
  player: flowPlayer(clauses),
  coverageGap: tooFewJudged,
  begin: [creationOf("f1"), creationOf("f2", "stranger")],
  intents: fc.array(fc.oneof({ arbitrary: about, weight: 3 }, children, contents, strangers), {
    minLength: LENGTH,
    maxLength: LENGTH,
    size: "max",
  }),
  *plan(world, intent): Generator<Step> {
    yield* planIntent(world, intent);
    // The second refusal may say more than the first.
    if (intent.revision === "stale") yield* planIntent(world, intent);
  },
};
