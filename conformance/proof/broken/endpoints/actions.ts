/** Sections 3, 4 and 7: wrong results of actions, valid and refused. */
import { accept, reject } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { revisionActions } from "../../../interface/fields.ts";
import { recoded, together, withCall, withCreation, withOutcome, withStatuses, withRefusals } from "../../changes.ts";
import { failing, type Subject } from "../../subject.ts";

/** Actions that give an absent flow another code. */
const others = [
  ...revisionActions.map((action) => [action, "mutation_rejected"] as const),
  ["run_task", "task_not_created"] as const,
];

export const actions: readonly Subject[] = [
  ...others.flatMap(([action, code]) =>
    failing("ACTION-ABSENT", {
      [`${action} of a flow that does not exist has the code ${code}`]: recoded(action, "not_found", code),
    }),
  ),
  ...failing("ACTION-ABSENT", {
    "cancel_flow of a flow that does not exist is accepted, as if it had been cancelled long ago": withOutcome(
      "cancel_flow",
      (answer) => (answer.code === "not_found" ? accept({ found: false, cancelled: true }) : answer),
    ),
  }),
  ...failing("FIELD-VALUES-FINISH-FLOW", {
    "A missing field gets 422 with the code request_rejected": together(
      withStatuses({ request_rejected: 422 }),
      withRefusals((refusal) => (refusal.code === "invalid_request" ? reject("request_rejected") : refusal), "action"),
    ),
  }),
  ...failing("CREATE-FLOW-FIELDS", {
    "Every flow gets the same id": { runtime: { ids: () => "flow" } },
    "create_flow gives the id of the new flow without its revision": withOutcome("create_flow", (answer) => {
      const { flow } = answer.result as { flow?: FlowRecord };
      return flow === undefined ? answer : { ...answer, result: { created: true, flowId: flow.flowId } };
    }),
    "create_flow gives the newest flow again where it has the same goal and controller and nothing was done with it":
      withCall("tryCreateManaged", async (input, flows) => {
        const [newest] = await flows.list();
        if (newest?.goal !== input.goal || newest.controllerId !== input.controllerId)
          return flows.tryCreateManaged(input);
        const unused = newest.revision === 0 && (await flows.getTaskSummary(newest.flowId))?.total === 0;
        return unused ? newest : flows.tryCreateManaged(input);
      }),
    "A status sent with create_flow is ignored: every flow begins running": withCreation((input) => ({
      ...input,
      status: "running",
    })),
  }),
];
