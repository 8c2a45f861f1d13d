/** Sections 2 and 4: values of another type than the interface gives the fields of create_flow and run_task. */
import { randomUUID } from "node:crypto";
import { createFlow } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import { Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { invalid, spoiltRequests, type Spoilt } from "../../harness/spoilt-requests.ts";
import { acceptedTime } from "../../harness/tasks.ts";

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

const typed = (right: ActionBody, columns: readonly string[], values: Readonly<Record<string, unknown>>): Spoilt[] =>
  columns.flatMap((column) =>
    Object.entries(values).map(([row, value]) => {
      // Each creation has a goal of its own, by which a flow is known that was made although it was refused.
      const goal = right.action === "create_flow" ? { goal: `typed ${column} ${row} ${randomUUID()}` } : {};
      return { row, column, body: { ...right, ...goal, [column]: value }, as: invalid };
    }),
  );

export const fieldTypeCases: readonly Case[] = [
  spoiltRequests({
    id: "FIELD-TYPES",
    title: "400 invalid_request for a value of another type in each field of create_flow and run_task",
    clauses: ["ERROR-INVALID", "ACTION-CREATE-FLOW", "FLOW-TEXTS"],
    requests: 94,
    reading:
      "Section 4 gives the types of these fields. One who turns the value into a text carries out what the caller did " +
      "not mean. Null may stand for a field that is not sent, and a time may be a number or a text.",
    action: "run_task",
    async cells({ trial, right }) {
      const other = { ...right, flowId: (await trial.flow()).flowId, status: "running" };
      const time = await acceptedTime(trial, other);
      const all = { ...other, startedAt: time, lastEventAt: time, progressSummary: "half of it" };
      if (!isAccepted(await trial.post(all))) throw new Unreached("run_task refused with all its fields", trial.last);
      const running = { ...right, status: "running" };
      const texts = { ...noTexts, ...numbers };
      const times = { ...noTexts, "a word": "yesterday", "an empty text": "" };
      return [
        ...typed(createFlow("typed"), created, texts),
        ...typed(running, ["task", "childSessionKey", "progressSummary"], texts),
        ...typed(running, ["startedAt", "lastEventAt"], times),
      ];
    },
  }),
];
