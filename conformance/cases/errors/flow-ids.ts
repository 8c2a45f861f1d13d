/** Section 7: flow ids of unusual shapes. */
import { smallest } from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import { describe, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, isRefused, twin } from "../../harness/checks.ts";
import { changeActions, waitingFlow } from "../../harness/flows.ts";

/** Ids that no flow has, each in a shape that some stores do not accept as an id. */
const oddIds: Readonly<Record<string, string>> = {
  "a word": "absent",
  "a negative number": "-1",
  "the name __proto__": "__proto__",
  "the name constructor": "constructor",
  "a text of 1,000 letters": "x".repeat(1000),
  "a text with a NUL in it": "a\u0000b",
};

const changing: readonly ActionName[] = [...changeActions, "cancel_flow", "run_task"];
const reading: readonly ActionName[] = ["get_flow", "resolve_flow", "get_task_summary"];

const statusOf = ({ answer }: Exchange): number => answer?.status ?? 0;

export const flowIdCases: readonly Case[] = [
  {
    id: "ACTION-ODD-FLOW-ID",
    title: "A flowId of an unusual shape gets a 4xx, never a 5xx",
    clauses: ["ERROR-NOT-FOUND", "ERROR-INVALID"],
    level: "should",
    requests: 40,
    reading:
      "No flow has such an id. Whether the target calls it not found or invalid is open, and so is the answer to a read; " +
      "after a 5xx the caller would retry.",
    async run(trial) {
      const flow = await waitingFlow(trial);
      let turn = 0;
      for (const [what, flowId] of Object.entries(oddIds)) {
        const ask = (action: ActionName) => trial.post(smallest(action, { ...flow, flowId }, trial.profile.fields));
        const first = (turn += 1) % 2;
        // Each id with every second action, in turns.
        for (const action of changing.filter((_, at) => at % 2 === first)) {
          const exchange = await ask(action);
          const isFit = isRefused(exchange, {}) && statusOf(exchange) < 500;
          check(isFit, `${action} refused with a 4xx status for ${what}`, describe(exchange), exchange);
        }
        for (const action of reading.filter((_, at) => at % 2 === first)) {
          const exchange = await ask(action);
          const isFit = exchange.answer !== undefined && statusOf(exchange) < 500;
          check(isFit, `${action} answered with a status below 500 for ${what}`, describe(exchange), exchange);
        }
      }
      twin(await trial.post(smallest("set_waiting", flow)));
    },
  },
];
