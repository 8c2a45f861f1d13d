/** Section 3: actions whose only condition is an existing flow (and its revision), in each state of a flow. */
import { change, getFlow, smallest } from "../../../fixtures/bodies.ts";
import type { ActionName } from "../../../fixtures/fields.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import {
  blockedFlow,
  changeActions,
  changed,
  guarded,
  mustBeUnchanged,
  readBack,
  shownIn,
  understood,
  waitingFlow,
} from "../../harness/flows.ts";
import { taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

interface State {
  readonly id: string;
  reach(trial: Trial): Promise<FlowView>;
}

const states: readonly State[] = [
  { id: "QUEUED", reach: (trial) => trial.flow({ status: "queued" }) },
  { id: "WAITING", reach: waitingFlow },
  { id: "BLOCKED", reach: blockedFlow },
  { id: "RESUMED", reach: async (trial) => changed(trial, "resume_flow", await waitingFlow(trial)) },
];

/** Those that section 3 gives no other condition. */
const unconditional: readonly ActionName[] = [
  "set_waiting",
  "finish_flow",
  "fail_flow",
  "request_cancel",
  "cancel_flow",
  "run_task",
];

const stateCases: readonly Case[] = states.map(({ id, reach }) => ({
  id: `ACTION-FROM-${id}`,
  title: `A ${id.toLowerCase()} flow is changed, ended, cancelled and given a task`,
  clauses: ["STATE-SET-WAITING", "STATE-FINISH", "STATE-FAIL", "STATE-REQUEST-CANCEL", "STATE-CANCEL", "RUN-TASK-FLOW"],
  level: "must",
  requests: 36,
  reading: "Section 3 asks that the flow exists and the revision is the current one, and nothing of its state.",
  async run(trial) {
    const form = await taskForm(trial, (await trial.flow()).flowId);
    for (const action of unconditional) {
      const flow = await reach(trial);
      const more = action === "run_task" ? form : {};
      const exchange = await trial.post({ ...smallest(action, flow, trial.profile.fields), ...more });
      if (action === "cancel_flow") understood(exchange, action);
      else mustAccept(exchange, `${action} of a ${id.toLowerCase()} flow accepted`);
    }
    await guarded(trial, trial.route);
  },
}));

/** Ids that an inexact look-up would match. Part of a short id may be the id of another flow. */
const nearIds = (flowId: string): Readonly<Record<string, string>> => ({
  ...(flowId.length >= 16 && {
    "the beginning of its id": flowId.slice(0, -2),
    "the end of its id": flowId.slice(2),
  }),
  "its id with more behind it": `${flowId}x`,
  "the wildcard %": "%",
  "the wildcard *": "*",
});

export const anyStateCases: readonly Case[] = [
  ...stateCases,
  {
    id: "ACTION-ID-EXACT",
    title: "A flow is found by its whole id, not by a part of it or a wildcard",
    clauses: ["ERROR-NOT-FOUND", "ACTION-GET-FLOW"],
    level: "must",
    requests: 40,
    reading: "No flow has such an id: a change of it is refused, whatever for, and a read shows no flow.",
    async run(trial) {
      const flow = await waitingFlow(trial);
      const before = await readBack(trial, flow.flowId);
      for (const [what, flowId] of Object.entries(nearIds(flow.flowId))) {
        for (const action of changeActions) {
          const exchange = await trial.post(change(action, { ...flow, flowId }));
          check(!isAccepted(exchange), `${action} refused for ${what}`, describe(exchange), exchange);
        }
        const read = await trial.post(getFlow(flowId, trial.profile.fields));
        check(shownIn(read, flow.flowId) === undefined, `no flow for ${what}`, "the flow", read);
      }
      const refused = mustRefuse(await trial.post(change("finish_flow", { ...flow, flowId: `${flow.flowId}x` })));
      await mustBeUnchanged(trial, before, refused);
      twin(await trial.post(change("finish_flow", flow)));
    },
  },
];
