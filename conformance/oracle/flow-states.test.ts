import { expect, test } from "vitest";
import { newFlow } from "../interface/flow-model.ts";
import { flowStatusFault } from "./flow-states.ts";

const finished = { ...newFlow("begun"), phase: "finished" } as const;

test.each([
  ["succeeded", "succeeded after finish_flow"],
  [`ended by ${"x".repeat(40)}`, "another status after finish_flow"],
])("the wrong status %j is named where it may be the same in the next run", (status, actual) => {
  const departure = flowStatusFault(finished, status, {}, "STATE-FINISH", "after finish_flow");
  expect(departure).toEqual({ clause: "STATE-FINISH", expected: "status: finished", actual });
});
