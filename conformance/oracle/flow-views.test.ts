import { expect, test } from "vitest";
import { seenChanged, type ViewRules } from "./flow-views.ts";
import { Learned } from "./learned.ts";

const finished = { phase: "finished", asked: false, pending: false, active: 0, tasks: 0, dirty: false } as const;

test.each([
  ["succeeded", "succeeded after finish_flow"],
  [`ended by ${"x".repeat(40)}`, "another status after finish_flow"],
])("the wrong status %j is named where it may be the same in the next run", (status, actual) => {
  const fields = { stateData: "stateJson", waitData: "waitJson", blockedSummary: "blockedSummary" };
  const rules = {
    gaps: {},
    fields,
    learned: new Learned(),
    clauses: undefined,
    shows: new Set(),
  } as unknown as ViewRules;
  const change = { action: "finish_flow", clause: "STATE-FINISH", sent: {}, to: finished } as const;
  const departure = seenChanged({ flowId: "f", revision: 1, status }, change, new Map(), rules);
  expect(departure).toEqual({ clause: "STATE-FINISH", expected: "status: finished", actual });
});
