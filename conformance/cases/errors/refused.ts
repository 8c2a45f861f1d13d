/** Section 7: what is refused for a flow that does not exist, the first time and the sixth. */
import { absentId } from "../../harness/flows.ts";
import type { Case } from "../../harness/case.ts";
import { jsonTypeOf, partsIn } from "../../harness/checks.ts";
import { departure } from "../../harness/finding.ts";
import { envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { actionClause } from "../../interface/clauses/index.ts";
import { changeActions, flowActions, type FlowAction } from "../../interface/flow-model.ts";
import type { SendStep } from "../../story/story.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { createNamed, namedFlow } from "../../oracle/play/flow-set-up.ts";
import { actorOf, flowReads } from "../../oracle/flow-factors.ts";

/** What an accepted answer is made of: a table of flows that inherits names shows something else for one of those. */
const typesIn = (exchange: Exchange | undefined): string | undefined =>
  exchange && isAccepted(exchange)
    ? partsIn(envelopeOf(exchange)?.result)
        .map(([name, value]) => `${name}: ${jsonTypeOf(value)}`)
        .join(", ")
    : undefined;

const isFlow = (value: unknown): boolean => typeof value === "object" && value !== null && "$flow" in value;

export const refusedCases: readonly Case[] = [
  flowRows({
    id: "ACTION-ABSENT",
    title: "A change, cancel_flow or run_task of a flow that does not exist gets not_found",
    clauses: ["ERROR-NOT-FOUND", "RUN-TASK-FLOW", "STATE-CREATE", "ERROR-INVALID", "ACTION-RESOLVE-FLOW"],
    requests: 60,
    reading: "The status of not_found is open, and so are the fields of cancel_flow.",
    table: {
      factors: {
        action: [...flowActions, ...flowReads],
        by: ["one route", "a sibling acts"],
        sent: ["once", "six times"],
      },
    },
    async play(one, { action, by, sent }) {
      const { world } = one;
      await createNamed(one, "f1");
      const { flowId, revision } = namedFlow(one, "f1");
      const route = actorOf(by);
      const stepFor = (name: string): SendStep => {
        const read = flowReads.find((known) => known === action);
        if (read !== undefined) return readOf(world, read, name, route);
        return sendOf(world, action as FlowAction, name, { route, ...(revision === undefined && { revision }) });
      };
      // Whether the fields of these are taken is learned from a right one.
      if (!changeActions.some((known) => known === action)) {
        await createNamed(one, "f2");
        await one.send(stepFor("f2"));
      }
      const { body = {}, ...step } = stepFor("f1");
      const ask = async (id: string) => {
        const fields = Object.entries(body).map(([name, value]) => [name, isFlow(value) ? id : value]);
        await one.send({ ...step, body: Object.fromEntries(fields) as typeof body });
        return typesIn(one.trial.last[0]);
      };
      let usual: string | undefined;
      for (let left = sent === "once" ? 1 : 6; left > 0; left -= 1) usual = await ask(absentId(flowId));
      for (const id of action === "resolve_flow" && sent === "once" ? ["constructor", "__proto__"] : []) {
        const types = await ask(id);
        if (types !== undefined && usual !== undefined && types !== usual)
          one.depart(
            departure(actionClause(action), `${action} of "${id}" answered as of any flow that is not there`, types),
          );
      }
    },
  }),
];
