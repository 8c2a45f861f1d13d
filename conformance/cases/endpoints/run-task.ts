/** Section 4: run_task, its fields, and those of a running task, which it takes with status running and with nothing else. */
import { absentId } from "../../harness/flows.ts";
import type { Case } from "../../harness/case.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { keyForms } from "../../oracle/forms.ts";
import {
  actorOf,
  goals,
  namesOf,
  openTimes,
  readerOf,
  runningFields,
  senders,
  timeForms,
  wrongTaskFields,
} from "../../oracle/flow-factors.ts";
import { countRule } from "../../oracle/reads.ts";
import { readOf, sendOf, type Fields } from "../../oracle/flow-requests.ts";
import { flowRows } from "../../oracle/play/flow-rows.ts";
import { bring, createNamed, namedFlow, learnKey, learnRuntime } from "../../oracle/play/flow-set-up.ts";

const clauses: readonly ClauseId[] = [
  "RUN-TASK-RUNNING-FIELDS",
  "RUN-TASK-STATUS",
  "RUN-TASK-RUNTIME",
  "RUN-TASK-FLOW",
  "ACTION-RUN-TASK",
  "ACTION-GET-TASK-SUMMARY",
  "ERROR-NOT-FOUND",
  "ERROR-INVALID",
  "REVISION-UNCHANGED",
  "SESSION-WHOLE",
  "STATE-CREATE",
];

const keys = ["absent", "a child's"] as const;
const keyed = (key: string): Fields =>
  key === "absent" ? {} : { childSessionKey: { $sessionKey: "route", as: "child" } };

const [PLAIN] = namesOf(goals);

export const runTaskCases: readonly Case[] = [
  flowRows({
    id: "RUN-TASK-RIGHT",
    title: "run_task accepts every runtime, and with status running the fields of a running task",
    clauses,
    requests: 90,
    reading:
      "The form of a time stamp is open: milliseconds and ISO 8601 text are tried. Whether a task was added is seen by the " +
      "task summary, where that counts tasks.",
    table: {
      factors: {
        fields: Object.keys(runningFields) as [keyof typeof runningFields],
        runtime: ["subagent", "acp"],
        childSessionKey: keys,
        task: [PLAIN, "other scripts", "lines", "200 characters"],
        flow: ["new", "blocked"],
        "tasks before": ["none", "running"],
        by: senders,
        "made later": ["no flow", "another flow"],
      },
    },
    async play(one, row) {
      const { world } = one;
      await learnRuntime(one, row.runtime);
      await bring(one, "f1", { state: row.flow, children: row["tasks before"] });
      // The task belongs to the flow that is named, not to the latest one.
      if (row["made later"] === "another flow") await createNamed(one, "f2");
      const route = actorOf(row.by);
      // The form of a time stamp is open: the second one is for a target that has refused the first.
      const form = timeForms.find(({ what }) => world.learned.get(openTimes(what)) !== "refused") ?? timeForms[0];
      const times = {
        startedAt: form.value,
        lastEventAt: form.later,
        // A line of progress may be shown as one line.
        progressSummary: [PLAIN, "lines"].includes(row.task) ? "half of it" : goals[row.task],
        status: "running",
      };
      const given = runningFields[row.fields].map((name) => [name, times[name]]);
      const more = { ...Object.fromEntries(given), runtime: row.runtime, ...keyed(row.childSessionKey) } as Fields;
      // One that shows no task yet tells whether a summary counts them, and may be kept for who reads next.
      const isKnown = world.learned.get(countRule("total")) === "yes" && row.by !== "a sibling reads";
      if (row["tasks before"] === "none" && !isKnown) await one.send(readOf(world, "get_task_summary", "f1"));
      await one.send(sendOf(world, "run_task", "f1", { more: { ...more, task: goals[row.task] }, route }));
      await one.send(readOf(world, "get_task_summary", "f1", readerOf(row.by)));
    },
  }),
  flowRows({
    id: "RUN-TASK-WRONG",
    title: "run_task with a running task's field and another status is refused, in any flow state",
    clauses,
    requests: 90,
    reading:
      "The rule names no exception: it holds for values that are falsy in many languages, and in a flow that has ended. For a " +
      "flow that does not exist not_found is right as well.",
    table: {
      factors: {
        field: Object.keys(wrongTaskFields) as [keyof typeof wrongTaskFields],
        status: ["absent", "queued", "Running"],
        runtime: ["subagent", "acp"],
        childSessionKey: keys,
        flow: ["new", "finished", "resumed", "cancel-requested", "absent"],
        "tasks before": ["none", "running", "acp"],
        by: ["one route", "a sibling acts"],
        sent: ["once", "three times"],
      },
      // Where not_found is right as well a field that is let in would not show: one of them is enough there.
      allows: ({ flow, field = "startedAt as text", "tasks before": before = "none" }) =>
        flow !== "absent" || (field === "startedAt as text" && before === "none"),
    },
    async play(one, row) {
      const { world } = one;
      const key = keyed(row.childSessionKey);
      await learnKey(one, keyForms[keys.indexOf(row.childSessionKey)] ?? keyForms[0], row.runtime, key);
      await bring(one, "f1", { state: row.flow === "absent" ? "new" : row.flow, children: row["tasks before"] });
      const more: Fields = {
        ...wrongTaskFields[row.field],
        ...(row.status !== "absent" && { status: row.status }),
        runtime: row.runtime,
        ...key,
        ...(row.flow === "absent" && { flowId: absentId(namedFlow(one, "f1").flowId) }),
      };
      const route = actorOf(row.by);
      for (let left = row.sent === "once" ? 1 : 3; left > 0; left -= 1)
        await one.send(sendOf(world, "run_task", "f1", { more, route }));
      if (row.flow !== "absent") await one.send(readOf(world, "get_task_summary", "f1"));
    },
  }),
];
