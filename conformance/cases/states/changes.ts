/** Section 3: a change sets what it is about, and nothing else. */
import { change } from "../../interface/bodies.ts";
import { isAccepted } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustTakeTwin } from "../../harness/checks.ts";
import { readBack } from "../../harness/flows.ts";

export const changeCases: readonly Case[] = [
  {
    id: "ACTION-CHANGE-OTHER-FIELDS",
    title: "A change cannot set goal, status or controllerId to what the request names",
    clauses: ["FLOW-GOAL", "STATE-SET-WAITING", "STATE-FINISH"],
    level: "should",
    requests: 24,
    reading:
      "These fields belong to create_flow. To refuse them is lawful as well; a target that lets a change set them says so elsewhere.",
    async run(trial) {
      const named = { goal: "another goal", controllerId: "conformance/another" };
      let accepted = 0;
      let shown = 0;
      for (const [action, status, other] of [
        ["set_waiting", "waiting", "finished"],
        ["finish_flow", "finished", "queued"],
      ] as const) {
        for (const [field, value] of Object.entries({ ...named, status: other })) {
          const flow = await trial.flow();
          const exchange = await trial.post(change(action, flow, { [field]: value }));
          if (!isAccepted(exchange)) continue;
          accepted += 1;
          const view = await readBack(trial, flow.flowId);
          const right = field === "status" ? status : flow[field];
          if (view?.[field] === undefined || right === undefined) continue;
          shown += 1;
          check(view[field] === right, `${field} as ${action} makes it`, `that of the request`, exchange);
        }
        mustTakeTwin(await trial.post(change(action, await trial.flow())));
      }
      if (accepted > 0 && shown === 0) throw new NotApplicable("no view shows a goal, a status or a controllerId");
    },
  },
];
