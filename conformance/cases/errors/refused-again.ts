/** Section 7: a refusal is right the first time, the third and the tenth, whatever was accepted in between. */
import { change, createFlow } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { type Request } from "../../interface/request.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell, mustRefuseCell } from "../../harness/cells.ts";
import { mustTakeTwin, type Refusal } from "../../harness/checks.ts";
import { absentId } from "../../harness/flows.ts";
import { invalid } from "../../harness/spoilt-requests.ts";
import { rightTask } from "../../harness/tasks.ts";

interface Rule {
  readonly what: string;
  readonly request: Request;
  readonly as: Refusal;
}

const times = Array.from({ length: 10 }, (_, index) => `time ${String(index + 1).padStart(2, "0")}`);
/** After these, right requests come in between: the third and the tenth time are told apart from a row of three. */
const TWIN_AFTER = times[2];

const reading =
  "No rule has an exception for a request that was refused before. Each is sent ten times in a row, with a right " +
  "request after the third.";

export const refusedAgainCases: readonly Case[] = [
  {
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
    reading,
    async run(trial) {
      const body = createFlow("refused");
      const request = trial.right(body);
      const flow = await trial.flow();
      const right = await rightTask(trial, flow.flowId);
      mustTakeTwin(await trial.post(right));
      const task = (more: Record<string, unknown>) => trial.right({ ...right, ...more });
      const rules: Rule[] = [
        { what: "another method", request: spoilt(request, "METHOD"), as: {} },
        { what: "another content type", request: spoilt(request, "CONTENT-TYPE"), as: {} },
        { what: "a wrong secret", request: spoilt(request, "AUTH"), as: { status: 401 } },
        { what: "malformed JSON", request: spoilt(request, "BAD-JSON"), as: invalid },
        { what: "a runtime in capitals", request: task({ runtime: "ACP" }), as: invalid },
        { what: "progress without a status", request: task({ progressSummary: "half of it" }), as: invalid },
        { what: "run_task without flowId", request: task({ flowId: undefined }), as: invalid },
        {
          what: "finish_flow of an absent flow",
          request: trial.right(change("finish_flow", { ...flow, flowId: absentId(flow.flowId) })),
          as: { code: "not_found" },
        },
      ];
      const visit = everyCell(
        trial,
        rules.map(({ what }) => what),
        times,
      );
      for (const { what, request: refused, as } of rules)
        for (const time of times) {
          const exchange = await trial.send(refused);
          visit(what, time);
          mustRefuseCell({ column: what, row: time }, exchange, as);
          if (time === TWIN_AFTER) mustTakeTwin(await trial.post(trial.cheapBody));
        }
    },
  },
];
