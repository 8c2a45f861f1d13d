/** Section 3: the state and wait data of set_waiting are stored as they were sent. */
import type { Case } from "../../harness/case.ts";
import { data, namesOf } from "../../oracle/flow-factors.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowClauses } from "../../oracle/judge.ts";
import { flowRows, type Play } from "../../oracle/play/flow-rows.ts";
import { bring } from "../../oracle/play/flow-set-up.ts";
import type { Row, Table } from "../../oracle/rows.ts";

const table = {
  factors: {
    data: namesOf(data),
    fields: ["state", "wait", "state and wait"],
    state: ["new", "waiting"],
    by: ["one route", "a sibling reads"],
    read: ["get_flow", "list_flows"],
  },
  // Alone it shows whether views show such data.
  allows: ({ data, fields }) => fields !== "wait" || data === undefined || data === "an object",
} as const satisfies Table;

async function play(one: Play, { data: name, fields, state, by, read }: Row<(typeof table)["factors"]>): Promise<void> {
  await bring(one, "f1", { state });
  const value = data[name];
  const more = { ...(fields !== "wait" && { stateJson: value }), ...(fields !== "state" && { waitJson: value }) };
  await one.send(sendOf(one.world, "set_waiting", "f1", { more, route: "route" }));
  await one.send(readOf(one.world, read, "f1", by === "a sibling reads" ? "sibling" : "route"));
}

export const dataRows: readonly Case[] = [
  flowRows({
    id: "STATES-DATA",
    title: "State and wait data of every JSON type are shown as set_waiting was given them",
    clauses: flowClauses,
    requests: 110,
    reading:
      "Their names and the forms that a target takes are open. What it accepts is shown as it was sent, or as its JSON text, " +
      "wherever a view shows such data at all.",
    table,
    play,
  }),
];
