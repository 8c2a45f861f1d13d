import type { Action } from "../contract.ts";
import { cancelFlow } from "./cancel-flow.ts";
import { createFlow } from "./create-flow.ts";
import { failFlow, finishFlow, requestCancel, resumeFlow, setWaiting } from "./mutations.ts";
import { findLatestFlow, getFlow, getTaskSummary, listFlows, resolveFlow } from "./reads.ts";
import { runTask } from "./run-task.ts";

/** The 13 actions, in the order of section 4. */
export const actions: readonly Action[] = [
  createFlow,
  getFlow,
  listFlows,
  findLatestFlow,
  resolveFlow,
  getTaskSummary,
  setWaiting,
  resumeFlow,
  finishFlow,
  failFlow,
  requestCancel,
  cancelFlow,
  runTask,
];
