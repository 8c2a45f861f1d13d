/** Sections 2 to 4: what create_flow is given is what the flow has, and each request makes a flow of its own. */
import type { Case } from "../../harness/case.ts";
import type { ActionName } from "../../interface/fields.ts";
import { goals, namesOf } from "../../oracle/flow-factors.ts";
import { creationOf, readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { bring, create } from "../../oracle/play/flow-set-up.ts";
import type { Row, Table } from "../../oracle/rows.ts";
import type { RouteName } from "../../story/story.ts";

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
  // No goal has to be new: a few show that. A refused goal that a target may refuse would hide that the other fields are.
  allows: ({ goal, sent, status, notifyPolicy }) =>
    (sent !== "twice" || ["plain", "zero", undefined].includes(goal)) &&
    ([goal, status, notifyPolicy].includes(undefined) ||
      goal === "plain" ||
      (status === "absent") === (notifyPolicy === "absent")),
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

/** Names under which a target might take the id of a new flow from the body. */
const replacing = (by: RouteName) =>
  ({ factors: { state: ["waiting", "new"], field: ["flowId", "id"], by: [by] } }) as const satisfies Table;

async function playReplacing(
  one: Play,
  { state, field, by }: Row<ReturnType<typeof replacing>["factors"]>,
): Promise<void> {
  await bring(one, "f1", { state });
  const creation = creationOf("f2");
  // A target may refuse the field.
  await one.send({ ...creation, route: by, body: { ...creation.body, [field]: { $flow: "f1" } } });
  await one.send(readOf(one.world, "get_flow", "f1"));
  await one.send(sendOf(one.world, "set_waiting", "f1"));
}

export const creationRows: readonly Case[] = [
  flowRows({
    id: "SESSION-FOREIGN-CREATE-FLOW",
    title: "create_flow with the id of a flow of another session leaves that flow as it was",
    clauses: ["SESSION-BOUND"],
    requests: 30,
    table: replacing("stranger"),
    play: playReplacing,
  }),
  flowRows({
    id: "SESSION-SIBLING-CREATE-FLOW",
    title: "create_flow with the id of a flow of the same session leaves that flow as it was",
    clauses: ["STATE-CREATE", "REVISION-UNCHANGED"],
    level: "should",
    requests: 30,
    reading: "create_flow makes a flow; what changes one that is there needs its revision.",
    table: replacing("sibling"),
    play: playReplacing,
  }),
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
