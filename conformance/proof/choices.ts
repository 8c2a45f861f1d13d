/**
 * Choices that the interface leaves open and the reference profile makes in another way. Each is a lawful subject for
 * profile `spec`, and with the reference profile a broken one, which the case of its gap has to see.
 */
import { revisionActions } from "../interface/fields.ts";
import { accept, reject } from "../../plugin/answer.ts";
import type { Code } from "../../plugin/codes.ts";
import { withFlows, withOutcome, withRefusals, withRequest, withStatuses, withFlowShown } from "./changes.ts";
import { lawful, type Change, type Different, type Subject } from "./subject.ts";

interface Choice {
  readonly choice: string;
  /** The case that sees it with the reference profile. */
  readonly kill: string;
  readonly change: Change;
}

/** A status is shown under another name. */
export const shownAs = (status: string, shown: string): Change =>
  withFlowShown((flow) => (flow.status === status ? { ...flow, status: shown } : flow));

/** Some actions refuse with another code. */
const recoded = (actions: string | readonly string[], from: Code, to: Code): Change =>
  withOutcome(actions, (answer) => (answer.code === from ? { ...answer, code: to } : answer));

const choices: Readonly<Record<string, Choice>> = {
  "unknown-action-code": {
    choice: "an unknown action has the code request_rejected",
    kill: "GAP-UNKNOWN-ACTION",
    change: withRefusals((refusal, { body, context }, stage) => {
      const { action } = body ?? {};
      const unknown = typeof action === "string" && !context.parts.actions.some(({ name }) => name === action);
      return stage === "action" && unknown ? reject("request_rejected") : refusal;
    }),
  },
  "unknown-field": {
    choice: "a field that an action does not have is ignored",
    kill: "GAP-UNKNOWN-FIELD",
    change: withRequest((body, { parts }) => {
      const action = parts.actions.find(({ name }) => name === body["action"]);
      const known = ["action", ...Object.keys(action?.schema.shape ?? {})];
      return Object.fromEntries(Object.entries(body).filter(([field]) => known.includes(field)));
    }),
  },
  "resumed-running": {
    choice: "a resumed flow is running",
    kill: "GAP-RESUMED-STATUS",
    change: withFlows((flows) => ({ resume: (input) => flows.resume({ status: "running", ...input }) })),
  },
  "default-status": {
    choice: "a flow created without a status is running",
    kill: "GAP-DEFAULT-STATUS",
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => flows.tryCreateManaged({ status: "running", ...input }),
    })),
  },
  "default-notify-policy": {
    choice: "a flow created without a notifyPolicy is silent",
    kill: "GAP-DEFAULT-NOTIFY-POLICY",
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => flows.tryCreateManaged({ notifyPolicy: "silent", ...input }),
    })),
  },
  "first-revision-1": {
    choice: "a new flow has the revision 1",
    kill: "GAP-FIRST-REVISION",
    change: { runtime: { numbering: { shown: (revision) => revision + 1, stored: (revision) => revision - 1 } } },
  },
  "revision-step-2": {
    choice: "each change adds 2 to the revision",
    kill: "GAP-REVISION-STEP",
    change: { runtime: { numbering: { shown: (revision) => 2 * revision, stored: (revision) => revision / 2 } } },
  },
  "resume-code": {
    choice: "a resume of a flow that does not wait has the code request_rejected",
    kill: "GAP-RESUME-CODE",
    change: recoded("resume_flow", "mutation_rejected", "request_rejected"),
  },
  "ended-code": {
    choice: "a change of an ended flow has the code request_rejected",
    kill: "GAP-ENDED-BY-FINISH-FLOW",
    change: recoded(revisionActions, "terminal", "request_rejected"),
  },
  "not-found-400": {
    choice: "not_found has the status 400",
    kill: "GAP-NOT-FOUND-STATUS",
    change: withStatuses({ not_found: 400 }),
  },
  "cancel-ended": {
    choice: "cancel_flow of an ended flow is accepted",
    kill: "GAP-ENDED-BY-FINISH-FLOW",
    change: withOutcome("cancel_flow", (answer) => (answer.code === "terminal" ? accept(answer.result) : answer)),
  },
  "cancelled-name": {
    choice: "a cancelled flow is called canceled",
    kill: "CANCEL-STATUS",
    change: shownAs("cancelled", "canceled"),
  },
};

const table = Object.entries(choices);

export const chosenOtherwise: readonly Subject[] = table.map(([id, { choice, kill, change }]) => {
  return { id: `gap-${id}`, bug: `With the reference profile: ${choice}.`, kills: [kill], change };
});

export const freeChoices: readonly Different[] = table.flatMap(([, { choice, change }]) =>
  lawful({ [choice]: change }),
);
