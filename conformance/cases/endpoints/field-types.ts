/** Sections 2 and 4: values of another type than the interface gives the fields of create_flow and run_task. */
import { createFlow, runTask } from "../../interface/bodies.ts";
import { isAccepted } from "../../http/exchange.ts";
import { Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { cellFailure, eachCell, mustRefuseCell, type Cell } from "../../harness/cells.ts";
import { flowsOf, setUp, twin } from "../../harness/checks.ts";
import { acceptedValue, mustAddNone, taskCount, taskForm } from "../../harness/tasks.ts";

/** Neither a text nor a time in any form; null may be as good as a field that is not sent. */
const noTexts: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  "an empty list": [],
  "a list of a text": ["queued"],
  "an empty object": {},
  "an object with a text": { text: "queued" },
};
/** A time may be a number. */
const numbers = { 0: 0, 1: 1, "a fraction": 0.5 };

const created = ["goal", "status", "notifyPolicy"] as const;

const createCells = (values: Readonly<Record<string, unknown>>): Cell[] =>
  created.flatMap((column) =>
    Object.entries(values).map(([row, value]) => ({ row, column, body: createFlow("typed", { [column]: value }) })),
  );

export const fieldTypeCases: readonly Case[] = [
  {
    id: "FIELD-TYPES-SHOWN",
    title: "goal, status and notifyPolicy of a flow are texts, whatever create_flow was given for them",
    clauses: ["ACTION-CREATE-FLOW", "FLOW-TEXTS"],
    requests: 34,
    reading: "Section 2 gives their types. Whether a value of another type is refused or turned into a text is open.",
    async run(trial) {
      setUp(await trial.post(createFlow("typed", { status: "queued", notifyPolicy: "done_only" })), "create_flow");
      await eachCell(trial, createCells({ ...noTexts, ...numbers, null: null }), (cell, exchange) => {
        const [flow] = isAccepted(exchange) ? flowsOf(exchange) : [];
        const odd = created.find((name) => flow?.[name] !== undefined && typeof flow[name] !== "string");
        if (odd !== undefined) throw cellFailure(cell, `a text as ${odd}, or none`, "another type", exchange);
      });
    },
  },
  {
    id: "FIELD-TYPES",
    title: "400 invalid_request for a value of another type in each field of create_flow and run_task",
    clauses: ["ERROR-INVALID", "VALIDATION"],
    level: "should",
    requests: 92,
    reading:
      "Section 4 gives the types of these fields. One who turns the value into a text carries out what the caller did " +
      "not mean. Null may stand for a field that is not sent, and a time may be a number or a text.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      const running = { ...form, status: "running" };
      const time = await acceptedValue(trial, flowId, "startedAt", form);
      const all = runTask(flowId, { ...running, startedAt: time, lastEventAt: time, progressSummary: "half of it" });
      if (!isAccepted(await trial.post(all))) throw new Unreached("run_task refused with all its fields", trial.last);
      const before = await taskCount(trial, flowId);
      const texts = ["task", "childSessionKey", "progressSummary"] as const;
      const times = ["startedAt", "lastEventAt"] as const;
      const taskCells = (columns: readonly string[], values: Readonly<Record<string, unknown>>): Cell[] =>
        columns.flatMap((column) =>
          Object.entries(values).map(([row, value]) => ({
            row,
            column,
            body: runTask(flowId, { ...running, [column]: value }),
          })),
        );
      const cells = [
        ...createCells({ ...noTexts, ...numbers }),
        ...taskCells(texts, { ...noTexts, ...numbers }),
        ...taskCells(times, { ...noTexts, "a word": "yesterday", "an empty text": "" }),
      ];
      await eachCell(trial, cells, (cell, exchange) =>
        mustRefuseCell(cell, exchange, { status: 400, code: "invalid_request" }),
      );
      await mustAddNone(trial, flowId, before);
      twin(await trial.post(createFlow("typed")));
    },
  },
];
