/** Sections 3 and 4: simultaneous requests that are merged, or of which one is lost or written late. */
import { setImmediate as turn } from "node:timers/promises";
import { losesTasks, mergesCreations, writtenLate } from "../../late-writes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await turn();
}

export const simultaneous: readonly Subject[] = [
  ...writtenLate("states", 100),
  ...subjectsOf<Subject>({
    "create-merged": {
      bug: "Flows that a route creates within one turn of the event loop are one flow.",
      kills: ["ACTION-CREATE-FLOW-AT-ONCE"],
      change: mergesCreations(turns),
    },
    "task-count-overwritten": {
      bug: "The number of tasks is read, and written back when the task is stored: of two at the same time one is lost.",
      kills: ["RUN-TASK-AT-ONCE"],
      change: losesTasks(turns),
    },
  }),
];
