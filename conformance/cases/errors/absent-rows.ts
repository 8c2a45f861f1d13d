/** Section 7: an action on a flow that does not exist has the code not_found. */
import { absentId } from "../../harness/flows.ts";
import type { Case } from "../../harness/case.ts";
import { flowActions } from "../../interface/flow-model.ts";
import { sendOf } from "../../oracle/flow-requests.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { create, flowOf } from "../../oracle/play/flow-set-up.ts";
import type { Row, Table } from "../../oracle/rows.ts";

const table = {
  factors: {
    action: flowActions,
    by: ["one route", "a sibling acts"],
    sent: ["once", "three times"],
  },
} as const satisfies Table;

async function play(one: Play, { action: name, by, sent }: Row<(typeof table)["factors"]>): Promise<void> {
  const { world } = one;
  await create(one, "f1");
  const action = flowActions.find((known) => known === name) ?? "finish_flow";
  // Whether the fields of cancel_flow and run_task are taken is learned from a right one.
  if (action === "cancel_flow" || action === "run_task") {
    await create(one, "f2");
    await one.send(sendOf(world, action, "f2"));
  }
  const { flowId, revision } = flowOf(one, "f1");
  const absent = { [action === "cancel_flow" ? world.fields.cancelFlowId : "flowId"]: absentId(flowId) };
  const route = by === "one route" ? "route" : "sibling";
  const step = sendOf(world, action, "f1", {
    more: absent,
    route,
    ...(revision === undefined && { revision: undefined }),
  });
  for (let left = sent === "once" ? 1 : 3; left > 0; left -= 1) await one.send(step);
}

export const absentRows: readonly Case[] = [
  flowRows({
    id: "ACTION-ABSENT",
    title: `${flowActions.join(", ")}: each has the code not_found for a flow that does not exist`,
    clauses: ["ERROR-NOT-FOUND", "RUN-TASK-FLOW", "STATE-CREATE", "ERROR-INVALID"],
    requests: 60,
    reading: "The status of not_found is open, and so are the fields of cancel_flow.",
    table,
    play,
  }),
];
