/** Sections 1 and 4: a session with many flows keeps each of them, and shows no other session's for it. */
import type { Case } from "../../harness/case.ts";
import { readOf, sendOf } from "../../oracle/flow-requests.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { apart, create } from "../../oracle/play/flow-set-up.ts";

/** More than a page of fifty, or of 64. */
const FLOWS = 66;

export const manyFlowCases: readonly Case[] = [
  flowRows({
    id: "SESSION-MANY-FLOWS",
    title: `A session with ${FLOWS} flows still shows the first of them, also as the latest, and none of another session`,
    clauses: [
      "SESSION-BOUND",
      "ACTION-GET-FLOW",
      "ACTION-LIST-FLOWS",
      "ACTION-RESOLVE-FLOW",
      "ACTION-FIND-LATEST-FLOW",
      "STATE-CREATE",
    ],
    requests: 80,
    reading:
      "How many flows a session may have is open: a target that refuses to make more is judged by those that it has.",
    table: { factors: { flows: [String(FLOWS)], "made by": ["two routes"] } },
    async play(play) {
      const { world } = play;
      await create(play, "f1", "stranger");
      for (let count = 2; count <= FLOWS + 1; count += 1)
        await create(play, `f${count}`, count % 2 === 0 ? "route" : "sibling");
      for (const action of ["get_flow", "resolve_flow"] as const)
        await play.send(readOf(world, action, `f${FLOWS + 1}`), readOf(world, action, "f2"));
      for (const route of ["route", "stranger"] as const) await play.send(readOf(world, "list_flows", "f2", route));
      await play.send(apart, sendOf(world, "set_waiting", "f2"), readOf(world, "find_latest_flow", "f2"));
    },
  }),
];
