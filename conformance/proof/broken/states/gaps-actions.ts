/** Section 3: gaps decided otherwise than the reference profile says. */
import { revisionActions } from "../../../interface/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import type { FlowRecord, Json } from "../../../../plugin/ports.ts";
import { asText, withFlows, withOutcome, withRefusals, withRequest } from "../../changes.ts";
import { chosenOtherwise } from "../../choices.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const gap = (of: string, action: string): string => `GAP-${of}-${action.toUpperCase().replaceAll("_", "-")}`;

/** A read of an absent flow is refused. */
const absentRead = (action: string): Subject => ({
  id: `gap-absent-${action.replaceAll("_", "-")}`,
  bug: `${action} of a flow that does not exist is refused.`,
  kills: [gap("ABSENT", action)],
  change: withOutcome(action, (answer) => (Object.values(answer.result).includes(null) ? reject("not_found") : answer)),
});

/** Wrong fields of create_flow that are corrected instead of refused; undefined: as it is. */
const mended: Readonly<
  Record<string, readonly [field: string, kill: string, mend: (value?: Json) => Json | undefined]>
> = {
  "gap-blank-goal": ["goal", "BLANK-TEXT", (goal) => (/^\s*$/.test(asText(goal)) ? "untitled" : undefined)],
  "gap-missing-goal": ["goal", "MISSING-FIELD", (goal) => (goal === undefined ? "untitled" : undefined)],
  "gap-goal-cast": ["goal", "WRONG-TYPE", (goal) => (goal === undefined ? undefined : asText(goal))],
  "gap-unknown-status": ["status", "OTHER-VALUE", (status) => (status === "conformance" ? "queued" : undefined)],
};

const mends = Object.entries(mended).map(([id, [field, kill, mend]]): Subject => ({
  id,
  bug: `A ${field} that create_flow should refuse is corrected (${kill.toLowerCase()}).`,
  kills: [`GAP-${kill}`],
  change: withRequest((body) => {
    const value = body["action"] === "create_flow" ? mend(body[field]) : undefined;
    return value === undefined ? body : { ...body, [field]: value };
  }),
}));

/** Changes of an ended flow have another code. */
const ended = ([status, by]: readonly [status: string, by: string]): Subject => ({
  id: `gap-ended-${status}`,
  bug: `A change of a ${status} flow has the code mutation_rejected.`,
  kills: [gap("ENDED-BY", by)],
  change: withOutcome(revisionActions, (answer) => {
    const { current } = answer.result as { current?: FlowRecord };
    return answer.code === "terminal" && current?.status === status ? { ...answer, code: "mutation_rejected" } : answer;
  }),
});

/** A change that cannot be stored is answered as accepted. */
const pretended = (action: string): Subject => ({
  id: `gap-not-stored-${action.replaceAll("_", "-")}`,
  bug: `${action} that cannot be stored is accepted.`,
  kills: [gap("NOT-STORED", action)],
  change: withOutcome(action, ({ code, error: _error, ...answer }) =>
    code === "persist_failed" ? { ...answer, ok: true } : { ...answer, ...(code && { code }) },
  ),
});

export const gapsActions: readonly Subject[] = [
  ...chosenOtherwise,
  ...mends,
  ...["get_flow", "resolve_flow", "get_task_summary"].map(absentRead),
  ...Object.entries({ finished: "finish_flow", failed: "fail_flow", cancelled: "cancel_flow" }).map(ended),
  ...["create_flow", ...revisionActions, "cancel_flow", "run_task"].map(pretended),
  ...subjectsOf<Subject>({
    "gap-not-stored-500": {
      bug: "What cannot be stored ends in an internal error.",
      kills: ["create_flow", ...revisionActions, "run_task"].map((action) => gap("NOT-STORED", action)),
      change: withRefusals((refusal) => (refusal.code === "persist_failed" ? reject("internal_error") : refusal)),
    },
    "gap-not-stored-reads": {
      bug: "When a change could not be stored, flows are not read either until one can.",
      kills: ["GAP-NOT-STORED-READS"],
      change: withFlows((flows) => {
        let broken = false;
        return {
          get: (flowId) => {
            if (broken) throw new Error("the store is closed");
            return flows.get(flowId);
          },
          finish: async (input) => {
            const result = await flows.finish(input);
            broken = !result.applied && result.code === "persist_failed";
            return result;
          },
        };
      }),
    },
    "gap-action-in-any-case": {
      bug: "An action's name is taken in any case.",
      kills: ["GAP-UNKNOWN-ACTION"],
      change: withRequest((body) =>
        typeof body["action"] === "string" ? { ...body, action: body["action"].toLowerCase() } : body,
      ),
    },
    "gap-no-action": {
      bug: "A body without an action lists the flows.",
      kills: ["GAP-NO-ACTION"],
      change: withRequest((body) => (body["action"] === undefined ? { action: "list_flows" } : body)),
    },
    "gap-not-managed-code": {
      bug: "A flow that is not managed is refused as if it were not there.",
      kills: ["GAP-NOT-MANAGED"],
      change: withOutcome([...revisionActions, "run_task", "cancel_flow"], (answer) =>
        answer.code === "not_managed" ? reject("not_found") : answer,
      ),
    },
    "persist-set-waiting-half": {
      bug: "A set_waiting that cannot be stored has changed the flow in memory all the same.",
      kills: ["GAP-NOT-STORED-SET-WAITING"],
      change: withFlows((flows) => {
        const halfDone = new Set<string>();
        return {
          async setWaiting(input) {
            const result = await flows.setWaiting(input);
            if (!result.applied && result.code === "persist_failed") halfDone.add(input.flowId);
            else halfDone.delete(input.flowId);
            return result;
          },
          async get(flowId) {
            const flow = await flows.get(flowId);
            return flow && halfDone.has(flowId) ? { ...flow, status: "waiting" } : flow;
          },
        };
      }),
    },
    "persist-create-listed": {
      bug: "A create_flow that could not be stored is refused, and in the list all the same.",
      kills: ["GAP-NOT-STORED-NOT-LISTED"],
      change: withFlows((flows) => {
        const refused: string[] = [];
        return {
          async tryCreateManaged(input) {
            const created = await flows.tryCreateManaged(input);
            if (created === null) refused.push(input.goal ?? "");
            return created;
          },
          async list() {
            const stored = await flows.list();
            const unstored = stored
              .slice(0, 1)
              .flatMap((flow) => refused.map((goal, index) => ({ ...flow, flowId: `${flow.flowId}-${index}`, goal })));
            return [...stored, ...unstored];
          },
        };
      }),
    },
  }),
];
