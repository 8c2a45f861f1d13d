/** Sections 2 to 4: what create_flow is given is what the flow has, and each request makes a flow of its own. */
import type { Case } from "../../harness/case.ts";
import type { ActionName } from "../../interface/fields.ts";
import { goals, namesOf } from "../../oracle/flow-factors.ts";
import { readOf } from "../../oracle/flow-requests.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { create } from "../../oracle/play/flow-set-up.ts";
import type { Row, Table } from "../../oracle/rows.ts";

const reads = ["get_flow", "list_flows"] as const satisfies readonly ActionName[];

const table = {
  factors: {
    goal: namesOf(goals),
    status: ["absent", "queued"],
    notifyPolicy: ["absent", "done_only"],
    by: ["one route", "a sibling reads"],
    sent: ["once", "twice"],
    read: reads,
  },
  // No goal has to be new: a few show that.
  allows: ({ goal, sent }) => sent !== "twice" || ["plain", "zero", undefined].includes(goal),
} as const satisfies Table;

async function play(
  one: Play,
  { goal, status, notifyPolicy, by, sent, read }: Row<(typeof table)["factors"]>,
): Promise<void> {
  const fields = {
    goal: goals[goal],
    ...(status === "queued" && { status }),
    ...(notifyPolicy === "done_only" && { notifyPolicy }),
  };
  const names = sent === "once" ? ["f1"] : ["f1", "f2"];
  for (const name of names) await create(one, name, "route", fields);
  await one.send(readOf(one.world, read, "f1", by === "a sibling reads" ? "sibling" : "route"));
}

export const creationRows: readonly Case[] = [
  flowRows({
    id: "CREATE-FLOW-FIELDS",
    title: "create_flow makes a new flow each time, with the goal, status and notifyPolicy that it was given",
    clauses: [
      "ACTION-CREATE-FLOW",
      "STATE-CREATE",
      "FLOW-GOAL",
      "FLOW-IDENTITY",
      "SESSION-WHOLE",
      "ACTION-GET-FLOW",
      "ACTION-LIST-FLOWS",
      "REVISION-UNCHANGED",
    ],
    requests: 110,
    reading:
      "How long a goal may be and which characters it may have is open (section 8), but an accepted one is shown as it was " +
      "given: only the white space around it may go, and half a character may be replaced.",
    table,
    play,
  }),
];
