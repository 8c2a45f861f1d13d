/** Section 7: what is refused for a flow that does not exist, and that a refusal is right the first time, the third and the tenth. */
import { absentId } from "../../harness/flows.ts";
import type { Case } from "../../harness/case.ts";
import { changeActions, flowActions, type FlowAction } from "../../interface/flow-model.ts";
import type { SendStep } from "../../story/story.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { create, flowOf } from "../../oracle/play/flow-set-up.ts";
import { change, createFlow } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import type { ActionBody, Request } from "../../interface/request.ts";
import { mustRefuseCell } from "../../harness/cells.ts";
import { mustTakeTwin, type FlowView, type Refusal } from "../../harness/checks.ts";
import { invalid } from "../../harness/spoilt-requests.ts";
import { rightTask } from "../../harness/tasks.ts";
import { flowReads, namesOf } from "../../oracle/flow-factors.ts";
import { rowCase } from "../../oracle/row-case.ts";

interface Rule {
  readonly as: Refusal;
  /** `right`: a create_flow; a body is that of a whole request. `task`: a right run_task of the flow. */
  readonly request: (right: Request, flow: FlowView, task: ActionBody) => Request | ActionBody;
}

const rules: Readonly<Record<string, Rule>> = {
  "another method": { as: {}, request: (right) => spoilt(right, "METHOD") },
  "another content type": { as: {}, request: (right) => spoilt(right, "CONTENT-TYPE") },
  "a wrong secret": { as: { status: 401 }, request: (right) => spoilt(right, "AUTH") },
  "malformed JSON": { as: invalid, request: (right) => spoilt(right, "BAD-JSON") },
  "a runtime in capitals": { as: invalid, request: (_right, _flow, task) => ({ ...task, runtime: "ACP" }) },
  "progress without a status": {
    as: invalid,
    request: (_right, _flow, task) => ({ ...task, progressSummary: "half of it" }),
  },
  "run_task without flowId": { as: invalid, request: (_right, _flow, task) => ({ ...task, flowId: undefined }) },
  "finish_flow of an absent flow": {
    as: { code: "not_found" },
    request: (_right, flow) => change("finish_flow", { ...flow, flowId: absentId(flow.flowId) }),
  },
};

const isFlow = (value: unknown): boolean => typeof value === "object" && value !== null && "$flow" in value;

const TIMES = 10;
/** After so many, a right request comes in between: the third and the tenth time are told apart from a row of three. */
const TWIN_AFTER = 3;

export const refusedCases: readonly Case[] = [
  flowRows({
    id: "ACTION-ABSENT",
    title:
      "A change, cancellation or task of a flow that does not exist has the code not_found; no read shows such a flow",
    clauses: ["ERROR-NOT-FOUND", "RUN-TASK-FLOW", "STATE-CREATE", "ERROR-INVALID", "ACTION-RESOLVE-FLOW"],
    requests: 60,
    reading: "The status of not_found is open, and so are the fields of cancel_flow.",
    table: {
      factors: {
        action: [...flowActions, ...flowReads],
        by: ["one route", "a sibling acts"],
        sent: ["once", "three times"],
      },
    },
    async play(one, { action, by, sent }) {
      const { world } = one;
      await create(one, "f1");
      const { flowId, revision } = flowOf(one, "f1");
      const route = by === "one route" ? "route" : "sibling";
      const stepFor = (name: string): SendStep => {
        const read = flowReads.find((known) => known === action);
        if (read !== undefined) return readOf(world, read, name, route);
        return sendOf(world, action as FlowAction, name, { route, ...(revision === undefined && { revision }) });
      };
      // Whether the fields of these are taken is learned from a right one.
      if (!changeActions.some((known) => known === action)) {
        await create(one, "f2");
        await one.send(stepFor("f2"));
      }
      const { body = {}, ...step } = stepFor("f1");
      const absent = Object.entries(body).map(([name, value]) => [name, isFlow(value) ? absentId(flowId) : value]);
      for (let left = sent === "once" ? 1 : 3; left > 0; left -= 1)
        await one.send({ ...step, body: Object.fromEntries(absent) as typeof body });
    },
  }),
  rowCase({
    id: "REFUSED-AGAIN",
    title: "A request that is refused is refused each of ten times",
    clauses: [
      "METHOD-POST",
      "CONTENT-TYPE",
      "AUTH-REQUIRED",
      "BODY-OBJECT",
      "ERROR-NOT-FOUND",
      "RUN-TASK-RUNTIME",
      "RUN-TASK-FLOW",
      "RUN-TASK-RUNNING-FIELDS",
      "ERROR-INVALID",
    ],
    requests: 118,
    reading:
      "No rule has an exception for a request that was refused before. Each is sent ten times in a row, with a right " +
      "request after the third.",
    table: { factors: { rule: namesOf(rules), sent: ["ten times"] } },
    async play(trial, { rule }) {
      const { as, request } = rules[rule] ?? { as: {}, request: (right: Request) => right };
      const flow = await trial.flow();
      const task = await rightTask(trial, flow.flowId);
      mustTakeTwin(await trial.post(task));
      const made = request(trial.right(createFlow("refused")), flow, task);
      for (let time = 1; time <= TIMES; time += 1) {
        const exchange = await trial.send("action" in made ? trial.right(made) : made);
        mustRefuseCell({ column: rule, row: `time ${String(time).padStart(2, "0")}` }, exchange, as);
        if (time === TWIN_AFTER) mustTakeTwin(await trial.post(trial.facts.cheapBody));
      }
    },
  }),
];
