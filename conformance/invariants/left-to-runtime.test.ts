import { expect, test } from "vitest";
import { leftToRuntime } from "./left-to-runtime.ts";

test.each([
  ["resume_flow", "status", "STATE-RESUME-ONLY"],
  ["run_task", "runtime", "RUN-TASK-RUNTIME"],
  ["run_task", "running fields", "RUN-TASK-RUNNING-FIELDS"],
  // The interface leaves open what becomes of an ended flow, and gives cancel_flow no revision.
  ["finish_flow", "status", undefined],
  ["cancel_flow", "revision", undefined],
])("%s carried out without the check of its %s breaks %s", (action, check, clause) => {
  const breach = leftToRuntime.watch?.().unchecked?.({ flowId: "f", action, check });
  expect(breach?.clause).toBe(clause);
});
